//! How often a check is executed on one tree before its answer is believed.
//!
//! Two different answers make it flaky, for good. Whoever executes it reports
//! each answer and how long that took; whether to go on is decided here.

use crate::{
    evidence::{CheckOutcome, Runs},
    task::Task,
};
use alloc::format;
use serde::{Deserialize, Serialize};

/// How long a red answer is doubted beyond the first repeat: little beside the
/// minutes of the turn that a wrong one would cost.
pub const DOUBTED_FOR_MS: u64 = 20_000;

/// How often answers are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatPolicy {
    /// How often in a row a check must pass that once gave two answers.
    pub steady: u32,
    /// How often a red check is executed again before it is believed.
    pub doubt: u32,
    /// How long all repeats of a red check but the first may take together.
    pub doubted_for_ms: u64,
}

impl RepeatPolicy {
    /// As a task has it.
    pub const fn of(task: &Task) -> Self {
        Self {
            steady: task.steady,
            doubt: task.doubt,
            doubted_for_ms: DOUBTED_FOR_MS,
        }
    }
}

/// What is done after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It is executed again.
    Again,
    /// The last answer counts.
    Enough,
    /// It failed, and did not always.
    Flaky,
}

/// One check on one tree, executed until its answer can be believed.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    policy: RepeatPolicy,
    /// What was answered before.
    before: Runs,
    /// What was answered now.
    now: Runs,
    /// How many greens came in a row.
    greens: u32,
    /// How long the repeats took.
    repeats_took_ms: u64,
}

impl Repeat {
    /// A check that gave these answers before: on this tree, and on the base.
    pub const fn new(policy: RepeatPolicy, on_tree: Runs, on_base: Runs) -> Self {
        // What is flaky on the base is so on what was made of it.
        let before = match !on_tree.is_flaky() && on_base.is_flaky() {
            true => on_tree.and(on_base),
            false => on_tree,
        };
        Self {
            policy,
            before,
            now: Runs { green: 0, red: 0 },
            greens: 0,
            repeats_took_ms: 0,
        }
    }

    /// Takes an answer, and how long it took to give.
    pub fn take(&mut self, saw: &CheckOutcome, took_ms: u64) -> Next {
        if !self.now.is_one() {
            self.repeats_took_ms = self.repeats_took_ms.saturating_add(took_ms);
        }
        match saw {
            CheckOutcome::Passed => {
                self.now.green += 1;
                self.greens += 1;
                match self.all().is_flaky() && self.greens < self.policy.steady {
                    true => Next::Again,
                    false => Next::Enough,
                }
            }
            CheckOutcome::Failed { .. } | CheckOutcome::TimedOut => match self.take_red() {
                Next::Enough if self.is_doubted(took_ms) => Next::Again,
                next @ (Next::Again | Next::Enough | Next::Flaky) => next,
            },
            // Nothing was seen, and nothing is gained by looking again.
            CheckOutcome::CannotRun { .. } => Next::Enough,
        }
    }

    /// The test that is asked for is not there, and every other one ran and
    /// passed. That is no matter of chance, so nobody asks again, unless the
    /// test was there in another execution.
    pub const fn take_absent(&mut self) -> Next {
        self.take_red()
    }

    /// Takes a red answer that nobody doubts. Where green was kept, it is the
    /// second one.
    const fn take_red(&mut self) -> Next {
        let was_flaky = self.all().is_flaky();
        self.now.red += 1;
        self.greens = 0;
        match (was_flaky, self.all().is_flaky()) {
            (true, _) => Next::Flaky,
            (false, true) => Next::Again,
            (false, false) => Next::Enough,
        }
    }

    /// Whether red is asked for once more: always the first time, later while
    /// that is cheap. What was red in earlier runs need not be asked as often.
    fn is_doubted(&self, took_ms: u64) -> bool {
        let is_cheap = self.repeats_took_ms.saturating_add(took_ms) <= self.policy.doubted_for_ms;
        self.now.red == 1 || (self.all().red <= self.policy.doubt && is_cheap)
    }

    /// What was answered now.
    pub const fn now(&self) -> Runs {
        self.now
    }

    /// What evidence says of the answers: nothing, where there was never another
    /// one. How often it gave that one depends on how often trueup was killed
    /// meanwhile.
    pub const fn told(&self) -> Runs {
        let all = self.all();
        match all.is_flaky() {
            true => all,
            false => Runs { green: 0, red: 0 },
        }
    }

    /// What evidence says was seen, when this was the last answer and nothing
    /// follows it but that.
    pub fn settled(&self, saw: CheckOutcome, next: Next) -> CheckOutcome {
        match (next, saw) {
            (Next::Again | Next::Enough, saw) => saw,
            (Next::Flaky, CheckOutcome::Failed { exit, .. }) => self.flaky(exit),
            (Next::Flaky, CheckOutcome::Passed | CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. }) => {
                self.flaky(None)
            }
        }
    }

    fn flaky(&self, exit: Option<i32>) -> CheckOutcome {
        let Runs { green, red } = self.all();
        CheckOutcome::Failed {
            exit,
            why: Some(format!("it is flaky: {green} green, {red} red on the same tree")),
        }
    }

    const fn all(&self) -> Runs {
        self.before.and(self.now)
    }
}
