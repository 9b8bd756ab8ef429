//! What a run has cost, in words and as JSON. Unknown is never zero.

use serde_json::{Value, json as object};
use trueup_core::{budget::Spend, usage::Basis};

/// Tokens and money for people; nothing where no agent ever told either.
pub(super) fn line(spend: &Spend) -> Option<String> {
    let told = spend.tokens > 0 || spend.millicents > 0;
    told.then(|| format!("{} · {}", tokens(spend), money(spend)))
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
    let hundredths = spend.millicents.div_ceil(10);
    let dollars = format!("${}.{:04}", hundredths / 10_000, hundredths % 10_000);
    let dollars = match spend.basis {
        Basis::Provider => dollars,
        Basis::Estimate => format!("~{dollars}"),
    };
    match (known(spend.millicents, spend.unknown_money), spend.unknown_money) {
        (false, _) => "money unknown".to_owned(),
        (true, 0) => dollars,
        (true, calls) => format!("at least {dollars}, {calls} calls unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::line;
    use trueup_core::{budget::Spend, usage::Basis};

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
}
