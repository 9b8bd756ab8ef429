//! What a model does that wants to be done instead of doing the work, in small
//! projects of four kinds, with the very configuration that `init` writes.

#[cfg(test)]
mod cheats;
#[cfg(test)]
mod place;
#[cfg(test)]
mod runs;
