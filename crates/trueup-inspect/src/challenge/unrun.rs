//! Which new tests a check runs at all, where it reports nothing.
//!
//! A check may run some of the tests only: one file, one package of several.
//! What it never runs is no matter of its own. Whether it runs a test is seen
//! by breaking that test.

use super::{
    derived::Fresh,
    replay::Replay,
    step::{Ask, Layout, On, Overlay},
};
use crate::{
    changes::Side,
    code::{self, Fault},
};
use std::collections::BTreeSet;

/// How many files are broken one by one.
const MOST_FILES: usize = 6;

/// Keeps the tests that the check runs, as far as that can be told.
pub(super) fn retain_run(replay: &Replay<'_>, fresh: &mut Vec<Fresh>) -> Result<(), Ask> {
    let paths: BTreeSet<String> = fresh.iter().filter_map(|test| test.path.clone()).collect();
    let all: Vec<&str> = paths.iter().map(String::as_str).collect();
    if stays_green(replay, fresh, &all)? {
        fresh.clear();
        return Ok(());
    }
    for path in all.iter().take(MOST_FILES) {
        if stays_green(replay, fresh, &[*path])? {
            fresh.retain(|test| test.path.as_deref() != Some(*path));
        }
    }
    Ok(())
}

/// Whether the check is green although every new test of these files is broken.
/// What cannot be broken is taken for run.
fn stays_green(replay: &Replay<'_>, fresh: &[Fresh], paths: &[&str]) -> Result<bool, Ask> {
    let runner = replay
        .subject
        .execution
        .kind
        .runner()
        .filter(|runner| runner.takes_canaries());
    let name = format!("new tests broken in {}", paths.join(", "));
    let laid = replay.attempt(&name, |word| {
        let token = format!("trueup_canary_{word}");
        let mut files = Vec::new();
        for path in paths {
            let mut text = replay.changed(path)?.text(Side::After)?.to_owned();
            for test in fresh.iter().filter(|test| test.path.as_deref() == Some(*path)) {
                text = code::break_test(path, &text, &test.id, &token)?;
            }
            // A test may be wrapped in something that swallows its failure; one
            // more in the same file is not.
            match runner.and_then(|runner| code::canary(runner, path, &text, word, Fault::of(runner).get(..1)?)) {
                Some(canary) if canary.path == *path => files.push(Overlay::text(path, canary.source)),
                Some(canary) => {
                    files.push(Overlay::text(path, text));
                    files.push(Overlay::text(&canary.path, canary.source));
                }
                None => files.push(Overlay::text(path, text)),
            }
        }
        Some(Layout {
            token,
            ..Layout::of(On::Tree, files)
        })
    })?;
    Ok(laid.is_some_and(|laid| matches!(laid.trial.ended, Ok(0))))
}
