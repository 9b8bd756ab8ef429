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
        passes && self.otherwise.iter().all(|trial| trial.breaks(id)) && !self.fails_on_base(id)
    }

    /// Whether the base fails by it as well: this test, which passed there, or
    /// everything.
    fn fails_on_base(&self, id: &str) -> bool {
        self.base.is_some_and(|(before, otherwise)| {
            let passed = before.outcome(id) == Some(TestOutcome::Passed);
            !otherwise.tells() || passed && otherwise.breaks(id)
        })
    }
}

impl Trial {
    /// Whether a test is told to have failed, or the program ended by itself
    /// before it told of any.
    pub fn breaks(&self, id: &str) -> bool {
        let ended_early = !self.tells() && matches!(self.ended, Ok(1..));
        ended_early || self.reports_failed(id)
    }
}
