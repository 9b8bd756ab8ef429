//! What a turn cost, and how full the agent's memory is: two meters that are
//! never mixed.

use serde::{Deserialize, Serialize};

/// Whether an agent says what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Meter {
    /// It reports tokens and money.
    Reports,
    /// It reports tokens and no money, so a limit in money could not be kept.
    Tokens,
    /// It says nothing, so such limits could not be kept.
    Silent,
}

/// What a turn cost, as far as the agent said; unknown is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens in all, if reported: what went in by any way, and what came out.
    pub tokens: Option<u64>,
    /// Thousandths of a cent, if known.
    pub millicents: Option<u64>,
    /// The same tokens by kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Tokens>,
    /// Whose figure the money is.
    #[serde(default, skip_serializing_if = "Basis::is_provider")]
    pub basis: Basis,
    /// How full the model's window was at the last request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<Occupancy>,
}

impl Usage {
    /// The same with what earlier tries at the turn cost, which never came to
    /// their end. They say what they used and seldom what it costs; then their
    /// price is estimated from that of the try that did come to its end.
    #[must_use]
    pub fn with_lost(self, lost: &Self) -> Self {
        let Some(lost_tokens) = lost.tokens else { return self };
        let estimate = || {
            let (price, tokens) = self.millicents.zip(self.tokens)?;
            let rated = u128::from(price) * u128::from(lost_tokens);
            u64::try_from(rated.checked_div(u128::from(tokens))?).ok()
        };
        let lost_price = lost.millicents.or_else(estimate);
        let plus = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
        Self {
            tokens: plus(self.tokens, lost.tokens),
            millicents: plus(self.millicents, lost_price),
            parts: self.parts.zip(lost.parts).map(|(one, other)| one.plus(&other)),
            basis: match (lost.millicents, lost_price) {
                (None, Some(_)) => Basis::Estimate,
                (Some(_), _) if lost.basis == Basis::Estimate => Basis::Estimate,
                (Some(_) | None, _) => self.basis,
            },
            occupancy: self.occupancy,
        }
    }
}

/// Tokens by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Went in, and were in no cache.
    pub input: u64,
    /// Went in, and into a cache.
    pub cache_writes: u64,
    /// Went in out of a cache.
    pub cache_reads: u64,
    /// Came out.
    pub output: u64,
}

impl Tokens {
    /// What went in by any way. Raw input alone says nothing.
    pub const fn effective_input(&self) -> u64 {
        self.input
            .saturating_add(self.cache_writes)
            .saturating_add(self.cache_reads)
    }

    /// Both.
    #[must_use]
    pub const fn plus(&self, other: &Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cache_writes: self.cache_writes.saturating_add(other.cache_writes),
            cache_reads: self.cache_reads.saturating_add(other.cache_reads),
            output: self.output.saturating_add(other.output),
        }
    }

    /// All of them.
    pub const fn total(&self) -> u64 {
        self.effective_input().saturating_add(self.output)
    }
}

/// Whose figure a cost is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The provider's or the agent's own.
    #[default]
    Provider,
    /// Computed here from tokens and list prices, and shown as an estimate.
    Estimate,
}

impl Basis {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    pub(crate) const fn is_provider(&self) -> bool {
        matches!(self, Self::Provider)
    }
}

/// How full a model's window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occupancy {
    /// Tokens of the last request: input, cache writes and cache reads.
    pub used: u64,
    /// Tokens the window holds.
    pub window: u64,
}

/// From here on prompts carry a summary instead of details.
pub const COMPRESS_AT_PERCENT: u64 = 70;

/// From here on the work is handed to a fresh session.
pub const HAND_OFF_AT_PERCENT: u64 = 80;

/// What an occupancy asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Headroom {
    /// There is plenty.
    #[default]
    Plenty,
    /// It gets narrow: prompts are compressed.
    Narrow,
    /// There is none: the work is handed to a fresh session.
    None,
}

impl Occupancy {
    /// What it asks for.
    pub const fn room(&self) -> Headroom {
        let percent = match self.used.saturating_mul(100).checked_div(self.window) {
            Some(percent) => percent,
            // A window of nothing holds nothing.
            None => 100,
        };
        if percent >= HAND_OFF_AT_PERCENT {
            Headroom::None
        } else if percent >= COMPRESS_AT_PERCENT {
            Headroom::Narrow
        } else {
            Headroom::Plenty
        }
    }
}

#[cfg(test)]
mod lost {
    use super::{Basis, Tokens, Usage};

    fn used(tokens: u64, millicents: Option<u64>) -> Usage {
        Usage {
            tokens: Some(tokens),
            millicents,
            parts: Some(Tokens {
                input: tokens,
                ..Tokens::default()
            }),
            ..Usage::default()
        }
    }

    #[test]
    fn what_a_lost_try_cost_is_added_and_its_price_estimated_where_it_is_unknown() {
        let turn = used(200, Some(50));
        assert_eq!(turn.with_lost(&Usage::default()), turn);
        assert_eq!(turn.with_lost(&used(100, Some(10))), used(300, Some(60)));
        let estimated = Usage {
            basis: Basis::Estimate,
            ..used(300, Some(75))
        };
        assert_eq!(turn.with_lost(&used(100, None)), estimated);
    }

    #[test]
    fn what_is_unknown_stays_unknown() {
        assert_eq!(used(200, None).with_lost(&used(100, None)), used(300, None));
        assert_eq!(Usage::default().with_lost(&used(100, None)).tokens, None);
        assert_eq!(used(0, Some(5)).with_lost(&used(100, None)).millicents, None);
    }
}
