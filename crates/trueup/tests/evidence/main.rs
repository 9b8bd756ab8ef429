//! Evidence is of one tree and one task, and is on disk before it is kept.

#[cfg(test)]
mod changes;
#[cfg(test)]
mod disk;
#[cfg(test)]
mod random;
#[cfg(test)]
mod syncing;
