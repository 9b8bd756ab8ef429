//! Failing tests of random name, laid where a check selects.

use super::{
    derived::TestFile,
    replay::Replay,
    step::{Ask, Layout, On, Overlay},
};
use crate::code::{self, Fault};
use trueup_core::{
    control::Reaction,
    judge::{ControlResult, better},
    kind::Runner,
    test_results::listed,
};

/// How many tests of a file are broken at once, where none is known to run.
const MOST_BROKEN: usize = 500;

/// Lays failing tests and sees whether the check turns red by them. Where they
/// are not selected, a test that is gets broken instead.
pub(super) fn canary(replay: &Replay<'_>) -> Result<ControlResult, Ask> {
    let runner = replay.subject.execution.kind.runner();
    let Some(runner) = runner.filter(|runner| runner.takes_canaries()) else {
        let why = "nobody knows how to lay a failing test for this runner".to_owned();
        return Ok(ControlResult::untried(Reaction::Nothing { why }));
    };
    let places = replay.places(runner)?;
    let mut best: Option<ControlResult> = None;
    for (nth, place) in places.iter().enumerate() {
        best = match laid(replay, runner, place)? {
            Laid::Tried(tried) => better(best, Some(tried)),
            // It ran where the check looks, and whoever broke another test would see less.
            Laid::Passed(tried) => return Ok(tried),
            Laid::Not => best,
        };
        if nth == 0 && !best.as_ref().is_some_and(ControlResult::is_red) {
            best = better(best, broken(replay, places)?);
        }
        if best.as_ref().is_some_and(ControlResult::is_red) {
            break;
        }
    }
    Ok(best.unwrap_or_else(|| {
        let why = "there is no file of tests in which a failing one could be laid".to_owned();
        ControlResult::untried(Reaction::NotLaid { why })
    }))
}

/// What came of new tests in one place.
enum Laid {
    /// None could be written there.
    Not,
    /// This.
    Tried(ControlResult),
    /// One ran and is said to have passed.
    Passed(ControlResult),
}

/// New tests that fail, in or beside this file: by the runner's own assertions,
/// which something may have replaced, and by a failure of their own. Where a
/// runner ends with the first failure, what it left is laid again.
fn laid(replay: &Replay<'_>, runner: Runner, place: &TestFile) -> Result<Laid, Ask> {
    let reports = replay
        .subject
        .last_report()
        .is_some_and(|report| !report.tests.is_empty());
    let mut faults = Fault::of(runner).to_vec();
    if !reports {
        faults.truncate(1);
    }
    let mut took_ms = 0;
    // Where nothing is told, one that throws shows whether the other was run.
    let mut silent: Option<ControlResult> = None;
    for round in 0.. {
        let laid = replay.attempt(&format!("canary {round} in {}", place.path), |word| {
            let canary = match replay.subject.runs_examples() {
                true => code::example_canary(&place.path, &place.text, word, &faults)?,
                false => code::canary(runner, &place.path, &place.text, word, &faults)?,
            };
            let files = vec![Overlay::text(&canary.path, canary.source)];
            Some(Layout {
                token: canary.name,
                about: canary.tests,
                ..Layout::of(On::Tree, files)
            })
        })?;
        let Some(laid) = laid else { break };
        let (trial, tests) = (&laid.trial, &laid.layout.about);
        took_ms += trial.took_ms;
        let path = laid.layout.files.first().map_or("", |file| &file.path);
        let told = |turned, name: &str| ControlResult {
            took_ms,
            ..ControlResult::of(format!("{name} in {path}"), turned, trial)
        };
        if let Some(test) = tests.iter().find(|test| trial.has_passed(test)) {
            return Ok(Laid::Passed(told(Reaction::Green, test)));
        }
        let turned = trial.reaction_to(&laid.layout.token, &[]);
        if !reports && turned == Reaction::Green && silent.is_none() {
            silent = Some(told(turned, &laid.layout.token));
            faults = vec![Fault::Thrown];
            continue;
        }
        if let (Some(silent), Reaction::Red { .. }) = (&silent, &turned) {
            return Ok(Laid::Passed(silent.clone()));
        }
        let is_left = |(_, test): &(&Fault, &String)| !trial.failed().any(|failed| failed.id.contains(test.as_str()));
        let left: Vec<Fault> = faults
            .iter()
            .zip(tests)
            .filter(is_left)
            .map(|(fault, _)| *fault)
            .collect();
        let goes_on = matches!(turned, Reaction::Red { .. }) && reports && left.len() < faults.len();
        if left.is_empty() || !goes_on {
            return Ok(Laid::Tried(told(turned, &laid.layout.token)));
        }
        faults = left;
    }
    Ok(Laid::Not)
}

/// Tests that are there, made to fail: for checks that select single ones.
fn broken(replay: &Replay<'_>, places: &[TestFile]) -> Result<Option<ControlResult>, Ask> {
    let laid = replay.attempt("broken tests", |word| {
        let token = format!("trueup_canary_{word}");
        let (mut files, mut about) = (Vec::new(), Vec::new());
        for place in places {
            let (text, broken) = broken_in(place, &token);
            if !broken.is_empty() {
                files.push(Overlay::text(&place.path, text));
                about.extend(broken);
            }
        }
        let layout = Layout {
            token,
            about,
            ..Layout::of(On::Tree, files)
        };
        (!layout.files.is_empty()).then_some(layout)
    })?;
    Ok(laid.map(|laid| {
        let (token, names) = (&laid.layout.token, &laid.layout.about);
        let about = format!("{token} in {}", listed(names));
        ControlResult::of(about, laid.trial.reaction_to(token, names), &laid.trial)
    }))
}

/// A file whose tests fail, those that passed first; and these tests.
fn broken_in(place: &TestFile, token: &str) -> (String, Vec<String>) {
    let known = match place.passed.is_empty() {
        true => &place.tests,
        false => &place.passed,
    };
    let (mut text, mut broken) = (place.text.clone(), Vec::new());
    for test in known.iter().take(MOST_BROKEN) {
        if let Some(made) = code::break_test(&place.path, &text, test, token) {
            text = made;
            broken.push(test.clone());
        }
    }
    (text, broken)
}
