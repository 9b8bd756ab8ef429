//! Markers that silence a test or a finding.

use super::{
    catalogue::{Catalogue, MarkerPlace, Rule, Silences},
    source::{Family, lines},
};
use crate::code::{self, Item, ItemKind, is_test_path};
use std::collections::BTreeMap;

/// How often each marker stands in a file, since it was another: a new test
/// that is left out somewhere silences nothing that was there.
pub fn suppressions_since<'r>(
    rules: &'r Catalogue,
    path: &str,
    before: Option<&str>,
    after: &str,
) -> BTreeMap<&'r str, usize> {
    let mut found = suppressions(rules, path, after);
    let spared = |marker: &str| silences_one_test(rules, path, marker);
    if found.keys().any(|marker| spared(marker)) {
        let kept = suppressions(rules, path, &without_new_tests(path, before, after));
        found.retain(|marker, number| {
            if spared(marker) {
                *number = kept.get(marker).copied().unwrap_or_default();
            }
            *number > 0
        });
    }
    found
}

/// A file without tests that it did not hold before, by name or by body.
fn without_new_tests(path: &str, before: Option<&str>, after: &str) -> String {
    let tests = |text: &str| -> Vec<Item> {
        let items = code::items(path, text).unwrap_or_default().into_iter();
        items.filter(|item| item.sort == ItemKind::Test).collect()
    };
    let old_text = before.unwrap_or_default();
    let old: Vec<Item> = tests(old_text);
    let is_old = |item: &Item| {
        let key = code::body_key(after, item);
        old.iter()
            .any(|old| old.name == item.name || code::body_key(old_text, old) == key)
    };
    let mut rest = after.to_owned();
    for item in tests(after).into_iter().rev().filter(|item| !is_old(item)) {
        if rest.get(item.span.clone()).is_some() {
            rest.replace_range(item.span, "");
        }
    }
    rest
}

/// How often each marker that silences a test or a finding stands in a file.
pub fn suppressions<'r>(rules: &'r Catalogue, path: &str, text: &str) -> BTreeMap<&'r str, usize> {
    let mut found = BTreeMap::new();
    let Some(family) = Family::of(path) else { return found };
    let is_test = is_test_path(path);
    let lines = lines(family, text);
    for (_, marker) in rules.markers(family) {
        if marker.place == MarkerPlace::Tests && !is_test {
            continue;
        }
        let count = marker.count(&lines);
        if count > 0 {
            found.insert(marker.name.as_str(), count);
        }
    }
    found
}

/// The rule about a marker in a file.
pub fn silencing<'r>(rules: &'r Catalogue, path: &str, marker: &str) -> Option<&'r Rule> {
    let mut rules = rules.markers(Family::of(path)?);
    rules.find(|(_, known)| known.name == marker).map(|(rule, _)| rule)
}

/// Whether a marker leaves out the test in which it stands, and no other.
fn silences_one_test(rules: &Catalogue, path: &str, marker: &str) -> bool {
    let family = Family::of(path);
    let mut rules = family.into_iter().flat_map(|family| rules.markers(family));
    rules.any(|(_, known)| known.name == marker && known.silences == Silences::OneTest)
}
