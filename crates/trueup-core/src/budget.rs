//! What a run may cost. Every limit exists, and unknown is never zero.

use serde::{Deserialize, Serialize};

/// The longest a single turn may take unless the task has less time left.
pub const TURN_LIMIT_MS: u64 = 10 * 60 * 1000;

/// The limits a task sets; what it leaves out is limited by its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Turns in all.
    pub turns: Option<u32>,
    /// Time agents may work, in all.
    pub time_ms: Option<u64>,
    /// Tokens in all.
    pub tokens: Option<u64>,
    /// Money in all, in thousandths of a cent, so that no float is ever summed.
    pub millicents: Option<u64>,
}

/// What a run has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    /// Turns that ended.
    pub turns: u32,
    /// Time agents worked.
    pub time_ms: u64,
    /// Tokens, as far as agents reported them.
    pub tokens: u64,
    /// Money, as far as agents reported it.
    pub millicents: u64,
}

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// The turns of the phase or of the task.
    Turns,
    /// The task's time.
    Time,
    /// The task's tokens.
    Tokens,
    /// The task's money.
    Money,
}

impl Budget {
    /// The first limit that leaves no room for another turn.
    pub fn reached(&self, turns_per_phase: u32, spend: &Spend) -> Option<Limit> {
        let turns = self.turns.map_or(turns_per_phase, |own| own.min(turns_per_phase));
        if spend.turns >= turns {
            return Some(Limit::Turns);
        }
        let full = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        if full(self.time_ms, spend.time_ms) {
            return Some(Limit::Time);
        }
        if full(self.tokens, spend.tokens) {
            return Some(Limit::Tokens);
        }
        full(self.millicents, spend.millicents).then_some(Limit::Money)
    }

    /// How long the next turn may take.
    pub fn turn_limit_ms(&self, spend: &Spend) -> u64 {
        let left = self
            .time_ms
            .map_or(u64::MAX, |limit| limit.saturating_sub(spend.time_ms));
        left.min(TURN_LIMIT_MS)
    }
}
