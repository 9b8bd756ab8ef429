//! What a call costs, counted so that nothing is counted twice.

use super::stream::{MessageTokens, ModelUsage, TurnResult};
use crate::agent::bound;
use std::collections::BTreeMap;
use trueup_core::usage::{Basis, Occupancy, Tokens, Usage};

/// Counts tokens by message, so that a message that comes as many lines, each
/// with the same figures, counts once.
#[derive(Debug, Default)]
pub(super) struct Meter {
    messages: BTreeMap<String, Tokens>,
    /// What messages cost that are no longer known one by one.
    others: Tokens,
    streaming: Option<String>,
    last_request: Option<u64>,
    last_model: Option<String>,
}

/// Whose message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    /// The agent we talk to.
    Main,
    /// One it started itself; its window is not ours.
    Sub,
}

impl Speaker {
    pub(super) const fn of(parent: Option<&String>) -> Self {
        if parent.is_some() { Self::Sub } else { Self::Main }
    }
}

impl Meter {
    /// A message, or a part of one, with what it cost so far.
    pub(super) fn message(&mut self, id: Option<&str>, model: Option<&str>, counted: MessageTokens, speaker: Speaker) {
        let Some(id) = id else { return };
        let tokens = counted.tokens();
        if tokens.total() == 0 {
            // Messages the program makes up itself cost nothing.
            return;
        }
        if !bound::is_name(id) {
            self.others = add(self.others, tokens);
            return;
        }
        if self.messages.len() >= bound::MOST && !self.messages.contains_key(id) {
            self.others = self.seen();
            self.messages.clear();
        }
        let known = self.messages.entry(id.to_owned()).or_default();
        known.input = known.input.max(tokens.input);
        known.cache_writes = known.cache_writes.max(tokens.cache_writes);
        known.cache_reads = known.cache_reads.max(tokens.cache_reads);
        known.output = known.output.max(tokens.output);
        if speaker == Speaker::Main {
            self.last_request = Some(known.effective_input());
            if let Some(model) = model {
                self.last_model = Some(model.to_owned());
            }
        }
    }

    /// A message begins to come piece by piece.
    pub(super) fn begin(&mut self, id: Option<&str>) {
        self.streaming = id.map(str::to_owned);
    }

    /// What the message that comes piece by piece cost in the end.
    pub(super) fn piece(&mut self, counted: MessageTokens, speaker: Speaker) {
        let id = self.streaming.clone();
        self.message(id.as_deref(), None, counted, speaker);
    }

    fn seen(&self) -> Tokens {
        self.messages
            .values()
            .fold(self.others, |sum, tokens| add(sum, *tokens))
    }

    /// What the call has cost so far, as far as its messages tell.
    pub(super) fn so_far(&self) -> Usage {
        let seen = self.seen();
        Usage {
            tokens: (seen.total() > 0).then_some(seen.total()),
            millicents: None,
            parts: (seen.total() > 0).then_some(seen),
            basis: Basis::Provider,
            occupancy: None,
        }
    }

    /// What the call cost, with the last line's own account of it.
    pub(super) fn account(&self, result: Option<&TurnResult>) -> Usage {
        let Some(result) = result else { return self.so_far() };
        // On a resumed or forked session 2.1.325's `total_cost_usd` and
        // `modelUsage` are the session's, 2.1.197's are the call's; the part
        // since the last result is the call's wherever it is printed.
        let since = result.model_usage_since_last_result.as_ref();
        let summed = since.map(|models| models.values().map(ModelUsage::tokens).fold(Tokens::default(), add));
        let told = summed.or_else(|| result.usage.map(|usage| usage.tokens()));
        let dollars = since.map_or(result.total_cost_usd, |models| {
            models.values().try_fold(0.0, |sum, model| Some(sum + model.cost_usd?))
        });
        // A call that is broken off reports nothing of the message it was in.
        let seen = Some(self.seen()).filter(|seen| seen.total() > told.unwrap_or_default().total());
        let parts = seen.or(told);
        let nothing = parts.is_some_and(|parts| parts.total() == 0);
        Usage {
            tokens: parts.map(|parts| parts.total()),
            // Nothing, for tokens that were seen, is not a price.
            millicents: dollars.and_then(millicents).filter(|cost| *cost > 0 || nothing),
            parts,
            basis: Basis::Provider,
            occupancy: self.occupancy(&result.model_usage),
        }
    }

    fn occupancy(&self, models: &BTreeMap<String, ModelUsage>) -> Option<Occupancy> {
        let used = self.last_request?;
        let own = self.last_model.as_ref().and_then(|model| models.get(model));
        let widest = || models.values().max_by_key(|model| model.context_window);
        let window = own.or_else(widest)?.context_window?;
        Some(Occupancy { used, window })
    }
}

const fn add(one: Tokens, other: Tokens) -> Tokens {
    Tokens {
        input: one.input.saturating_add(other.input),
        cache_writes: one.cache_writes.saturating_add(other.cache_writes),
        cache_reads: one.cache_reads.saturating_add(other.cache_reads),
        output: one.output.saturating_add(other.output),
    }
}

/// Dollars as thousandths of a cent; what is no price is none.
fn millicents(dollars: f64) -> Option<u64> {
    let millicents = (dollars * 100_000.0).round();
    (0.0..1e15).contains(&millicents).then_some(millicents as u64)
}
