//! What is told of a line.

use crate::rules::readers::Readers;

/// An added line that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    /// Its number in the new content, from 1.
    pub line: u32,
    /// What it does, and why that is suspicious.
    pub what: String,
    /// The programs that alone read the line, if they are known.
    pub readers: Option<Readers>,
}

/// How much of a line is shown.
pub(super) const SHOWN: usize = 100;
