//! Which wall a person chose.

/// What a person wants round agents and checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A bubblewrap sandbox round each program.
    #[default]
    Bubblewrap,
    /// Nothing of ours: all of trueup runs in a throw-away container already.
    Outer,
    /// Nothing at all.
    None,
}

impl Mode {
    /// All of them, the strongest first.
    pub const ALL: [Self; 3] = [Self::Bubblewrap, Self::Outer, Self::None];

    /// The word configuration files use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Outer => "outer",
            Self::None => "none",
        }
    }
}
