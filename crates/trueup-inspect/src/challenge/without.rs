//! Functions that the run changed, taken away from under its goals.

use super::{
    as_before::as_before,
    defaulting::defaulting,
    derived::Work,
    functions_fail::functions_fail,
    over_base::{over_base, run_tests_over_base, tests_over_base},
    replay::Replay,
    step::Ask,
};
use trueup_core::{
    control::{Control, Reaction, Sabotage},
    criterion::Check,
    judge::ControlResult,
    test_results::listed,
};

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
        let defaulting = match defaulting(replay, lost.work, check)? {
            Some(defaulting) => defaulting,
            None => lost.nothing_to_stub(replay, Sabotage::Defaulting, check)?,
        };
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
        match functions_fail(replay)? {
            Some(laid) => {
                let turned = self.work.missed(replay, check, &laid.trial)?;
                Ok(ControlResult::of(listed(&laid.layout.about), turned, &laid.trial))
            }
            None => self.nothing_to_stub(replay, Sabotage::Failing, check),
        }
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
