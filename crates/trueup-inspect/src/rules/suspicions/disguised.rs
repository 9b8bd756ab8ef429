//! Lines that the machine reads otherwise than people do.
//!
//! What every rule looks at is the text as it is shown. It is not what runs
//! where a character ends a line that nobody sees end, where a name is spelled
//! in letters that only look like others, or where the whole file is written in
//! an encoding of its own.

use super::suspicion::{Found, shown};
use crate::code;
use crate::rules::{
    catalogue::{Detector, catalogue},
    pattern::Pattern,
    source::{Family, lines},
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Where Python looks for the encoding of a file.
static ENCODING: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+"));

/// Encodings in which every character that code is written in stands for itself.
static PLAIN_ENCODING: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"(?i)coding[:=][ \t]*(?:utf[-_]?8|ascii|us-ascii|latin[-_]?1|iso-?8859-?15?|cp125\d)(?:[^-\w.]|$)")
});

/// Lines that are new, and read otherwise than they look.
pub(super) fn disguised(path: &str, family: Family, before: &str, after: &str) -> Vec<Found> {
    let mut old: BTreeMap<&str, usize> = BTreeMap::new();
    for line in before.split('\n') {
        *old.entry(line).or_default() += 1;
    }
    let escaped = if family == Family::Script {
        code::escaped_names(path, after)
    } else {
        BTreeSet::new()
    };
    let found = after.split('\n').zip(lines(family, after)).zip(1_u32..);
    let new = found.filter(|((raw, _), _)| match old.get_mut(raw) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        Some(_) | None => true,
    });
    let judged = new.filter_map(|((raw, line), number)| {
        let rule = catalogue().detector(disguise(family, (raw, number), &line.code, &escaped)?);
        Some(Found::saying(
            number,
            format!("`{}` {}", shown(raw.trim()), rule.message),
            rule,
        ))
    });
    judged.collect()
}

/// How a line looks otherwise than it reads.
fn disguise(family: Family, (raw, number): (&str, u32), code: &str, escaped: &BTreeSet<u32>) -> Option<Detector> {
    let is_separator = |c: char| matches!(c, '\u{2028}' | '\u{2029}') && family == Family::Script;
    let inside = raw.strip_suffix('\r').unwrap_or(raw);
    if inside.contains(|c| c == '\r' || is_separator(c)) {
        return Some(Detector::HiddenLineEnd);
    }
    if raw.contains(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')) {
        return Some(Detector::ReorderedText);
    }
    if escaped.contains(&number) || family == Family::Python && code.contains(is_look_alike) {
        return Some(Detector::DisguisedName);
    }
    let is_encoded = family == Family::Python && number <= 2 && ENCODING.fits(raw) && !PLAIN_ENCODING.fits(raw);
    is_encoded.then_some(Detector::Encoding)
}

/// Whether Python reads a letter or a digit of a name as another one, which is
/// plain.
const fn is_look_alike(c: char) -> bool {
    matches!(c,
        '\u{aa}' | '\u{ba}' | '\u{132}'..='\u{133}' | '\u{17f}' | '\u{1c4}'..='\u{1cc}' | '\u{1f1}'..='\u{1f3}'
        | '\u{2b0}'..='\u{2b8}' | '\u{2e0}'..='\u{2e3}' | '\u{1d2c}'..='\u{1d6a}' | '\u{2070}'..='\u{209c}'
        | '\u{2100}'..='\u{214f}' | '\u{2160}'..='\u{217f}' | '\u{2c7c}'..='\u{2c7d}' | '\u{fb00}'..='\u{fb06}'
        | '\u{ff10}'..='\u{ff5a}' | '\u{1d400}'..='\u{1d7ff}')
}
