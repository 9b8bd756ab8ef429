//! One execution on a sabotaged tree, and how a check reacted to it.

use crate::{
    control::Reaction,
    criterion::Check,
    evidence::{Body, CheckOutcome},
    id::CheckId,
    test_results::{Test, TestOutcome, TestResults},
};
use alloc::{
    borrow::ToOwned,
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// The run's own tests, by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunTests {
    /// It wrote or changed them.
    Written(BTreeSet<String>),
    /// It changed something beside them: a table, a function that they share.
    Beside(BTreeSet<String>),
}

impl RunTests {
    /// Their ids.
    pub const fn ids(&self) -> &BTreeSet<String> {
        match self {
            Self::Written(ids) | Self::Beside(ids) => ids,
        }
    }
}

/// That so many tests of the run failed.
pub fn counted(failed: usize) -> String {
    match failed {
        1 => "1 test of this run failed".to_owned(),
        failed => format!("{failed} tests of this run failed"),
    }
}

/// What one execution on a sabotaged tree showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Its exit code; or what was seen where it did not run to its end.
    pub ended: Result<i32, CheckOutcome>,
    /// What it reported of tests; nothing where that could not be read.
    pub tests: Vec<Test>,
    /// Whether it printed the token that was laid.
    pub printed: bool,
    /// What each of the checks that it answers would have said of it.
    pub saw: Vec<(CheckId, CheckOutcome)>,
    /// All that it printed.
    pub output: Body,
    /// How long it took.
    pub took_ms: u64,
}

impl Trial {
    /// Whether it told of any test.
    pub const fn tells(&self) -> bool {
        !self.tests.is_empty()
    }

    /// What it reported of tests.
    pub fn results(&self) -> TestResults {
        TestResults::of(&self.tests)
    }

    /// The tests that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Test> {
        self.tests.iter().filter(|test| test.outcome == TestOutcome::Failed)
    }

    /// Whether a test whose id holds this name is said to have passed.
    pub fn has_passed(&self, name: &str) -> bool {
        let mut passed = self.tests.iter().filter(|test| test.outcome == TestOutcome::Passed);
        passed.any(|test| test.id.contains(name))
    }

    /// What a check would have said of it.
    pub fn saw(&self, check: &CheckId) -> CheckOutcome {
        let found = self.saw.iter().find(|(id, _)| id == check);
        found.map_or_else(
            || CheckOutcome::CannotRun {
                why: "nothing was said of this check".to_string(),
            },
            |(_, saw)| saw.clone(),
        )
    }

    /// Says of a check that asks for tests of the run what became of those: it
    /// does not hold where one of them fails.
    pub fn say_of_run_tests(&mut self, check: &CheckId, own: &RunTests) {
        let failing = self.failing_of(own).len();
        let said = match (&self.ended, failing) {
            (Err(saw), _) => saw.clone(),
            (Ok(_), 0) => CheckOutcome::Passed,
            (Ok(exit), failing) => CheckOutcome::Failed {
                exit: Some(*exit),
                why: Some(counted(failing)),
            },
        };
        self.saw.retain(|(id, _)| id != check);
        self.saw.push((check.clone(), said));
    }

    /// Those of the run's tests that fail here. A file that does not load hides
    /// its tests, which says nothing of those that nobody touched.
    pub fn failing_of<'a>(&self, own: &'a RunTests) -> Vec<&'a str> {
        let results = self.results();
        let ran_well = matches!(self.ended, Ok(0));
        let fails = |id: &&String| match (results.outcome(id), own) {
            (Some(outcome), _) => outcome == TestOutcome::Failed,
            (None, RunTests::Written(_)) => !ran_well,
            (None, RunTests::Beside(_)) => false,
        };
        own.ids().iter().filter(fails).map(String::as_str).collect()
    }

    /// Whether it tells of no test that the run wrote, as where nothing on the
    /// base names the file they came with.
    pub fn leaves_out(&self, own: &RunTests) -> bool {
        let results = self.results();
        match own {
            RunTests::Written(ids) => self.tells() && ids.iter().all(|id| results.lacks(id)),
            RunTests::Beside(_) => false,
        }
    }

    /// Whether a check did not hold.
    pub fn is_red(&self, check: &CheckId) -> bool {
        matches!(self.saw(check), CheckOutcome::Failed { .. } | CheckOutcome::TimedOut)
    }

    /// Those of these checks that did not pass.
    pub fn not_passed<'a>(&self, checks: Vec<&'a Check>) -> Vec<&'a Check> {
        let mut checks = checks;
        checks.retain(|check| self.saw(&check.id) != CheckOutcome::Passed);
        checks
    }

    /// What it did where a test that carries this token must fail: in its id,
    /// in what it says, or as one of these tests.
    pub fn reaction_to(&self, token: &str, broken: &[String]) -> Reaction {
        let exit = match &self.ended {
            Ok(exit) => *exit,
            Err(saw) => return otherwise(saw),
        };
        let by = self.failed().find(|test| {
            let is_broken = broken.contains(&test.id) && self.printed;
            test.id.contains(token) || test.message.contains(token) || is_broken
        });
        match by {
            Some(test) => Reaction::Red { by: test.id.clone() },
            None if exit == 0 => Reaction::Green,
            None if !self.tells() && self.printed => Reaction::Red { by: token.to_owned() },
            None => Reaction::Otherwise {
                why: format!("it turned red (exit {exit}) without naming the failing test that was laid"),
            },
        }
    }

    /// What it did where all that is asked for is that a check is red.
    pub fn reaction_of(&self, check: &CheckId) -> Reaction {
        match self.saw(check) {
            CheckOutcome::Passed => Reaction::Green,
            CheckOutcome::Failed { exit, why } => {
                let first = self.failed().next().map(|test| test.id.clone());
                let by = first.or(why).unwrap_or_else(|| match exit {
                    Some(exit) => format!("exit {exit}"),
                    None => "what was read".to_owned(),
                });
                Reaction::Red { by }
            }
            saw @ (CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. }) => otherwise(&saw),
        }
    }

    /// Whether a test was seen to fail: it is reported so, or it is not there and
    /// something went wrong, as where its file does not load.
    pub fn fails(&self, id: &str) -> bool {
        match self.results().outcome(id) {
            Some(TestOutcome::Failed) => true,
            Some(TestOutcome::Passed | TestOutcome::Skipped) => false,
            None => !matches!(self.ended, Ok(0)),
        }
    }

    /// Whether a test is reported to have failed.
    pub fn reports_failed(&self, id: &str) -> bool {
        self.results().outcome(id) == Some(TestOutcome::Failed)
    }

    /// Whether its tests could be run at all.
    pub const fn could_run(&self) -> bool {
        !matches!(self.ended, Err(CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. }))
    }
}

/// What is said of an execution that had many times the time it takes on the
/// tree, and did not end: a loop that only the work ends fails without the work.
pub fn endless() -> CheckOutcome {
    CheckOutcome::Failed {
        exit: None,
        why: Some("it does not end".to_owned()),
    }
}

fn otherwise(saw: &CheckOutcome) -> Reaction {
    let why = match saw {
        CheckOutcome::CannotRun { why } => format!("it could not run: {why}"),
        CheckOutcome::TimedOut => "it ran out of time".to_owned(),
        CheckOutcome::Failed { .. } | CheckOutcome::Passed => "its program was not there".to_owned(),
    };
    Reaction::Otherwise { why }
}
