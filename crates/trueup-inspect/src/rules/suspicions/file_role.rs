//! What a file is for.

/// What a file is for, which decides the rules that hold for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum FileRole {
    /// Code that is tested.
    Production,
    /// Code that tests, or says how.
    Tests,
    /// Code that tests share, and is none itself.
    Shared,
    /// Code that runs before the tests.
    Setup,
}

impl FileRole {
    /// The files whose rules hold for it, too. What a word means in a file of
    /// tests, it means in all of its package.
    pub(in crate::rules) const fn places(self) -> &'static [Self] {
        match self {
            Self::Production => &[Self::Production, Self::Tests],
            Self::Tests => &[Self::Tests],
            Self::Shared => &[Self::Shared, Self::Tests],
            Self::Setup => &[Self::Setup, Self::Tests, Self::Shared],
        }
    }
}
