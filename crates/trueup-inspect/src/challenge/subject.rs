//! Which checks are challenged together.

use super::derived::Derived;
use crate::{
    changes::{self, ChangedFile},
    report::Report,
};
use trueup_core::{
    criterion::{Check, CheckMethod, Criterion, Execution, Role},
    judge::RunTests,
    kind::{Kind, Runner},
    test_results::TestResults,
};

/// Checks that are one and the same execution.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The statement of the first of them.
    pub criterion: &'a Criterion,
    /// The check that is executed for all of them.
    pub first: &'a Check,
    /// All of them, the first among them.
    pub checks: Vec<&'a Check>,
    /// What they execute.
    pub execution: &'a Execution,
    /// Hidden files that are text, each with its path.
    pub hidden: Vec<(String, String)>,
    /// What they reported on the base.
    pub before: Option<Report>,
    /// What they reported on the tree.
    pub now: Option<Report>,
    /// What follows from that and from the trees.
    pub derived: Derived,
}

impl<'a> Subject<'a> {
    /// Those that must miss what the run did as soon as it is taken away.
    pub(super) fn goals(&self) -> impl Iterator<Item = &'a Check> {
        let goals = self.checks.iter().filter(|check| check.role == Role::Goal);
        goals.copied().filter(|check| matches!(check.kind(), Kind::Tests(_)))
    }

    pub(super) fn results_before(&self) -> TestResults {
        TestResults::of(self.before.iter().flat_map(|report| &report.tests))
    }

    pub(super) fn results_now(&self) -> TestResults {
        TestResults::of(self.now.iter().flat_map(|report| &report.tests))
    }

    /// What they reported last: on the base, while they are still executed on
    /// the tree.
    pub(super) const fn last_report(&self) -> Option<&Report> {
        match &self.now {
            Some(now) => Some(now),
            None => self.before.as_ref(),
        }
    }

    /// The tests that failed on the base and pass now. The code must do that by
    /// itself, without what the run put among the tests.
    pub(super) fn mended(&self) -> Vec<String> {
        let (before, now) = (self.results_before(), self.results_now());
        before.mended_in(&now).map(str::to_owned).collect()
    }

    /// The run's own tests that a check asks for, if it asks for such.
    pub fn run_tests(&self, check: &Check, files: &[ChangedFile]) -> Option<&RunTests> {
        let nothing = Report::default();
        let (before, now) = (
            self.before.as_ref().unwrap_or(&nothing),
            self.now.as_ref().unwrap_or(&nothing),
        );
        let asked = |check: &&Check| {
            let CheckMethod::RunTests { name, .. } = &check.how else {
                return None;
            };
            Some((
                check.id.clone(),
                changes::run_tests(before, now, files, name.as_deref()),
            ))
        };
        let all = self
            .derived
            .run_tests
            .get_or_init(|| self.checks.iter().filter_map(asked).collect());
        all.get(&check.id)
    }

    /// Whether it runs the examples in Rust's documentation and no other test.
    pub(super) fn runs_examples(&self) -> bool {
        let is_cargo = self.execution.kind.runner() == Some(Runner::CargoTest);
        is_cargo && self.execution.argv.iter().any(|word| word == "--doc")
    }

    /// The names by which checks ask for single tests.
    pub(super) fn asked(&self) -> Vec<&'a str> {
        self.checks.iter().filter_map(|check| check.asked_test()).collect()
    }
}

/// Every execution that can be made to fail on purpose, once.
pub fn subjects(criteria: &[Criterion]) -> Vec<Subject<'_>> {
    let mut subjects: Vec<Subject<'_>> = Vec::new();
    for criterion in criteria {
        for check in &criterion.checks {
            let Some(execution) = check.execution().filter(|execution| !execution.kind.is_plain()) else {
                continue;
            };
            let same =
                |subject: &&mut Subject<'_>| *subject.execution == *execution && subject.first.sight == check.sight;
            match subjects.iter_mut().find(same) {
                Some(subject) => subject.checks.push(check),
                None => subjects.push(Subject {
                    criterion,
                    first: check,
                    checks: vec![check],
                    execution,
                    hidden: Vec::new(),
                    before: None,
                    now: None,
                    derived: Derived::default(),
                }),
            }
        }
    }
    subjects
}
