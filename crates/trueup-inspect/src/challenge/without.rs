//! Functions that the run changed, taken away from under its goals.

use super::{
    as_before::as_before,
    defaulting::defaulting,
    derived::Work,
    functions_fail::functions_fail,
    over_base::{over_base, run_tests_over_base, tests_over_base},
    replay::Replay,
    step::{Ask, Asked},
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
    let mut asked = Asked::default();
    let over = asked.note(over_base(replay));
    let lost = Lost {
        work: replay.work(),
        has_new_tests: over.as_ref().is_none_or(Option::is_some),
    };
    let mut of_goals: Vec<Control> = Vec::new();
    for check in replay.goals() {
        let own = asked.note(run_tests_over_base(replay, check)).flatten();
        let results = [
            (Sabotage::RunTestsOverBase, own),
            (Sabotage::Failing, asked.note(lost.failing(replay, check))),
            (Sabotage::Defaulting, asked.note(lost.defaulting(replay, check))),
            (Sabotage::AsBefore, asked.note(as_before(replay, lost.work, check))),
        ];
        of_goals.extend(
            results
                .into_iter()
                .filter_map(|(sabotage, result)| Some(result?.control(sabotage, check))),
        );
    }
    asked.all_known()?;
    let over = over.flatten().unwrap_or_else(|| {
        let why = "no test of this check is new".to_owned();
        ControlResult::untried(Reaction::Nothing { why })
    });
    let mut controls = over.controls(Sabotage::OverBase, &replay.subject.checks);
    controls.extend(of_goals);
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

    /// What the run changed gives a default value.
    fn defaulting(&self, replay: &Replay<'_>, check: &Check) -> Result<ControlResult, Ask> {
        match defaulting(replay, self.work, check)? {
            Some(defaulting) => Ok(defaulting),
            None => self.nothing_to_stub(replay, Sabotage::Defaulting, check),
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
