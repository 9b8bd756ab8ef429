//! The configuration as people see it: who set which key, how one is set, what
//! editors and shells are told of it.

#[cfg(test)]
mod keys;
#[cfg(test)]
mod networks;
#[cfg(test)]
mod papers;
#[cfg(test)]
mod prompts;
#[cfg(test)]
mod shells;
