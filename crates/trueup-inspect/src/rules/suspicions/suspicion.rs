//! What is told of a line.

/// An added line that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    /// Its number in the new content, from 1.
    pub line: u32,
    /// What it does, and why that is suspicious.
    pub what: String,
}

/// How much of a line is shown.
pub(super) const SHOWN: usize = 100;
