use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Number,
    Text,
    Sign,
}

/// A place in the source, both numbers from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub value: String,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexError {
    pub place: Place,
    pub reason: String,
}

impl fmt::Display for LexError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.reason)
    }
}

impl std::error::Error for LexError {}
