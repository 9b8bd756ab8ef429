//! What a task file left out that has one plain meaning: it is filled in, and
//! whoever reads the file says so.

/// Something a task file left out, and what it was read as.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Formality {
    /// The line of the file, from 1.
    pub line: u32,
    /// What was filled in, as a person would have written it.
    pub read_as: String,
}

impl Formality {
    pub(super) fn new(line: u32, read_as: impl Into<String>) -> Self {
        Self {
            line,
            read_as: read_as.into(),
        }
    }
}
