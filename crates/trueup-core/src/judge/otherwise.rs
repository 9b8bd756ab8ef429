//! Tests that were run otherwise than checks run them, on the same tree.

use super::trial::Trial;
use crate::test_results::{TestOutcome, TestResults};

/// What became of tests that were run otherwise. Red once may be chance, so
/// they are run so twice, and once more as checks run them.
#[derive(Clone, Copy, Debug)]
pub struct RunOtherwise<'a> {
    /// Otherwise, twice.
    pub otherwise: [&'a Trial; 2],
    /// As checks run them.
    pub as_usual: &'a Trial,
    /// The base's tests: as checks ran them, and otherwise.
    pub base: Option<(&'a TestResults, &'a Trial)>,
}

impl RunOtherwise<'_> {
    /// Whether a test that passes fails by this, and not by what it is on any tree.
    pub fn fails(&self, id: &str) -> bool {
        let passes = self.as_usual.results().outcome(id) == Some(TestOutcome::Passed);
        let breaks = |trial: &&Trial| trial.reports_failed(id) || trial.ended_early() && self.base_tells();
        passes && self.otherwise.iter().all(breaks) && !self.fails_on_base(id)
    }

    /// Whether tests can be run so at all: those of the base are told of.
    fn base_tells(&self) -> bool {
        self.base.is_some_and(|(_, otherwise)| otherwise.tells())
    }

    /// Whether this test passed on the base, and fails there by the same.
    fn fails_on_base(&self, id: &str) -> bool {
        self.base.is_some_and(|(before, otherwise)| {
            before.outcome(id) == Some(TestOutcome::Passed) && otherwise.reports_failed(id)
        })
    }
}

impl Trial {
    /// Whether a test is told to have failed, or nothing is told of any.
    pub fn breaks(&self, id: &str) -> bool {
        self.ended_early() || self.reports_failed(id)
    }

    /// Whether the program ended by itself, and not well, before it told of any
    /// test.
    fn ended_early(&self) -> bool {
        !self.tells() && matches!(self.ended, Ok(1..))
    }
}
