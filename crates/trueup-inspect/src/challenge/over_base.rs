//! Tests that are new, over the code that was there before.
//!
//! A test that never failed proves nothing. One that passes there is tried
//! once more without the functions it names: it may speak of what was there.

use super::{
    cases::cases_of_old,
    derived::Fresh,
    functions_fail::functions_fail,
    replay::Replay,
    step::{Ask, Asked, Layout, On, Overlay},
    stubs::{Functions, Loss, stubs},
    unrun::retain_run,
};
use crate::{
    changes::{ChangedFile, Side, shifted_cases},
    code::{self, Language, Touched, is_test_path, with_tests_of},
    rules,
};
use std::collections::BTreeSet;
use trueup_core::{
    control::Reaction,
    criterion::Check,
    judge::{ControlResult, Trial},
    kind::Runner,
    test_results::listed,
};

/// How many files are looked through for functions.
const MOST_FILES: usize = 3000;

/// How many tests are run one by one.
const MOST_ALONE: usize = 3;

/// Which functions are taken away.
#[derive(Clone, Copy)]
enum Reach {
    /// Those that the tests call.
    Called,
    /// All.
    All,
}

/// New tests over the code that was there before; nothing where none is new.
pub(super) fn over_base(replay: &Replay<'_>) -> Result<Option<ControlResult>, Ask> {
    let mut fresh = replay.fresh().to_vec();
    let ids: Vec<String> = fresh.iter().map(|test| test.id.clone()).collect();
    let cases = cases_of_old(replay, &ids)?;
    fresh.retain(|test| !cases.contains(&test.id));
    if fresh.is_empty() {
        return Ok(None);
    }
    let trial = tests_over_base(replay)?;
    let by = listed(&ids_of(&fresh));
    if !trial.could_run() {
        let why = "the new tests could not be run over the code that was there before".to_owned();
        return Ok(Some(ControlResult::of(by, Reaction::Otherwise { why }, trial)));
    }
    fresh.retain(|test| !trial.fails(&test.id));
    if replay.subject.now.is_none() && !fresh.is_empty() {
        retain_run(replay, &mut fresh)?;
        if fresh.is_empty() {
            return Ok(None);
        }
    }
    let more_ms = retain_never_failed(replay, &mut fresh)?;
    let mut result = match fresh.is_empty() {
        true => ControlResult::of(by.clone(), Reaction::Red { by }, trial),
        false => ControlResult::of(listed(&ids_of(&fresh)), Reaction::Green, trial),
    };
    result.took_ms += more_ms;
    Ok(Some(result))
}

fn ids_of(fresh: &[Fresh]) -> Vec<String> {
    fresh.iter().map(|test| test.id.clone()).collect()
}

/// The tests as they are, over the code as it was.
pub(super) fn tests_over_base<'a>(replay: &Replay<'a>) -> Result<&'a Trial, Ask> {
    let files = replay.trees.files.iter().filter_map(laid_tests);
    replay.trial_alone("over base", Layout::of(On::Base, files.collect()))
}

/// What a goal that asks for tests of the run did over the base's code: one of
/// those tests must fail there, or they do not show the work.
pub(super) fn run_tests_over_base(replay: &Replay<'_>, check: &Check) -> Result<Option<ControlResult>, Ask> {
    let Some(own) = replay.subject.run_tests(check, &replay.trees.files) else {
        return Ok(None);
    };
    let trial = tests_over_base(replay)?;
    // Those that fail there come first: they are what a person has to look at.
    let failing = trial.failing_of(own);
    let (mut first, rest): (Vec<String>, Vec<String>) =
        own.ids().iter().cloned().partition(|id| failing.contains(&id.as_str()));
    first.extend(rest);
    let now = replay.subject.now.iter();
    let shifted = now.flat_map(|now| shifted_cases(own, now));
    let mut shown = failing.iter().copied().chain(shifted);
    let turned = match shown.find(|id| trial.reports_failed(id)) {
        Some(by) => Reaction::Red { by: by.to_owned() },
        None if !trial.could_run() => trial.reaction_of(&check.id),
        None if failing.is_empty() && !trial.leaves_out(own) => trial.reaction_of(&check.id),
        None => Reaction::Nothing {
            why: "on the base's code these tests do not load, and nothing that the run changed was seen to be missed"
                .to_owned(),
        },
    };
    Ok(Some(ControlResult::of(listed(&first), turned, trial)))
}

/// Keeps those that also pass without what they call, and says how long it took.
fn retain_never_failed(replay: &Replay<'_>, left: &mut Vec<Fresh>) -> Result<u64, Ask> {
    let mut took_ms = 0;
    if left.is_empty() {
        return Ok(took_ms);
    }
    // What a goal's controls try in any case may answer it. Tests that a loop
    // makes name nothing that they call, and where all is taken away the loop
    // itself may fail.
    if let Some(laid) = functions_fail(replay)? {
        left.retain(|test| !laid.trial.reports_failed(&test.id));
        if replay.goals().is_empty() {
            took_ms += laid.trial.took_ms;
        }
    }
    if left.is_empty() {
        return Ok(took_ms);
    }
    let calls: BTreeSet<String> = left.iter().flat_map(|test| test.calls.clone()).collect();
    let code = code_of(replay)?;
    // A test that asks for a failure is told apart by a default value. Where
    // a test goes through other programs, it names nothing that is known:
    // then all is taken away, and it must be the test itself that fails.
    let word = &replay.learnt.word;
    for (name, reach, loss) in [
        ("calls fail", Reach::Called, Loss::Fails(word)),
        ("calls give defaults", Reach::Called, Loss::Defaults),
        ("all fails", Reach::All, Loss::Fails(word)),
        ("all give defaults", Reach::All, Loss::Defaults),
    ] {
        let is_blind = matches!(reach, Reach::All) && replay.subject.now.is_none();
        if is_blind || left.is_empty() {
            continue;
        }
        let laid = replay.attempt_alone(name, |_| {
            let functions: Vec<_> = code.iter().filter_map(|file| reached(*file, reach, &calls)).collect();
            stubs(&functions, loss)
        })?;
        let Some(laid) = laid else { continue };
        took_ms += laid.trial.took_ms;
        left.retain(|test| match reach {
            Reach::Called => !laid.trial.fails(&test.id),
            Reach::All => !laid.trial.reports_failed(&test.id),
        });
    }
    Ok(took_ms + retain_never_failed_alone(replay, left, &code)?)
}

/// A panic of Go ends the process, and nobody hears of the tests behind it. So
/// those that are left are run one by one, where they are few.
fn retain_never_failed_alone(replay: &Replay<'_>, left: &mut Vec<Fresh>, code: &[(&str, &str)]) -> Result<u64, Ask> {
    let execution = replay.subject.execution;
    let runner = execution.kind.runner().filter(|runner| *runner == Runner::GoTest);
    let (Some(runner), Some(now)) = (runner, &replay.subject.now) else {
        return Ok(0);
    };
    if left.len() > MOST_ALONE {
        return Ok(0);
    }
    let (mut asked, mut took_ms, mut failed) = (Asked::default(), 0, BTreeSet::new());
    for test in left.iter() {
        let reported = now.tests.iter().find(|known| known.id == test.id);
        let argv = reported.and_then(|known| rules::selecting(runner, &execution.argv, &[known]));
        let Some(argv) = argv else { continue };
        let name = format!("all fails, {} alone", test.id);
        let tried = replay.attempt(&name, |word| {
            let all = code
                .iter()
                .filter_map(|file| reached(*file, Reach::All, &BTreeSet::new()));
            let made = stubs(&all.collect::<Vec<_>>(), Loss::Fails(word))?;
            Some(Layout {
                argv: Some(argv),
                ..made
            })
        });
        let Some(tried) = asked.note(tried).flatten() else {
            continue;
        };
        took_ms += tried.trial.took_ms;
        if tried.trial.reports_failed(&test.id) {
            failed.insert(test.id.clone());
        }
    }
    asked.all_known()?;
    left.retain(|test| !failed.contains(&test.id));
    Ok(took_ms)
}

/// The code of the tree that is no test.
fn code_of<'a>(replay: &Replay<'a>) -> Result<Vec<(&'a str, &'a str)>, Ask> {
    let paths = replay.trees.paths.iter();
    let code = paths.filter(|path| Language::of(path).is_some() && !is_test_path(path));
    replay.texts(code.take(MOST_FILES).cloned().collect())
}

/// The functions of a file that are to be taken away.
fn reached((path, text): (&str, &str), reach: Reach, calls: &BTreeSet<String>) -> Option<Functions> {
    if matches!(reach, Reach::Called) && !calls.iter().any(|name| text.contains(name.as_str())) {
        return None;
    }
    let is_reached = |name: &str| match reach {
        // A class is reached by its own name, through its methods.
        Reach::Called => name.split([':', '.']).any(|part| calls.contains(part)),
        Reach::All => true,
    };
    let items = code::items(path, text)?.into_iter();
    let names: Vec<String> = items
        .filter(|item| item.sort == code::ItemKind::Function && is_reached(&item.name))
        .map(|item| item.name)
        .collect();
    (!names.is_empty()).then(|| Functions {
        path: path.to_owned(),
        text: text.to_owned(),
        names,
    })
}

/// What of a file's tests is laid over the base's code.
pub(super) fn laid_tests(file: &ChangedFile) -> Option<Overlay> {
    if is_test_path(&file.path) {
        return Some(Overlay::of(file, Side::After));
    }
    let (before, after) = (file.text(Side::Before), file.text(Side::After));
    match code::touched(&file.path, before, after) {
        Touched::Tests | Touched::Both => {
            let made = with_tests_of(&file.path, before, after)?;
            Some(Overlay::text(&file.path, made))
        }
        Touched::Code | Touched::Nothing => None,
    }
}
