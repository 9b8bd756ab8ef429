//! Tricks that make a red check green without the work, and checks that no
//! agent may read: neither changes a verdict.

#[cfg(test)]
mod place;

#[cfg(test)]
mod tricks;
#[cfg(test)]
mod tricks_of_git;

#[cfg(test)]
mod verdicts;

#[cfg(test)]
mod hidden;
#[cfg(test)]
mod planted;
