//! What runners report of tests.

use alloc::{collections::BTreeMap, format, string::String};
use serde::{Deserialize, Serialize};

/// A test, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// Its name, with what it stands in before it.
    pub id: String,
    /// How it ended.
    pub outcome: TestOutcome,
    /// The file it stands in, if the tool says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line it stands in or failed at, if the tool says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Why it failed or was skipped; long ones are cut.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl Test {
    /// Whether it is how a runner tells that a file could not be loaded: no test
    /// of that file ran. pytest says so in words, vitest by the file's name.
    fn stands_for_a_file(&self) -> bool {
        let says_so = self.message.starts_with("collection failure");
        let is_its_file = self.id.split_once("::").is_some_and(|(file, name)| file == name);
        self.outcome == TestOutcome::Failed && (says_so || is_its_file)
    }
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestOutcome {
    /// It ran, and what it asks for is so.
    Passed,
    /// It ran and failed, or could not run, or did not end.
    Failed,
    /// It did not run, or was expected to fail and did.
    Skipped,
}

impl TestOutcome {
    /// Of two, the one that counts where a test is told of twice: it failed if
    /// it failed anywhere, and ran if it ran anywhere.
    const fn weight(self) -> u8 {
        match self {
            Self::Skipped => 0,
            Self::Passed => 1,
            Self::Failed => 2,
        }
    }
}

/// The tests of reports by their ids, each once.
#[derive(Clone, Debug, Default)]
pub struct TestResults(BTreeMap<String, Test>);

impl TestResults {
    /// These tests.
    pub fn of<'a>(tests: impl IntoIterator<Item = &'a Test>) -> Self {
        let mut results = BTreeMap::new();
        for test in tests {
            let known = results.entry(test.id.clone()).or_insert_with(|| test.clone());
            if test.outcome.weight() > known.outcome.weight() {
                *known = test.clone();
            }
        }
        Self(results)
    }

    /// Whether nothing is told of any test.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How a test ended, if it is told of.
    pub fn outcome(&self, id: &str) -> Option<TestOutcome> {
        self.0.get(id).map(|test| test.outcome)
    }

    /// Whether a test is told of in no place.
    pub fn lacks(&self, id: &str) -> bool {
        self.outcome(id).is_none()
    }

    /// Those that ran.
    pub fn that_ran(&self) -> impl Iterator<Item = &Test> {
        let ran = |test: &&Test| test.outcome != TestOutcome::Skipped && !test.stands_for_a_file();
        self.0.values().filter(ran)
    }

    /// The tests that failed here and pass there.
    pub fn mended_in<'a>(&'a self, now: &'a Self) -> impl Iterator<Item = &'a str> {
        let failed = self.0.values().filter(|test| test.outcome == TestOutcome::Failed);
        let mended = failed.filter(|test| now.outcome(&test.id) == Some(TestOutcome::Passed));
        mended.map(|test| test.id.as_str())
    }
}

/// The first few of these names.
pub fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.get(..SHOWN).unwrap_or(names).join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
