//! The person's repository while a run works: what they do there in the
//! meantime changes nothing about its end.

#[cfg(test)]
mod meanwhile;
#[cfg(test)]
mod repository;
#[cfg(test)]
mod uncommitted;
