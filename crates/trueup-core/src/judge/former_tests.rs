//! The base's tests, as they fared over the code as it is now.

use super::trial::Trial;
use crate::{
    objection::{Objection, ObjectionKind},
    test_results::{Test, TestOutcome, TestResults},
};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// What the files say of a test that was there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerTest<'a> {
    /// What its file holds now.
    pub bytes: &'a [u8],
    /// Whether its body stands in a file as it stood.
    pub is_same: bool,
    /// A line of it, or of what stands beside it, as it was and as it is, where
    /// one was changed.
    pub expectation: Option<(String, String)>,
    /// The words of the task that allow it to change.
    pub allowed: Option<String>,
}

/// A file whose tests were laid as they stood, or taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerFile<'a> {
    /// Where it lies.
    pub path: &'a str,
    /// Whether it was there before.
    pub was_there: bool,
    /// What it holds now, if it is there.
    pub bytes: Option<&'a [u8]>,
    /// The words of the task that allow it to change.
    pub allowed: Option<String>,
}

/// The tests that fail as they stood, and pass as they stand or do not stand
/// there any more: one that was moved may speak of something else now.
pub fn former_tests_by_report<'a>(
    before: &TestResults,
    now: &TestResults,
    trial: &Trial,
    former_test: impl Fn(&Test) -> FormerTest<'a>,
) -> Vec<Objection> {
    let former = trial.results();
    let fails = |test: &&Test| {
        let hides = now.outcome(&test.id) == Some(TestOutcome::Passed) || now.lacks(&test.id);
        former.outcome(&test.id) == Some(TestOutcome::Failed) && hides
    };
    let objection = |test: &Test| {
        let known = former_test(test);
        let what = if now.lacks(&test.id) {
            "this test stands elsewhere now or is gone; as it stood before, it fails on the new code".to_owned()
        } else if known.is_same {
            changed(
                "this test passes only by what was changed or put among the tests",
                known.expectation.as_ref(),
            )
        } else {
            changed("this test was changed", known.expectation.as_ref())
        };
        Objection {
            kind: ObjectionKind::TestChanged,
            path: test.id.clone(),
            what,
            digest: ObjectionKind::TestChanged.digest(&[test.id.as_bytes(), known.bytes]),
            allowed: known.allowed,
            rule: None,
        }
    };
    before.that_ran().filter(fails).map(objection).collect()
}

/// The tests that are gone and that nobody saw pass as they stood. What was
/// seen to fail is told of otherwise; where nothing was laid, nothing was seen.
pub fn gone_unseen(gone: &[(&Test, Option<String>)], trial: Option<&Trial>) -> Vec<Objection> {
    let former = trial.map(Trial::results).unwrap_or_default();
    let is_seen = |test: &Test| match former.outcome(&test.id) {
        Some(TestOutcome::Passed | TestOutcome::Failed) => true,
        Some(TestOutcome::Skipped) | None => false,
    };
    let unseen = gone.iter().filter(|(test, _)| !is_seen(test));
    unseen
        .map(|(test, allowed)| Objection::test_gone(&test.id, allowed.clone()))
        .collect()
}

/// What is said of a test that would fail as things stood: what was changed,
/// and where it shows.
fn changed(what: &str, expectation: Option<&(String, String)>) -> String {
    let shown = expectation.map(|(was, is)| format!(", `{was}` → `{is}`"));
    let shown = shown.unwrap_or_default();
    format!("{what}{shown}; as it stood before, it fails on the new code")
}

/// Whether it told of every test that was there before, and passes now or is
/// gone without leave.
pub fn tells_of_all(
    before: &TestResults,
    now: &TestResults,
    trial: &Trial,
    may_be_gone: impl Fn(&Test) -> bool,
) -> bool {
    let former = trial.results();
    let is_due = |test: &&Test| {
        let is_gone = now.lacks(&test.id) && !may_be_gone(test);
        is_gone || now.outcome(&test.id) == Some(TestOutcome::Passed)
    };
    let mut due = before.that_ran().filter(is_due);
    due.all(|test| !former.lacks(&test.id))
}

/// Nothing tells which test failed, so it is said of the files.
pub fn former_tests_by_exit(trial: &Trial, files: &[FormerFile<'_>]) -> Vec<Objection> {
    if matches!(trial.ended, Ok(0)) {
        return Vec::new();
    }
    let objection = |file: &FormerFile<'_>| Objection {
        kind: ObjectionKind::TestChanged,
        path: file.path.to_string(),
        what: match file.was_there {
            true => "the tests in this file were changed; as they stood before, the check fails on the new code",
            false => "without this file, which was put among the tests, those that were there fail",
        }
        .to_owned(),
        digest: ObjectionKind::TestChanged.digest(&[file.path.as_bytes(), file.bytes.unwrap_or(b"\0")]),
        allowed: file.allowed.clone(),
        rule: None,
    };
    files.iter().map(objection).collect()
}
