//! Kinds of check: reports that are read, tests by name, coverage, findings,
//! requests and persons, and what never counts as green.

#[cfg(test)]
mod fakes;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod lines;
#[cfg(test)]
mod place;
#[cfg(test)]
mod sharing;
