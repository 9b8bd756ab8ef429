//! Functions that the run changed give a default value.
//!
//! A goal that stays green then looks at nothing, unless a default value is
//! what it asks for. That is seen by a wrong one.

use super::{
    as_before::as_before,
    derived::Work,
    replay::Replay,
    step::Ask,
    stubs::{Functions, Loss, stubs},
};
use crate::{
    changes::is_meant,
    code::{Calls, Item, ItemKind},
};
use std::collections::BTreeSet;
use trueup_core::{
    control::Reaction,
    criterion::Check,
    judge::{ControlResult, Trial},
    test_results::{TestOutcome, listed},
};

/// How many functions are taken away one by one.
const MOST_ALONE: usize = 8;

/// What the run changed gives a default value: one after the other of the
/// functions that a goal's tests call, until one is missed. All at once, a
/// comparison that says yes to everything would itself say no. Nothing where
/// no function can be taken away.
pub(super) fn defaulting(replay: &Replay<'_>, work: &Work, check: &Check) -> Result<Option<ControlResult>, Ask> {
    let calls = calls(replay, check)?;
    let functions = work.functions.iter();
    let alone = functions
        .flat_map(|functions| functions.called_alone(&calls))
        .map(|one| vec![one]);
    let mut green: Vec<Vec<Functions>> = Vec::new();
    let mut best: Option<ControlResult> = None;
    for step in alone {
        if green.len() == MOST_ALONE {
            break;
        }
        if let Some(one) = one_more(replay, work, check, &step, best.as_ref())? {
            if one.turned != Reaction::Green {
                return Ok(Some(one));
            }
            green.push(step);
            best = Some(one);
        }
    }
    if best.is_none() {
        best = one_more(replay, work, check, &work.functions, None)?;
        green.push(work.functions.clone());
    }
    match best {
        Some(best) if best.turned == Reaction::Green => mistaken(replay, work, check, &green, best).map(Some),
        best => Ok(best),
    }
}

/// What a goal does when these functions too give a default value.
fn one_more(
    replay: &Replay<'_>,
    work: &Work,
    check: &Check,
    step: &[Functions],
    before: Option<&ControlResult>,
) -> Result<Option<ControlResult>, Ask> {
    let Some(laid) = replay.attempt_alone(&name_of("defaults", step), |_| stubs(step, Loss::Defaults))? else {
        return Ok(None);
    };
    let turned = work.missed(replay, check, &laid.trial)?;
    let mut one = ControlResult::of(listed(&laid.layout.about), turned, &laid.trial);
    if let Some(before) = before {
        one.took_ms += before.took_ms;
        if one.turned == Reaction::Green {
            one.about = format!("{}, {}", before.about, one.about);
        }
    }
    Ok(Some(one))
}

/// A goal that was green is one that asks for the default value, if it misses
/// what the functions did before, if other tests miss the default, so that no
/// empty function would have done, and if it fails at a wrong value.
fn mistaken(
    replay: &Replay<'_>,
    work: &Work,
    check: &Check,
    green: &[Vec<Functions>],
    mut best: ControlResult,
) -> Result<ControlResult, Ask> {
    let as_before = as_before(replay, work, check)?;
    if !as_before.is_red() {
        return Ok(best);
    }
    for step in green.iter().filter(|step| were_there(replay, step)) {
        let Some(defaults) = replay.attempt(&name_of("defaults", step), |_| stubs(step, Loss::Defaults))? else {
            continue;
        };
        best.took_ms += defaults.trial.took_ms;
        if !fails_elsewhere(replay, &defaults.trial) {
            continue;
        }
        let Some(wrong) = replay.attempt_alone(&name_of("wrong values", step), |_| stubs(step, Loss::Mistakes))? else {
            continue;
        };
        best.took_ms += wrong.trial.took_ms;
        if wrong.trial.tells() && wrong.trial.is_red(&check.id) {
            best.turned = wrong.trial.reaction_of(&check.id);
            best.about = listed(&wrong.layout.about);
            break;
        }
    }
    Ok(best)
}

/// Whether all of these functions were there before.
fn were_there(replay: &Replay<'_>, step: &[Functions]) -> bool {
    let before = replay.subject.derived.as_before.get();
    let before = before.and_then(Option::as_ref).map_or(&[][..], |laid| &laid.about);
    step.iter()
        .flat_map(Functions::located)
        .all(|one| before.contains(&one))
}

/// Whether a test fails that passes on the tree.
fn fails_elsewhere(replay: &Replay<'_>, trial: &Trial) -> bool {
    let now = replay.subject.results_now();
    let mut failed = trial.failed();
    failed.any(|test| now.outcome(&test.id) == Some(TestOutcome::Passed))
}

/// The name of the trial in which something becomes of functions.
fn name_of(what: &str, step: &[Functions]) -> String {
    let functions: Vec<String> = step.iter().flat_map(Functions::located).collect();
    format!("{what} of {}", functions.join(", "))
}

/// The names that the tests of a goal call: those that it asks for; where it
/// names none, those that it most likely runs.
fn calls(replay: &Replay<'_>, check: &Check) -> Result<BTreeSet<String>, Ask> {
    let Some(runner) = check.kind().runner() else {
        return Ok(BTreeSet::new());
    };
    let name = check.asked_test();
    let mut calls = BTreeSet::new();
    for place in replay.places(runner)? {
        let is_asked = |item: &&Item| name.is_none_or(|name| is_meant(name, &place.path, &item.name));
        let Some(read) = Calls::read(&place.path, &place.text) else {
            continue;
        };
        let tests = read.items().iter().filter(|item| item.sort == ItemKind::Test);
        for item in tests.filter(is_asked) {
            calls.extend(read.of(item));
        }
    }
    Ok(calls)
}
