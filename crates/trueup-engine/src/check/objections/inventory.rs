//! Tests that ran on the base and do not run now.

use trueup_core::{
    objection::{Objection, ObjectionKind},
    test_results::{Test, TestOutcome, TestResults},
};
use trueup_inspect::changes::{Allowed, ChangedFile, Place, Side, file_of, found_in, gone_tests, test_items};

/// Whether controls lay tests back as they stood, and see what becomes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaidBack {
    /// They do.
    Later,
    /// A check reports tests that no control lays back.
    Never,
}

/// What ran before and does not run now. A test in whose file another one came
/// for it is left to controls, which execute it as it stood.
pub(super) fn missing(
    before: &TestResults,
    now: &TestResults,
    files: &[ChangedFile],
    allowed: &Allowed<'_>,
    laid_back: LaidBack,
) -> Vec<Objection> {
    if now.is_empty() {
        return Vec::new();
    }
    let is_left = |place| place == Place::Filled && laid_back == LaidBack::Later;
    let (old, new) = (test_items(files, Side::Before), test_items(files, Side::After));
    let gone = gone_tests(before, now, &old, &new).into_iter();
    let gone = gone.filter(|gone| !is_left(gone.place)).map(|gone| {
        let allowed = allowed.test(ObjectionKind::TestGone, &gone.test.id, gone.file.as_deref());
        Objection::test_gone(&gone.test.id, allowed)
    });
    let is_skipped = |test: &&Test| now.outcome(&test.id) == Some(TestOutcome::Skipped);
    let skipped = before
        .that_ran()
        .filter(is_skipped)
        .map(|test| skipped(test, file_of(test, &found_in(test, &old)), allowed));
    gone.chain(skipped).collect()
}

fn skipped(test: &Test, file: Option<&str>, allowed: &Allowed<'_>) -> Objection {
    let kind = ObjectionKind::TestSkipped;
    Objection {
        kind,
        path: test.id.clone(),
        what: "this test ran on the base and is skipped now".to_owned(),
        digest: kind.digest(&[test.id.as_bytes()]),
        allowed: allowed.test(kind, &test.id, file),
        rule: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::task::Allow;

    fn ran(tests: &[(&str, TestOutcome)]) -> TestResults {
        let test = |(id, outcome): &(&str, TestOutcome)| Test {
            id: (*id).to_owned(),
            outcome: *outcome,
            file: None,
            line: None,
            message: String::new(),
        };
        TestResults::of(&tests.iter().map(test).collect::<Vec<_>>())
    }

    fn file(before: &str, after: &str) -> ChangedFile {
        ChangedFile {
            path: "tests/test_a.py".to_owned(),
            before: Some(before.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        }
    }

    fn told(
        before: &TestResults,
        now: &TestResults,
        files: &[ChangedFile],
        allow: &Allow,
    ) -> Vec<(ObjectionKind, String, bool)> {
        let found = missing(before, now, files, &Allowed(allow), LaidBack::Never);
        let told = found.into_iter();
        told.map(|one| (one.kind, one.path, one.allowed.is_some())).collect()
    }

    #[test]
    fn a_test_that_is_gone_or_skipped_is_told_unless_it_is_allowed() {
        let before = ran(&[
            ("tests.test_a::test_b", TestOutcome::Passed),
            ("tests.test_a::test_c", TestOutcome::Failed),
            ("tests.test_a::test_d", TestOutcome::Skipped),
            ("tests.test_a::test_e", TestOutcome::Passed),
        ]);
        let now = ran(&[
            ("tests.test_a::test_c", TestOutcome::Skipped),
            ("tests.test_a::test_e", TestOutcome::Passed),
        ]);
        let gone = (ObjectionKind::TestGone, "tests.test_a::test_b".to_owned());
        let skipped = (ObjectionKind::TestSkipped, "tests.test_a::test_c".to_owned());
        assert_eq!(
            told(&before, &now, &[], &Allow::default()),
            [(gone.0, gone.1.clone(), false), (skipped.0, skipped.1.clone(), false)]
        );
        let allow = Allow {
            remove_tests: vec!["test_b".to_owned()],
            ..Allow::default()
        };
        assert_eq!(
            told(&before, &now, &[], &allow),
            [(gone.0, gone.1, true), (skipped.0, skipped.1, false)]
        );
    }

    #[test]
    fn a_renamed_test_is_known_by_its_body_and_stands_for_one_only() {
        let before = ran(&[
            ("tests.test_a::test_b", TestOutcome::Passed),
            ("tests.test_a::test_c", TestOutcome::Passed),
        ]);
        let body = "    assert one() == 1\n";
        let old = format!("def test_b():\n{body}\ndef test_c():\n{body}");
        let both = format!("def test_x():\n{body}\ndef test_y():\n{body}");
        let now = ran(&[
            ("tests.test_a::test_x", TestOutcome::Passed),
            ("tests.test_a::test_y", TestOutcome::Passed),
        ]);
        assert!(told(&before, &now, &[file(&old, &both)], &Allow::default()).is_empty());
        let one = format!("def test_x():\n{body}");
        let now = ran(&[("tests.test_a::test_x", TestOutcome::Passed)]);
        assert_eq!(told(&before, &now, &[file(&old, &one)], &Allow::default()).len(), 1);
        let weaker = both.replace("== 1", "> 0");
        let now = ran(&[
            ("tests.test_a::test_x", TestOutcome::Passed),
            ("tests.test_a::test_y", TestOutcome::Passed),
        ]);
        assert_eq!(told(&before, &now, &[file(&old, &weaker)], &Allow::default()).len(), 2);
    }

    #[test]
    fn a_test_that_another_one_came_for_is_left_to_controls_that_lay_it_back() {
        let before = ran(&[("tests.test_a::test_b", TestOutcome::Passed)]);
        let now = ran(&[("tests.test_a::test_x", TestOutcome::Passed)]);
        let files = [file(
            "def test_b():\n    assert one() == 1\n",
            "def test_x():\n    assert one() > 0\n",
        )];
        let told =
            |now: &TestResults, laid_back| missing(&before, now, &files, &Allowed(&Allow::default()), laid_back).len();
        assert_eq!(told(&now, LaidBack::Later), 0);
        assert_eq!(told(&now, LaidBack::Never), 1);
        let other = ran(&[("tests.test_o::test_o", TestOutcome::Passed)]);
        assert_eq!(told(&other, LaidBack::Later), 1, "none came for it");
    }
}
