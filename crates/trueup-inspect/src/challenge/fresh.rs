//! Tests that the base does not have.

use super::{derived::Fresh, replay::Replay};
use crate::{
    changes::{Side, TestItem, found_in, is_moved},
    code::Calls,
    report::Test,
    test_id::last_part,
};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Replay<'a> {
    /// The tests that the base does not have.
    pub(super) fn fresh(&self) -> &'a [Fresh] {
        self.subject.derived.fresh.get_or_init(|| fresh(self))
    }
}

/// The tests that ran now and are not on the base.
fn fresh(replay: &Replay<'_>) -> Vec<Fresh> {
    let (old, new) = replay.test_items();
    let files = replay.trees.files.iter();
    let read = files.filter_map(|file| Some((file.path.as_str(), Calls::read(&file.path, file.text(Side::After)?)?)));
    let read: BTreeMap<&str, Calls<'_>> = read.collect();
    let calls = |items: &[&TestItem]| {
        let of = |one: &&TestItem| Some(read.get(one.path.as_str())?.through(&one.item));
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
        Some(_) => before.lacks(&test.id),
        // Nothing is known of the base but its files.
        None => !found_in(test, new).is_empty() && found_in(test, old).is_empty(),
    };
    let fresh = now.that_ran().filter(is_fresh).filter(|test| !is_moved(test, old, new));
    let fresh = fresh.map(|test| {
        let mut calls: BTreeSet<String> = calls(&found_in(test, new));
        calls.extend(documents(&test.id));
        Fresh {
            id: test.id.clone(),
            path: None,
            calls,
        }
    });
    fresh.collect()
}

/// What an example in Rust's documentation is of: `src/lib.rs - Price::add (2)`.
fn documents(id: &str) -> Option<String> {
    let (_, of) = id.split_once(".rs - ")?;
    let of = of.split_once(" (").map_or(of, |(of, _)| of);
    Some(last_part(of).to_owned())
}
