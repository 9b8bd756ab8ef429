//! A check executed again on a tree that was sabotaged on purpose. It must
//! turn red: a verifier that was never seen to fail proves nothing.

use crate::{evidence::Body, id::CheckId};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// What one check did on one sabotaged tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// The check.
    pub check: CheckId,
    /// What was done to the tree.
    pub sabotage: Sabotage,
    /// To what: the canary's name, functions, tests, files.
    pub about: String,
    /// What came of it.
    pub turned: Reaction,
    /// What the program wrote, both streams.
    pub output: Body,
    /// How long it took.
    pub took_ms: u64,
}

/// What was done to a tree on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sabotage {
    /// A failing test of random name was laid where the check selects.
    Canary,
    /// The functions that the run changed fail at once.
    Failing,
    /// The functions that the run changed give a default value.
    Defaulting,
    /// The functions that the run changed do what they did on the base.
    AsBefore,
    /// The tests of the run were laid over the base's code.
    OverBase,
    /// The same, of a goal that asks for tests of the run: one of them must fail.
    RunTestsOverBase,
    /// The base's tests were laid over the run's code.
    FormerTests,
    /// Something was written that no tool of this kind may accept.
    Violation,
}

/// What a check did on a sabotaged tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reaction {
    /// It turned red, by what was laid.
    Red {
        /// What it named.
        by: String,
    },
    /// It stayed green.
    Green,
    /// It turned red, but not by what was laid.
    Otherwise {
        /// Why, in a sentence.
        why: String,
    },
    /// Nothing could be laid where something should have been.
    NotLaid {
        /// Why, in a sentence.
        why: String,
    },
    /// Nothing of the kind is there to be sabotaged.
    Nothing {
        /// Why, in a sentence.
        why: String,
    },
}
