//! Tests of goals that are run otherwise than checks run them.
//!
//! All other sabotage changes files. Here the tree stays as it is, and what is
//! around it changes, which no honest answer hangs on: code that knows how it
//! is run gives itself away.

use super::{
    replay::Replay,
    selection::tests_of,
    step::{Ask, Asked, Layout, On},
};
use crate::report::Test;
use std::collections::BTreeMap;
use trueup_core::{
    criterion::Check,
    judge::{RunOtherwise, Trial, here_only},
    objection::Objection,
};

/// How long it may take, a build included.
const PATIENCE_MS: u64 = 60_000;

/// What says of a place whose it is and what it is for, and what it says
/// elsewhere. Real tests do not hang on any of it.
const ELSEWHERE: [(&str, &str); 8] = [
    ("TZ", "Asia/Kathmandu"),
    ("LANG", "C.UTF-8"),
    ("HOSTNAME", "elsewhere"),
    ("TERM", "xterm-256color"),
    ("COLUMNS", "133"),
    ("LINES", "41"),
    ("SHELL", "/bin/sh"),
    ("CI", "true"),
];

/// Goals whose tests pass only where checks are run.
pub(super) fn otherwise(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let goals = replay.goals().into_iter();
    let goals = goals.map(|check| (check, tests_of(replay, check)));
    let goals: Vec<(&Check, Vec<&Test>)> = goals.filter(|(_, tests)| !tests.is_empty()).collect();
    if goals.is_empty() {
        return Ok(Vec::new());
    }
    let first = elsewhere(replay, "elsewhere")?;
    let mut tests = goals.iter().flat_map(|(_, tests)| tests);
    if !tests.any(|test| first.breaks(&test.id)) {
        return Ok(Vec::new());
    }
    let mut asked = Asked::default();
    let again = asked.note(elsewhere(replay, "elsewhere, again"));
    let as_usual = asked.note(replay.trial_selected("as usual", Layout::of(On::Tree, Vec::new())));
    let before = replay.subject.results_before();
    let base = match before.is_empty() {
        true => None,
        false => asked.note(on_base(replay)),
    };
    asked.all_known()?;
    let (Some(again), Some(as_usual)) = (again, as_usual) else {
        return Ok(Vec::new());
    };
    let ran = RunOtherwise {
        otherwise: [first, again],
        as_usual,
        base: base.map(|base| (&before, base)),
    };
    let told = goals.into_iter().filter_map(|(check, tests)| {
        let failing = tests.into_iter().map(|test| test.id.as_str());
        let failing: Vec<&str> = failing.filter(|id| ran.fails(id)).collect();
        (!failing.is_empty()).then(|| here_only(&check.id, &replay.trees.tree, &failing))
    });
    Ok(told.collect())
}

/// The tests of goals, where it looks like elsewhere.
fn elsewhere<'a>(replay: &Replay<'a>, name: &str) -> Result<&'a Trial, Ask> {
    replay.trial_selected(name, away(replay, On::Tree))
}

/// All tests of the base: those of goals may not be there to be selected.
fn on_base<'a>(replay: &Replay<'a>) -> Result<&'a Trial, Ask> {
    let name = "elsewhere, on the base".to_owned();
    let made = away(replay, On::Base);
    Ok(&replay.tried(Layout { name, ..made })?.trial)
}

/// A tree that looks as if it lay elsewhere.
fn away(replay: &Replay<'_>, on: On) -> Layout {
    // Who runs it there is nobody that code could know of.
    let user = format!("u{}", replay.learnt.word);
    let fixed = ELSEWHERE.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let named = ["USER", "LOGNAME"].map(|name| (name.to_owned(), user.clone()));
    Layout {
        variables: BTreeMap::from_iter(fixed.into_iter().chain(named)),
        patience_ms: Some(PATIENCE_MS),
        ..Layout::of(on, Vec::new())
    }
}
