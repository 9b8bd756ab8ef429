//! The files that tests of goals lie in.

use crate::{
    changes::{TestItem, found_in, lies_elsewhere, tests_in},
    report::Test,
    test_id::{last_part, without_parameters},
};
use std::collections::{BTreeMap, BTreeSet};

/// A file that tests of goals lie in.
pub(super) struct Home<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) tests: Vec<&'a Test>,
}

/// The files in which these tests lie. One of which nobody knows in which of
/// several files it lies is in none of them.
pub(super) fn homes<'a>(texts: &[(&'a str, &'a str)], tests: &[&'a Test]) -> Vec<Home<'a>> {
    let names = tests.iter().map(|test| last_part(without_parameters(&test.id)));
    let names: BTreeSet<&str> = names.collect();
    let named = texts
        .iter()
        .filter(|(_, text)| names.iter().any(|name| text.contains(name)));
    let items: Vec<TestItem> = named.flat_map(|(path, text)| tests_in(path, text)).collect();
    let mut lie_in: BTreeMap<&str, Vec<&'a Test>> = BTreeMap::new();
    for test in tests {
        let found = found_in(test, &items).into_iter().map(|one| one.path.as_str());
        let paths: BTreeSet<&str> = found.filter(|path| !lies_elsewhere(test, path)).collect();
        let mut paths = paths.into_iter();
        if let (Some(only), None) = (paths.next(), paths.next()) {
            lie_in.entry(only).or_default().push(test);
        }
    }
    let home = |(path, text): &(&'a str, &'a str)| {
        let tests = lie_in.remove(path)?;
        Some(Home { path, text, tests })
    };
    texts.iter().filter_map(home).collect()
}
