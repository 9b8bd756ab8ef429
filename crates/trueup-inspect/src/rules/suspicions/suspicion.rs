//! What is told of a line.

use crate::rules::{catalogue::Rule, readers::Readers};
use trueup_core::rule::BrokenRule;

/// An added line that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    /// Its number in the new content, from 1.
    pub line: u32,
    /// The rules that it breaks, and at least one.
    pub breaks: Vec<Breach>,
    /// The programs that alone read the line, if they are known.
    pub readers: Option<Readers>,
}

/// How a line breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule, at its usual level.
    pub rule: BrokenRule,
    /// What the line does, and why that is suspicious.
    pub what: String,
}

/// How much of a line is shown.
const SHOWN: usize = 100;

/// A line with one rule that it breaks.
pub(super) struct Found {
    pub(super) line: u32,
    pub(super) breach: Breach,
}

impl Found {
    /// Says of a line what its rule says, and what to do about it.
    pub(super) fn of(line: u32, whole: &str, rule: &Rule) -> Self {
        let shown: String = whole.trim().chars().take(SHOWN).collect();
        Self::saying(line, format!("`{shown}` {}: take it out", rule.message), rule)
    }

    /// Says this of a line.
    pub(super) fn saying(line: u32, what: String, rule: &Rule) -> Self {
        let rule = rule.broken();
        Self {
            line,
            breach: Breach { rule, what },
        }
    }
}

/// Each line once, with all that it breaks.
pub(super) fn by_line(mut found: Vec<Found>) -> Vec<Suspicion> {
    found.sort_by_key(|one| one.line);
    let mut lines: Vec<Suspicion> = Vec::new();
    for Found { line, breach } in found {
        match lines.last_mut() {
            Some(last) if last.line == line => {
                if last.breaks.iter().all(|known| known.rule != breach.rule) {
                    last.breaks.push(breach);
                }
            }
            Some(_) | None => lines.push(Suspicion {
                line,
                breaks: vec![breach],
                readers: None,
            }),
        }
    }
    lines
}

/// The first characters of a text, as far as they are shown.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}
