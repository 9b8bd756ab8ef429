//! A part of a run with its own goal, limits and gate.

use crate::task::Size;
use alloc::{borrow::ToOwned, string::String};
use serde::{Deserialize, Serialize};

/// A part of a run with its own goal and turn limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Lower-case, as transcripts print it.
    pub name: String,
    /// How many turns it may take.
    pub turn_limit: u32,
}

impl Phase {
    /// The one phase of the direct flow: every criterion, any file in scope.
    pub fn implement(size: Size) -> Self {
        Self {
            name: "implement".to_owned(),
            turn_limit: size.turns_per_phase(),
        }
    }
}
