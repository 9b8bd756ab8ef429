//! What a person changed in a task file or an agent's table, field by field.

use super::words::harmless;
use trueup_core::difference::Difference;

/// How many lines are shown of one field.
const MOST: usize = 10;

/// Each difference on lines of its own, below what stands before.
pub(crate) fn differences(differences: &[Difference]) -> String {
    differences
        .iter()
        .flat_map(lines)
        .map(|line| format!("\n  {line}"))
        .collect()
}

fn lines(difference: &Difference) -> Vec<String> {
    let Difference { field, was, now } = difference;
    let sides = [("-", was), ("+", now)];
    let told = sides.into_iter().flat_map(|(sign, text)| {
        let shown = text.lines().take(MOST);
        let shown = shown.map(move |line| format!("{field}: {sign} {}", harmless(line)));
        let left = text.lines().count().saturating_sub(MOST);
        let more = (left > 0).then(|| format!("{field}: {sign} and {left} lines more"));
        shown.chain(more)
    });
    told.collect()
}
