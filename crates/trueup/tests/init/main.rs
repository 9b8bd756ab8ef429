//! `init` in projects of eight kinds, with their real tools: what it finds is
//! what they are checked by, and the run after it needs no file edited.

#[cfg(test)]
mod again;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod setup;
