//! What a sensible person would ask for, had they thought of the change before
//! it was made: the tests that speak of it, by name.

use crate::{
    projects::Language,
    suite::{self, Execution},
};
use std::collections::BTreeSet;
use trueup_core::test_results::{TestOutcome, TestResults};

/// How many tests one names.
const MOST: usize = 3;

/// How the goal of a task is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// By the names of tests.
    Named,
    /// By no name: `tests of this run`.
    OwnTests,
}

/// What the suite says before the change, with the change's tests alone, and after it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) language: Language,
    pub(crate) before: Execution,
    pub(crate) tests_alone: Execution,
    pub(crate) after: Execution,
}

impl Seen {
    /// The check lines of a criterion, if a test speaks of the change.
    pub(crate) fn lines(&self, goal: Goal) -> Option<Vec<String>> {
        match goal {
            Goal::OwnTests => Some(vec!["verify: tests of this run".into()]),
            Goal::Named => {
                let added = self.named(|id| !self.was_there(id));
                if !added.is_empty() {
                    let lines = added.iter().map(|name| format!("verify: test `{name}`"));
                    return Some(lines.collect());
                }
                let changed = self.named(|id| self.was_there(id) && (self.is_new(id) || self.fails_alone(id)));
                let lines = changed.iter().map(|name| format!("verify: test `{name}` of this run"));
                Some(lines.collect()).filter(|lines: &Vec<String>| !lines.is_empty())
            }
        }
    }

    /// Whether the base has the test, if not this case of it.
    fn was_there(&self, id: &str) -> bool {
        let mut ids = self.before.tests.that_ran().map(|test| test.id.as_str());
        ids.any(|other| without_case(self.language, other) == without_case(self.language, id))
    }

    fn is_new(&self, id: &str) -> bool {
        self.before.tests.outcome(id).is_none()
    }

    fn fails_alone(&self, id: &str) -> bool {
        self.tests_alone.tests.outcome(id) == Some(TestOutcome::Failed)
    }

    /// The names of some tests that pass with the change and not without it.
    fn named(&self, is_meant: impl Fn(&str) -> bool) -> Vec<String> {
        let passes = |tests: &TestResults, id: &str| tests.outcome(id) == Some(TestOutcome::Passed);
        let after = &self.after.tests;
        let speaks = |id: &&str| passes(after, id) && !passes(&self.tests_alone.tests, id) && is_meant(id);
        // An example in documentation has no name of its own, and some tests are called
        // after the folder they run in; nobody would name those.
        let is_nameless = |id: &&str| id.contains(".rs - ") || id.contains(suite::FOLDER);
        let ids = after.that_ran().map(|test| test.id.as_str());
        let ids = ids.filter(|id| !is_nameless(id)).filter(speaks);
        let names: BTreeSet<&str> = ids.map(|id| called(self.language, id, after)).collect();
        names.into_iter().take(MOST).map(ToOwned::to_owned).collect()
    }
}

/// What one calls a test: its function, unless others are called the same.
fn called<'a>(language: Language, id: &'a str, all: &TestResults) -> &'a str {
    let whole = without_case(language, id);
    let leaf = leaf(whole);
    let same = all.that_ran().map(|test| without_case(language, &test.id));
    let others = same.filter(|other| *other != whole && self::leaf(other) == leaf);
    match others.count() {
        0 => leaf,
        _ => whole,
    }
}

/// The test that a case belongs to: `test_a[1]` of pytest, `TestA/one` of Go.
fn without_case(language: Language, id: &str) -> &str {
    let own = id.rfind("::").map_or(0, |at| at + 2);
    let end = match language {
        Language::Go => id.get(own..).and_then(|name| name.find('/')).map(|at| own + at),
        Language::Python => id.find('['),
        Language::JavaScript | Language::Rust => None,
    };
    end.and_then(|at| id.get(..at)).unwrap_or(id)
}

fn leaf(id: &str) -> &str {
    let id = id.rsplit(" > ").next().unwrap_or(id);
    id.rsplit("::").next().unwrap_or(id)
}
