//! What a call of Codex costs: the thread's count now, less its count before.

use serde::Deserialize;
use trueup_core::usage::{Basis, Occupancy, Tokens, Usage};

/// Tokens as `app-server` counts them. Input includes what was cached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TokenCounts {
    #[serde(alias = "total_tokens")]
    pub(super) total_tokens: u64,
    #[serde(alias = "input_tokens")]
    pub(super) input_tokens: u64,
    #[serde(alias = "cached_input_tokens")]
    pub(super) cached_input_tokens: u64,
    #[serde(alias = "cache_write_input_tokens")]
    pub(super) cache_write_input_tokens: u64,
    #[serde(alias = "output_tokens")]
    pub(super) output_tokens: u64,
}

impl TokenCounts {
    const fn less(self, other: Self) -> Self {
        Self {
            total_tokens: self.total_tokens.saturating_sub(other.total_tokens),
            input_tokens: self.input_tokens.saturating_sub(other.input_tokens),
            cached_input_tokens: self.cached_input_tokens.saturating_sub(other.cached_input_tokens),
            cache_write_input_tokens: self
                .cache_write_input_tokens
                .saturating_sub(other.cache_write_input_tokens),
            output_tokens: self.output_tokens.saturating_sub(other.output_tokens),
        }
    }

    const fn tokens(self) -> Tokens {
        let cached = self.cached_input_tokens.saturating_add(self.cache_write_input_tokens);
        Tokens {
            input: self.input_tokens.saturating_sub(cached),
            cache_writes: self.cache_write_input_tokens,
            cache_reads: self.cached_input_tokens,
            output: self.output_tokens,
        }
    }
}

/// `thread/tokenUsage/updated`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TokenUsage {
    pub(super) total: TokenCounts,
    pub(super) last: TokenCounts,
    pub(super) model_context_window: Option<u64>,
}

/// Counts one call.
#[derive(Debug, Default)]
pub(super) struct Meter {
    before: Option<TokenCounts>,
    now: Option<TokenUsage>,
}

impl Meter {
    /// The thread's count after a request of this call. A forked thread's
    /// count goes on from that of the old one.
    pub(super) fn count(&mut self, usage: TokenUsage) {
        self.before.get_or_insert_with(|| usage.total.less(usage.last));
        self.now = Some(usage);
    }

    /// What the call has cost so far. Codex knows no prices.
    pub(super) fn usage(&self) -> Usage {
        let (Some(before), Some(now)) = (self.before, self.now) else {
            return Usage::default();
        };
        let parts = now.total.less(before).tokens();
        // A window that overflowed is told as a total without parts.
        let used = match now.last.input_tokens {
            0 => now.last.total_tokens,
            input => input,
        };
        Usage {
            tokens: Some(parts.total()),
            millicents: None,
            parts: Some(parts),
            basis: Basis::Provider,
            occupancy: now.model_context_window.map(|window| Occupancy { used, window }),
        }
    }
}
