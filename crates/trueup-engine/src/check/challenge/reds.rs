//! Whether an execution turned red, and by what.

use super::trial::Seen;
use trueup_core::{control::Turned, evidence::Saw};
use trueup_inspect::report::{Outcome, Report, Test};

impl Seen {
    /// What it reported of tests, if that could be read and told of any.
    pub(super) fn tests(&self) -> Option<&Report> {
        let report = self.ran.report.as_ref()?.as_ref().ok()?;
        (!report.tests.is_empty()).then_some(report)
    }

    /// The tests that failed.
    pub(super) fn failed(&self) -> impl Iterator<Item = &Test> {
        let tests = self.tests().into_iter().flat_map(|report| &report.tests);
        tests.filter(|test| test.outcome == Outcome::Failed)
    }

    /// Whether a test whose id holds this name is said to have passed.
    pub(super) fn passed(&self, name: &str) -> bool {
        let mut tests = self.tests().into_iter().flat_map(|report| &report.tests);
        tests.any(|test| test.outcome == Outcome::Passed && test.id.contains(name))
    }

    /// Whether it printed a word.
    pub(super) fn printed(&self, word: &str) -> bool {
        let holds = |bytes: &[u8]| memmem(bytes, word.as_bytes());
        holds(&self.ran.stdout.kept) || holds(&self.ran.stderr.kept)
    }

    /// What it did where a test that carries this name must fail: in its id, in
    /// what it says, or as one of these tests.
    pub(super) fn turned_by(&self, name: &str, broken: &[String]) -> Turned {
        let exit = match &self.ran.ended {
            Ok(exit) => *exit,
            Err(saw) => return otherwise(saw),
        };
        let by = self.failed().find(|test| {
            let is_broken = broken.contains(&test.id) && self.printed(name);
            test.id.contains(name) || test.message.contains(name) || is_broken
        });
        match by {
            Some(test) => Turned::Red { by: test.id.clone() },
            None if exit == 0 => Turned::Green,
            None if self.tests().is_none() && self.printed(name) => Turned::Red { by: name.to_owned() },
            None => Turned::Otherwise {
                why: format!("it turned red (exit {exit}) without naming the failing test that was laid"),
            },
        }
    }

    /// What it did where all that is asked for is that it is red.
    pub(super) fn turned(&self, saw: &Saw) -> Turned {
        match saw {
            Saw::Passed => Turned::Green,
            Saw::Failed { exit, why } => {
                let first = self.failed().next().map(|test| test.id.clone());
                let by = first.or_else(|| why.clone()).unwrap_or_else(|| match exit {
                    Some(exit) => format!("exit {exit}"),
                    None => "what was read".to_owned(),
                });
                Turned::Red { by }
            }
            Saw::TimedOut | Saw::CannotRun { .. } => otherwise(saw),
        }
    }
}

fn otherwise(saw: &Saw) -> Turned {
    let why = match saw {
        Saw::CannotRun { why } => format!("it could not run: {why}"),
        Saw::TimedOut => "it ran out of time".to_owned(),
        Saw::Failed { .. } | Saw::Passed => "its program was not there".to_owned(),
    };
    Turned::Otherwise { why }
}

fn memmem(bytes: &[u8], word: &[u8]) -> bool {
    !word.is_empty() && bytes.windows(word.len()).any(|window| window == word)
}
