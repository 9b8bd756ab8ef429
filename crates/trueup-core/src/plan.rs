//! The phases of a run, in order.

use crate::{
    criterion::{Check, CheckMethod, Role},
    kind::Kind,
    phase::{Aim, Phase, Rights},
    task::{Size, Task},
};
use alloc::{vec, vec::Vec};
use serde::{Deserialize, Serialize};

/// The phases of a run, in order; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// In the order they are walked.
    pub phases: Vec<Phase>,
}

/// What needs no test of its own, by the end or the beginning of its name.
const UNTESTED: [&str; 6] = [".json", ".yaml", ".yml", ".md", ".css", ".env"];

impl Plan {
    /// The plan for a task: where it is large enough and its goals are tests,
    /// these are written first, by themselves.
    pub fn of(task: &Task) -> Self {
        let phases = if task.size >= Size::Medium && wants_tests(task) {
            vec![Phase::tests(task.size), Phase::implement(task.size), Phase::refactor()]
        } else {
            vec![Phase::implement(task.size)]
        };
        Self { phases }
    }

    /// What a turn may change in a phase: tests in theirs, and the rest in the
    /// ones after it.
    pub fn rights(&self, phase: &Phase) -> Rights {
        let tests_first = self.phases.iter().any(|phase| phase.aim == Aim::Tests);
        match phase.aim {
            Aim::Tests => Rights::Tests,
            Aim::Work | Aim::Refactor if tests_first => Rights::Code,
            Aim::Work | Aim::Refactor => Rights::All,
        }
    }
}

/// Whether a goal runs tests, and the task may touch what tests can reach.
fn wants_tests(task: &Task) -> bool {
    let mut checks = task.checks();
    let has_tests = checks.any(|check| check.role == Role::Goal && is_test(check));
    let touch = &task.scope.touch;
    let all_untested = !touch.is_empty() && touch.iter().all(|glob| is_untested(glob));
    has_tests && !all_untested
}

/// Whether a check asks for one test, or runs tests.
pub(crate) fn is_test(check: &Check) -> bool {
    matches!(check.how, CheckMethod::Test { .. } | CheckMethod::RunTests { .. })
        || matches!(check.kind(), Kind::Tests(_))
}

/// Whether a glob selects nothing but files that need no test.
fn is_untested(glob: &str) -> bool {
    let name = glob.rsplit('/').next().unwrap_or(glob);
    name.contains(".config.") || name.starts_with(".env") || UNTESTED.iter().any(|end| name.ends_with(end))
}
