//! Tests that the base does not have.

use super::replay::Replay;
use crate::{
    changes::{Side, TestItem, found_in, is_moved},
    code,
    report::Test,
};
use std::collections::BTreeSet;

/// A test that the base does not have.
pub(super) struct Fresh {
    /// Its id, or its name where nothing was reported.
    pub(super) id: String,
    /// The file it was found in, where nothing was reported.
    pub(super) path: Option<String>,
    /// The names it calls.
    pub(super) calls: BTreeSet<String>,
}

/// The tests that ran now and are not on the base.
pub(super) fn fresh(replay: &Replay<'_>) -> Vec<Fresh> {
    let (old, new) = replay.test_items();
    let calls = |items: &[&TestItem]| {
        let text = |path: &str| replay.changed(path)?.text(Side::After);
        let of = |one: &&TestItem| Some(code::names_through(&one.path, text(&one.path)?, &one.item));
        items.iter().filter_map(of).flatten().collect()
    };
    if replay.subject.now.is_none() {
        let is_old = |one: &TestItem| {
            old.iter()
                .any(|old| old.item.name == one.item.name || old.key == one.key)
        };
        let fresh = new.iter().filter(|one| !is_old(one));
        let fresh = fresh.map(|one| Fresh {
            id: one.item.name.clone(),
            path: Some(one.path.clone()),
            calls: calls(&[one]),
        });
        return fresh.collect();
    }
    let (before, now) = replay.reported();
    let is_fresh = |test: &&Test| match &replay.subject.before {
        Some(_) => before.outcome(&test.id).is_none(),
        // Nothing is known of the base but its files.
        None => !found_in(test, &new).is_empty() && found_in(test, &old).is_empty(),
    };
    let fresh = now
        .that_ran()
        .filter(is_fresh)
        .filter(|test| !is_moved(test, &old, &new));
    let fresh = fresh.map(|test| Fresh {
        id: test.id.clone(),
        path: None,
        calls: calls(&found_in(test, &new)),
    });
    fresh.collect()
}
