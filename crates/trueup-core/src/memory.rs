//! What an agent remembers, and what it says of its own work.

use crate::{
    ending::Ending,
    id::{CriterionId, SessionId},
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What an agent remembers when a turn begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// Nothing but what it is told.
    #[default]
    Fresh,
    /// A session as it was at the end of the last kept turn. It is forked, so
    /// that a turn which is lost leaves no trace in it.
    Continue {
        /// Which session.
        session: SessionId,
    },
}

/// What an agent says of its own work. It may start a verification and never
/// ends one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Whether it says that it is through.
    #[serde(default)]
    pub says: ClaimStatus,
    /// Its last words, cut.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Choices it says it made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
}

impl Claim {
    /// Whether there is no claim at all.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Every text in it, to be cleaned.
    pub fn words_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let says = match &mut self.says {
            ClaimStatus::Blocked(why) => Some(why),
            ClaimStatus::Nothing | ClaimStatus::Complete => None,
        };
        let decisions = self.decisions.iter_mut();
        let told = decisions.flat_map(|decision| [&mut decision.question, &mut decision.answer, &mut decision.reason]);
        says.into_iter().chain([&mut self.summary]).chain(told)
    }
}

/// Whether an agent says that it is through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimStatus {
    /// It says nothing of the kind.
    #[default]
    Nothing,
    /// It says that all is done.
    Complete,
    /// It says that it cannot go on, and why.
    Blocked(String),
}

/// A choice, as the agent that made it tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What was open.
    pub question: String,
    /// What was chosen.
    pub answer: String,
    /// Why.
    pub reason: String,
}

/// What a fresh or crowded session is told of the turns before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recap {
    /// Why it is told.
    pub why: RecapReason,
    /// Every turn that ended, oldest first.
    pub turns: Vec<TurnSummary>,
}

/// Why earlier turns are told again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecapReason {
    /// The session gets full: details are left out.
    Compressed,
    /// A fresh session takes over from one that was full.
    HandedOver,
    /// A fresh session tries what the ones before did not.
    BegunAnew,
}

/// One turn that ended, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnSummary {
    /// Which turn.
    pub turn: u32,
    /// How it ended.
    pub ending: Ending,
    /// What the agent said of it.
    pub claim: Claim,
    /// Criteria that were not met on the tree it left; empty before a check.
    pub unmet: Vec<CriterionId>,
}
