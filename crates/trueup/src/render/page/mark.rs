//! How something stands, by a sign, a word and a colour; never by a colour alone.

use maud::{Markup, Render, html};
use trueup_core::evidence::CheckOutcome;

/// How something stands.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// As it shall.
    Good,
    /// As it shall not.
    Bad,
    /// As somebody has to decide.
    Open,
    /// Nobody can tell.
    Unknown,
}

impl Mark {
    /// The mark of what a check saw.
    pub(super) const fn of(saw: &CheckOutcome) -> Self {
        match saw {
            CheckOutcome::Passed => Self::Good,
            CheckOutcome::Failed { .. } | CheckOutcome::TimedOut => Self::Bad,
            CheckOutcome::CannotRun { .. } => Self::Unknown,
        }
    }

    /// The mark with its word.
    pub(super) fn with(self, word: &str) -> Markup {
        html! { span class=(format!("mark {}", self.class())) { (self) " " (word) } }
    }

    /// The class of its colours.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Open => "open",
            Self::Unknown => "unknown",
        }
    }
}

impl Render for Mark {
    fn render(&self) -> Markup {
        let sign = match self {
            Self::Good => "✓",
            Self::Bad => "✗",
            Self::Open => "?",
            Self::Unknown => "–",
        };
        html! { span aria-hidden="true" { (sign) } }
    }
}
