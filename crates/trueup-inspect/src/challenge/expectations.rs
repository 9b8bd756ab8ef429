//! Tests of goals that expect something else than they did.
//!
//! All other sabotage takes the work away. Here the work stays, and what it is
//! compared with is changed: a test that looks at the answer fails. One that
//! does not would take any answer, as where an object says that it equals
//! everything.

use super::{
    homes::{Home, homes},
    places,
    replay::Replay,
    selection::{openly, tests_of},
    step::{Ask, Layout, On, Overlay},
};
use crate::{
    changes::is_called,
    code::{self, Comparing, OtherExpectations},
    report::Test,
    test_id::without_parameters,
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
    home: Home<'a>,
    other: OtherExpectations,
}

impl ExpectingFile<'_> {
    fn changed(&self, test: &Test) -> bool {
        let is_it = |name: &String| is_called(&test.id, name);
        self.home.tests.iter().any(|here| here.id == test.id) && self.other.tests.iter().any(is_it)
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
    let texts = replay.texts(places::wanted(replay.trees, runner))?;
    let files: Vec<ExpectingFile<'_>> = homes(&texts, &tests)
        .into_iter()
        .filter_map(|home| expecting(home, &texts))
        .collect();
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let overlays = files.iter();
    let overlays = overlays.map(|file| Overlay::text(file.home.path, file.other.source.clone()));
    let made = Layout {
        patience_ms: Some(PATIENCE_MS),
        ..Layout::of(On::Tree, overlays.collect())
    };
    let trial = replay.trial_selected("other expectations", made)?;
    let unmoved = goals.into_iter().filter_map(|(check, tests)| {
        let changed = tests
            .into_iter()
            .filter(|test| files.iter().any(|file| file.changed(test)));
        let passing = passing(trial, changed.map(|test| without_parameters(&test.id)).collect())?;
        Some(any_answer(&check.id, &replay.trees.tree, openly(check, &passing)))
    });
    Ok(unmoved.collect())
}

/// A file with what its tests expect changed, if they say that.
fn expecting<'a>(home: Home<'a>, texts: &[(&str, &str)]) -> Option<ExpectingFile<'a>> {
    let is_meant = |name: &str| home.tests.iter().any(|test| is_called(&test.id, name));
    let comparing = Comparing::of(home.path, home.text, texts);
    let other = code::other_expectations(home.path, home.text, &comparing, is_meant)?;
    Some(ExpectingFile { home, other })
}

/// These tests, if all that is told of them is that they pass. Their cases may
/// be called after what is expected, and have another name here.
fn passing<'a>(trial: &Trial, tests: BTreeSet<&'a str>) -> Option<Vec<&'a str>> {
    let told = |outcome: TestOutcome| {
        let mut of = trial.tests.iter().filter(move |test| test.outcome == outcome);
        of.any(|test| tests.contains(without_parameters(&test.id)))
    };
    let is_unmoved = trial.ended.is_ok() && told(TestOutcome::Passed) && !told(TestOutcome::Failed);
    is_unmoved.then(|| tests.into_iter().collect())
}
