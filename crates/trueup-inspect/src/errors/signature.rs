//! A name by which an error is known again.

use super::{lines::ErrorLines, normal::normal};
use std::collections::BTreeSet;
use trueup_core::signature::Signature;

/// How much of what the lines say the name is made from.
const CHARACTERS: usize = 200;

/// How much of one line, so that the first does not crowd out all others.
const OF_ONE: usize = 100;

/// The signature of the error that a red check printed to its two streams;
/// nothing where no line tells of an error.
pub fn signature(printed: [&[u8]; 2]) -> Option<Signature> {
    let lines = ErrorLines::of(printed);
    if lines.is_empty() {
        return None;
    }
    let short = |line: &str| normal(line).chars().take(OF_ONE).collect::<String>();
    let said: BTreeSet<String> = lines.telling().into_iter().map(short).collect();
    let all: Vec<String> = said.into_iter().collect();
    let first: String = all.join("\n").chars().take(CHARACTERS).collect();
    Some(Signature::of(&first))
}
