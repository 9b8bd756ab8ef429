//! Tests of goals that expect something else than they did.
//!
//! All other sabotage takes the work away. Here the work stays, and what it is
//! compared with is changed: a test that looks at the answer fails. One that
//! does not would take any answer, as where an object says that it equals
//! everything.

use super::{
    places,
    replay::Replay,
    selection::asked,
    step::{Ask, Layout, On, Overlay},
};
use crate::{
    changes::{is_called, lies_elsewhere},
    code::{self, OtherExpectations},
    report::Test,
    test_id::{last_part, without_parameters},
};
use std::collections::BTreeSet;
use trueup_core::{
    criterion::Check,
    judge::{Trial, any_answer},
    objection::Objection,
    test_results::TestOutcome,
};

/// How long they may take, a build included. A comparison that fails may be
/// told at great length.
const PATIENCE_MS: u64 = 60_000;

/// A file whose tests expect something else.
struct ExpectingFile<'a> {
    path: &'a str,
    other: OtherExpectations,
}

impl ExpectingFile<'_> {
    fn holds(&self, test: &Test) -> bool {
        let is_it = |name: &String| is_called(&test.id, name);
        !lies_elsewhere(test, self.path) && self.other.tests.iter().any(is_it)
    }
}

/// Goals whose tests pass although they expect something else.
pub(super) fn expectations(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let goals = replay.goals().into_iter();
    let goals: Vec<(&Check, Vec<&Test>)> = goals.map(|check| (check, tests_of(replay, check))).collect();
    let tests: Vec<&Test> = goals.iter().flat_map(|(_, tests)| tests).copied().collect();
    let Some(runner) = replay.subject.execution.kind.runner().filter(|_| !tests.is_empty()) else {
        return Ok(Vec::new());
    };
    let texts = replay.texts(places::wanted(replay.trees, runner))?.into_iter();
    let files: Vec<ExpectingFile<'_>> = texts.filter_map(|(path, text)| file(path, text, &tests)).collect();
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let overlays = files.iter();
    let overlays = overlays.map(|file| Overlay::text(file.path, file.other.source.clone()));
    let made = Layout {
        patience_ms: Some(PATIENCE_MS),
        ..Layout::of(On::Tree, overlays.collect())
    };
    let trial = replay.trial_selected("other expectations", made)?;
    let unmoved = goals.into_iter().filter_map(|(check, tests)| {
        let changed = tests
            .into_iter()
            .filter(|test| files.iter().any(|file| file.holds(test)));
        let passing = passing(trial, changed.map(|test| without_parameters(&test.id)).collect())?;
        Some(any_answer(&check.id, &replay.trees.tree, &passing))
    });
    Ok(unmoved.collect())
}

/// The tests that make a goal, of those that pass: the ones it asks for; where
/// it names none, those that failed before or are new.
fn tests_of<'a>(replay: &Replay<'a>, check: &Check) -> Vec<&'a Test> {
    let Some(now) = &replay.subject.now else {
        return Vec::new();
    };
    let ids: BTreeSet<String> = asked(replay, check).map_or_else(
        || {
            let new = replay.fresh().iter().map(|test| test.id.clone());
            replay.subject.mended().into_iter().chain(new).collect()
        },
        |ids| ids.into_iter().collect(),
    );
    let passed = now.tests.iter().filter(|test| test.outcome == TestOutcome::Passed);
    passed.filter(|test| ids.contains(&test.id)).collect()
}

/// A file with what these tests expect changed, if it holds any of them.
fn file<'a>(path: &'a str, text: &str, tests: &[&Test]) -> Option<ExpectingFile<'a>> {
    let here = tests.iter().filter(|test| !lies_elsewhere(test, path));
    let here: Vec<&Test> = here
        .filter(|test| text.contains(last_part(without_parameters(&test.id))))
        .copied()
        .collect();
    if here.is_empty() {
        return None;
    }
    let other = code::other_expectations(path, text, |name| here.iter().any(|test| is_called(&test.id, name)))?;
    Some(ExpectingFile { path, other })
}

/// These tests, if all that is told of them is that they pass. Their cases may
/// be called after what is expected, and have another name here.
fn passing<'a>(trial: &Trial, tests: BTreeSet<&'a str>) -> Option<Vec<&'a str>> {
    let told = |outcome: TestOutcome| {
        let mut of = trial.tests.iter().filter(move |test| test.outcome == outcome);
        of.any(|test| tests.contains(without_parameters(&test.id)))
    };
    let is_unmoved = told(TestOutcome::Passed) && !told(TestOutcome::Failed);
    is_unmoved.then(|| tests.into_iter().collect())
}
