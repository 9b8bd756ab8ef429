//! What a run may cost. Every limit exists, and unknown is never zero.

use crate::usage::{Basis, Usage};
use serde::{Deserialize, Serialize};

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
    /// Whether part of the money is an estimate of ours.
    #[serde(default, skip_serializing_if = "Basis::is_provider")]
    pub basis: Basis,
    /// Calls of which nobody knows how many tokens they used.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_tokens: u32,
    /// Calls of which nobody knows what money they cost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_money: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
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
        // What nobody knows could be anything, so a limit in it counts as reached.
        let unknown = |limit: Option<u64>, calls: u32| limit.is_some() && calls > 0;
        if full(self.tokens, spend.tokens) || unknown(self.tokens, spend.unknown_tokens) {
            return Some(Limit::Tokens);
        }
        let spent = full(self.millicents, spend.millicents) || unknown(self.millicents, spend.unknown_money);
        spent.then_some(Limit::Money)
    }

    /// How long the next turn may take.
    pub fn turn_limit_ms(&self, spend: &Spend, most: u64) -> u64 {
        let left = self
            .time_ms
            .map_or(u64::MAX, |limit| limit.saturating_sub(spend.time_ms));
        left.min(most)
    }

    /// Tokens that may still be used, if they are limited.
    pub fn tokens_left(&self, spend: &Spend) -> Option<u64> {
        self.tokens.map(|limit| limit.saturating_sub(spend.tokens))
    }

    /// Money that may still be used, if it is limited.
    pub fn millicents_left(&self, spend: &Spend) -> Option<u64> {
        self.millicents.map(|limit| limit.saturating_sub(spend.millicents))
    }
}

impl Spend {
    /// Counts what a call of an agent cost.
    pub(crate) fn add(&mut self, took_ms: u64, usage: &Usage) {
        self.time_ms = self.time_ms.saturating_add(took_ms);
        match usage.tokens {
            Some(tokens) => self.tokens = self.tokens.saturating_add(tokens),
            None => self.unknown_tokens += 1,
        }
        match usage.millicents {
            Some(millicents) => self.millicents = self.millicents.saturating_add(millicents),
            None => self.unknown_money += 1,
        }
        if usage.millicents.is_some() && usage.basis == Basis::Estimate {
            self.basis = Basis::Estimate;
        }
    }
}
