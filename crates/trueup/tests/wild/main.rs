//! Git as it is found in the wild: each kind of repository is proved to the
//! byte, or refused in one sentence.

#[cfg(test)]
mod attributes;
#[cfg(test)]
mod clones;
#[cfg(test)]
mod contents;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod large;
#[cfg(test)]
mod names;
#[cfg(test)]
mod person;
#[cfg(test)]
mod place;
#[cfg(test)]
mod submodules;
