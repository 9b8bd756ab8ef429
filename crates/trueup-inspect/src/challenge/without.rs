//! Functions that the run changed, taken away from under its goals.

use super::{
    as_before::as_before,
    derived::Work,
    over_base::{over_base, run_tests_over_base, tests_over_base},
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
    control::{Control, Reaction, Sabotage},
    criterion::Check,
    judge::ControlResult,
    test_results::listed,
};

/// How many functions are taken away one by one.
const MOST_ALONE: usize = 8;

/// Takes the work away from under the tests: its code, and then what its
/// functions do.
pub(super) fn without(replay: &Replay<'_>) -> Result<Vec<Control>, Ask> {
    let over = over_base(replay)?;
    let mut controls = match &over {
        Some(over) => over.controls(Sabotage::OverBase, &replay.subject.checks),
        None => {
            let why = "no test of this check is new".to_owned();
            ControlResult::untried(Reaction::Nothing { why }).controls(Sabotage::OverBase, &replay.subject.checks)
        }
    };
    let lost = Lost {
        work: replay.work(),
        has_new_tests: over.is_some(),
    };
    for check in replay.goals() {
        let own = run_tests_over_base(replay, check)?;
        controls.extend(own.map(|own| own.control(Sabotage::RunTestsOverBase, check)));
        let failing = lost.failing(replay, check)?;
        controls.push(failing.control(Sabotage::Failing, check));
        let defaulting = lost.defaulting(replay, check)?;
        controls.push(defaulting.control(Sabotage::Defaulting, check));
        let as_before = as_before(replay, lost.work, check)?;
        controls.push(as_before.control(Sabotage::AsBefore, check));
    }
    if let Some(first) = controls.first_mut() {
        first.took_ms += replay.untold_ms();
    }
    Ok(controls)
}

/// What is taken away.
struct Lost<'a> {
    work: &'a Work,
    has_new_tests: bool,
}

impl Lost<'_> {
    /// All that the run changed fails.
    fn failing(&self, replay: &Replay<'_>, check: &Check) -> Result<ControlResult, Ask> {
        let laid = replay.attempt_alone("functions fail", |word| stubs(&self.work.functions, Loss::Fails(word)))?;
        match laid {
            Some(laid) => {
                let turned = self.work.missed(replay, check, &laid.trial)?;
                Ok(ControlResult::of(listed(&laid.layout.about), turned, &laid.trial))
            }
            None => self.nothing_to_stub(replay, Sabotage::Failing, check),
        }
    }

    /// What the run changed gives a default value: one after the other of the
    /// functions that a goal's tests call, until one is missed. All at once, a
    /// comparison that says yes to everything would itself say no.
    fn defaulting(&self, replay: &Replay<'_>, check: &Check) -> Result<ControlResult, Ask> {
        let calls = calls(replay, check)?;
        let functions = self.work.functions.iter();
        let alone = functions
            .flat_map(|functions| functions.called_alone(&calls))
            .map(|one| vec![one]);
        let mut best: Option<ControlResult> = None;
        let mut laid = 0;
        for step in alone {
            if laid == MOST_ALONE {
                break;
            }
            if let Some(one) = self.one_more(replay, check, &step, best.as_ref())? {
                laid += 1;
                if one.turned != Reaction::Green {
                    return Ok(one);
                }
                best = Some(one);
            }
        }
        let best = match best {
            Some(best) => Some(best),
            None => self.one_more(replay, check, &self.work.functions, None)?,
        };
        match best {
            Some(best) => Ok(best),
            None => self.nothing_to_stub(replay, Sabotage::Defaulting, check),
        }
    }

    /// What a goal does when these functions too give a default value.
    fn one_more(
        &self,
        replay: &Replay<'_>,
        check: &Check,
        step: &[Functions],
        before: Option<&ControlResult>,
    ) -> Result<Option<ControlResult>, Ask> {
        let names = step
            .iter()
            .flat_map(|one| one.names.iter().map(|name| format!("{name} in {}", one.path)));
        let name = format!("defaults of {}", names.collect::<Vec<_>>().join(", "));
        let Some(laid) = replay.attempt_alone(&name, |_| stubs(step, Loss::Defaults))? else {
            return Ok(None);
        };
        let turned = self.work.missed(replay, check, &laid.trial)?;
        let mut one = ControlResult::of(listed(&laid.layout.about), turned, &laid.trial);
        if let Some(before) = before {
            one.took_ms += before.took_ms;
            if one.turned == Reaction::Green {
                one.about = format!("{}, {}", before.about, one.about);
            }
        }
        Ok(Some(one))
    }

    /// There is no function to take away. What made a test green that was there
    /// before must then be something else of the code, or it lies in the tests.
    fn nothing_to_stub(&self, replay: &Replay<'_>, sabotage: Sabotage, check: &Check) -> Result<ControlResult, Ask> {
        let rests_on_tests = self.was_there(replay, check) && !tests_over_base(replay)?.is_red(&check.id);
        let turned = if rests_on_tests && sabotage == Sabotage::Failing {
            Reaction::Green
        } else {
            Reaction::Nothing {
                why: "the run changed no function that could be taken away".to_owned(),
            }
        };
        let mut one = ControlResult::untried(turned);
        if rests_on_tests {
            one.about = "all that the run changed outside of tests".to_owned();
        }
        Ok(one)
    }

    /// Whether a test of the base makes the goal: then it was red there, and the
    /// tests alone must not be what turned it green. The same holds of tests
    /// that are the run's own.
    fn was_there(&self, replay: &Replay<'_>, check: &Check) -> bool {
        let (Some(before), Some(_)) = (&replay.subject.before, &replay.subject.now) else {
            return !self.has_new_tests;
        };
        match check.asked_test() {
            _ if check.is_of_run() => true,
            Some(name) => !before.named(name).is_empty(),
            None => !replay.subject.mended().is_empty(),
        }
    }
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
