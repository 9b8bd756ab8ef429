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
    changes::{is_called, lies_elsewhere, lies_in},
    code::{self, ItemKind, OtherExpectations},
    report::Test,
    test_id::{last_part, without_parameters},
};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{
    criterion::Check,
    judge::{Trial, any_answer},
    objection::Objection,
    test_results::TestOutcome,
};

/// How long they may take, a build included. A comparison that fails may be
/// told at great length.
const PATIENCE_MS: u64 = 60_000;

/// A file that tests of goals lie in.
struct Home<'a> {
    path: &'a str,
    text: &'a str,
    tests: Vec<&'a Test>,
}

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
    let files: Vec<ExpectingFile<'_>> = homes(&texts, &tests).into_iter().filter_map(expecting).collect();
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

/// The files in which these tests lie. One of which nobody knows in which of
/// several files it lies is in none of them.
fn homes<'a>(texts: &[(&'a str, &'a str)], tests: &[&'a Test]) -> Vec<Home<'a>> {
    let mut homes: Vec<Home<'a>> = Vec::new();
    for (path, text) in texts {
        let named = tests.iter().filter(|test| !lies_elsewhere(test, path));
        let named: Vec<&'a Test> = named
            .filter(|test| text.contains(last_part(without_parameters(&test.id))))
            .copied()
            .collect();
        if named.is_empty() {
            continue;
        }
        let items = code::items(path, text).unwrap_or_default();
        let is_here = |test: &&Test| {
            let mut items = items.iter().filter(|item| item.sort == ItemKind::Test);
            items.any(|item| is_called(&test.id, &item.name))
        };
        let tests = named.into_iter().filter(is_here).collect();
        homes.push(Home { path, text, tests });
    }
    let at_home = |test: &Test| -> Vec<&'a str> {
        let all = homes
            .iter()
            .filter(|home| home.tests.iter().any(|here| here.id == test.id));
        let all: Vec<&'a str> = all.map(|home| home.path).collect();
        let told: Vec<&'a str> = all.iter().copied().filter(|path| lies_in(test, path)).collect();
        if told.is_empty() { all } else { told }
    };
    let known: BTreeMap<&str, &'a str> = tests
        .iter()
        .filter_map(|test| match at_home(test).as_slice() {
            [only] => Some((test.id.as_str(), *only)),
            _ => None,
        })
        .collect();
    for home in &mut homes {
        home.tests
            .retain(|test| known.get(test.id.as_str()) == Some(&home.path));
    }
    homes.retain(|home| !home.tests.is_empty());
    homes
}

/// A file with what its tests expect changed, if they say that.
fn expecting(home: Home<'_>) -> Option<ExpectingFile<'_>> {
    let is_meant = |name: &str| home.tests.iter().any(|test| is_called(&test.id, name));
    let other = code::other_expectations(home.path, home.text, is_meant)?;
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
