//! What a file is for.

/// What a file is for, which decides the rules that hold for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileRole {
    /// Code that is tested.
    Production,
    /// Code that tests, or says how.
    Tests,
    /// Code that tests share, and is none itself.
    Shared,
    /// Code that runs before the tests.
    Setup,
}
