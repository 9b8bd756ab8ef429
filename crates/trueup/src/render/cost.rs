//! What a run has cost, in words and as JSON. Unknown is never zero.

use super::words;
use serde_json::{Value, json as object};
use trueup_core::{
    budget::{Budget, Limit, Spend},
    run::Run,
    usage::{Basis, Usage},
};

/// Tokens and money for people; nothing where no agent ever told either.
pub(super) fn line(spend: &Spend) -> Option<String> {
    let told = spend.tokens > 0 || spend.millicents > 0;
    told.then(|| format!("{} · {}", tokens(spend), money(spend)))
}

/// The same where something has to be said.
pub(super) fn told(spend: &Spend) -> String {
    line(spend).unwrap_or_else(|| match spend.turns {
        0 => "nothing: no turn ended".to_owned(),
        _ => "unknown: the agent does not say".to_owned(),
    })
}

/// What one call of an agent cost.
pub(super) fn of_turn(usage: &Usage) -> String {
    told(&Spend {
        turns: 1,
        tokens: usage.tokens.unwrap_or(0),
        millicents: usage.millicents.unwrap_or(0),
        basis: usage.basis,
        unknown_tokens: u32::from(usage.tokens.is_none()),
        unknown_money: u32::from(usage.millicents.is_none()),
        ..Spend::default()
    })
}

/// What a run has cost while a turn is under way, against its limit; nothing
/// where neither a cost nor a limit is known.
pub(super) fn so_far(spent: &Spend, used: &Usage, budget: &Budget) -> Option<String> {
    let of = |used: String, all: Option<String>| match all {
        Some(all) => format!("{used} of {all}"),
        None => used,
    };
    let money = spent.millicents.saturating_add(used.millicents.unwrap_or(0));
    if money > 0 || budget.millicents.is_some() {
        return Some(of(cents(money), budget.millicents.map(cents)));
    }
    let tokens = spent.tokens.saturating_add(used.tokens.unwrap_or(0));
    let told = tokens > 0 || budget.tokens.is_some();
    told.then(|| of(format!("{tokens}"), budget.tokens.map(|all| all.to_string())) + " tokens")
}

/// What one turn cost, in money where that is known; nothing where the agent
/// told nothing.
pub(super) fn brief(usage: &Usage) -> Option<String> {
    match (usage.millicents, usage.tokens) {
        (Some(money @ 1..), _) => Some(match usage.basis {
            Basis::Provider => cents(money),
            Basis::Estimate => format!("~{}", cents(money)),
        }),
        (Some(0) | None, Some(tokens @ 1..)) => Some(format!("{tokens} tokens")),
        (Some(0) | None, Some(0) | None) => None,
    }
}

/// How much of the limit that a run has reached it has used.
pub(super) fn used(run: &Run, limit: Limit) -> String {
    let (spend, budget) = (run.spend(), run.budget());
    let of = |used: String, all: Option<String>| match all {
        Some(all) => format!("{used} of {all}"),
        None => used,
    };
    match limit {
        Limit::Turns => format!("{} of {} turns", spend.turns, run.turn_limit()),
        Limit::Time => of(words::took(spend.time_ms), budget.time_ms.map(words::took)),
        Limit::Tokens => of(tokens(spend), budget.tokens.map(|all| all.to_string())),
        Limit::Money => of(money(spend), budget.millicents.map(dollars)),
    }
}

/// The same for programs.
pub(super) fn document(spend: &Spend) -> Value {
    let tokens = known(spend.tokens, spend.unknown_tokens).then_some(spend.tokens);
    let money = known(spend.millicents, spend.unknown_money)
        .then(|| object!({ "millicents": spend.millicents, "basis": spend.basis }));
    object!({
        "time_ms": spend.time_ms,
        "tokens": tokens,
        "calls_without_tokens": spend.unknown_tokens,
        "money": money,
        "calls_without_money": spend.unknown_money,
    })
}

/// Whether a sum says anything.
const fn known(sum: u64, unknown: u32) -> bool {
    sum > 0 || unknown == 0
}

fn tokens(spend: &Spend) -> String {
    match (known(spend.tokens, spend.unknown_tokens), spend.unknown_tokens) {
        (false, _) => "tokens unknown".to_owned(),
        (true, 0) => format!("{} tokens", spend.tokens),
        (true, calls) => format!("at least {} tokens, {calls} calls unknown", spend.tokens),
    }
}

/// Dollars to a hundredth of a cent, rounded up: what was spent is never
/// shown as less.
fn money(spend: &Spend) -> String {
    let dollars = match spend.basis {
        Basis::Provider => dollars(spend.millicents),
        Basis::Estimate => format!("~{}", dollars(spend.millicents)),
    };
    match (known(spend.millicents, spend.unknown_money), spend.unknown_money) {
        (false, _) => "money unknown".to_owned(),
        (true, 0) => dollars,
        (true, calls) => format!("at least {dollars}, {calls} calls unknown"),
    }
}

/// Dollars to a cent, rounded up: for what changes while one looks.
fn cents(millicents: u64) -> String {
    let cents = millicents.div_ceil(1000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

fn dollars(millicents: u64) -> String {
    let hundredths = millicents.div_ceil(10);
    format!("${}.{:04}", hundredths / 10_000, hundredths % 10_000)
}

#[cfg(test)]
mod tests {
    use super::{line, of_turn, told};
    use trueup_core::{
        budget::Spend,
        usage::{Basis, Usage},
    };

    #[test]
    fn money_is_told_with_whose_figure_it_is_and_unknown_as_unknown() {
        let mut spend = Spend::default();
        assert_eq!(line(&spend), None);
        (spend.tokens, spend.millicents) = (1200, 1230);
        assert_eq!(line(&spend).as_deref(), Some("1200 tokens · $0.0123"));
        spend.basis = Basis::Estimate;
        spend.millicents = 123_456;
        assert_eq!(line(&spend).as_deref(), Some("1200 tokens · ~$1.2346"));
        spend.unknown_money = 2;
        assert_eq!(
            line(&spend).as_deref(),
            Some("1200 tokens · at least ~$1.2346, 2 calls unknown")
        );
        spend.millicents = 0;
        assert_eq!(line(&spend).as_deref(), Some("1200 tokens · money unknown"));
    }

    #[test]
    fn where_something_has_to_be_said_unknown_is_not_nothing() {
        assert_eq!(told(&Spend::default()), "nothing: no turn ended");
        assert_eq!(of_turn(&Usage::default()), "unknown: the agent does not say");
        let usage = Usage {
            tokens: Some(1200),
            ..Usage::default()
        };
        assert_eq!(of_turn(&usage), "1200 tokens · money unknown");
    }
}
