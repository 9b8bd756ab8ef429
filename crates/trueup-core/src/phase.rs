//! A part of a run with its own goal, rights, limits and gate.

use crate::task::Size;
use alloc::{borrow::ToOwned, string::String};
use serde::{Deserialize, Serialize};

/// A part of a run with its own goal, rights and turn limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Lower-case, as transcripts print it.
    pub name: String,
    /// What it is for.
    pub aim: Aim,
    /// How many turns it may take.
    pub turn_limit: u32,
}

/// What a phase is for, which decides its rights and its gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// Tests that fail for want of the work.
    Tests,
    /// The work.
    Work,
    /// The same work, put better; kept only if everything stays green.
    Refactor,
}

/// What of a tree a turn may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rights {
    /// Everything.
    #[default]
    All,
    /// Tests.
    Tests,
    /// Everything but tests.
    Code,
}

impl Phase {
    /// The one phase of the direct flow: every criterion, any file in scope.
    pub fn implement(size: Size) -> Self {
        Self::new("implement", Aim::Work, size.turns_per_phase())
    }

    /// The phase in which tests are written and nothing else.
    pub fn tests(size: Size) -> Self {
        Self::new("tests", Aim::Tests, size.turns_per_phase())
    }

    /// The phase after the proof: one turn.
    pub fn refactor() -> Self {
        Self::new("refactor", Aim::Refactor, 1)
    }

    fn new(name: &str, aim: Aim, turn_limit: u32) -> Self {
        Self {
            name: name.to_owned(),
            aim,
            turn_limit,
        }
    }
}
