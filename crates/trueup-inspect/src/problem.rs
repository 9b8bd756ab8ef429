//! What a reader did not understand, and where it stands in the file.

use std::fmt;

/// Something in a task file that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: u32,
    /// The character of the line, from 1.
    pub column: u32,
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl Problem {
    /// What is wrong and what to write instead, without its position.
    pub fn sentence(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.what),
            None => self.what.clone(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.sentence())
    }
}

impl std::error::Error for Problem {}

/// A problem whose position is known only to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl Complaint {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            hint: None,
        }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            what: self.what,
            hint: Some(hint.into()),
        }
    }

    pub(crate) fn at(self, position: Position) -> Problem {
        Problem {
            line: position.line,
            column: position.column,
            what: self.what,
            hint: self.hint,
        }
    }
}

/// A position in the file; lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}
