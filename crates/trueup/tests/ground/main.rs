//! What is laid under trees: made once, seen quickly, and poisoned by nobody.
//! Against a real vitest project and a real Rust workspace.

#[cfg(test)]
mod laid;
#[cfg(test)]
mod place;
#[cfg(test)]
mod poison_node;
#[cfg(test)]
mod poison_rust;
#[cfg(test)]
mod start;
