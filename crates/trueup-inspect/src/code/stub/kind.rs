//! What a stub does instead of the function's own work.

/// What becomes of a function's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stub<'a> {
    /// It fails, and this token appears in the failure.
    Failing(&'a str),
    /// It gives a default value at once: nothing, zero, empty.
    Defaulting,
    /// It gives a value at once that nobody asks for.
    Mistaken,
}
