//! Tests that are gone, laid back as they stood.

use crate::played::{Case, Failed, PYTEST, Passed, Skipped, Tests, changed, ended, goal, run_tests};
use trueup_core::task::Allow;
use trueup_inspect::{challenge::Probe, changes::ChangedFile};

const OLD: &str = "tests.test_a::test_a";
const NEW: &str = "tests.test_a::test_b";

/// The one is gone, and the other came for it.
fn case(files: &[ChangedFile]) -> Case {
    Case::of(goal(PYTEST), files).reports(&[(OLD, Passed)], &[(NEW, Passed)])
}

fn told(case: &Case, exit: i32, tests: Tests<'_>) -> String {
    case.play(Probe::Former, |_| ended(exit, tests)).told().join("\n")
}

#[test]
fn a_test_that_is_gone_is_told_unless_it_was_seen_to_pass_as_it_stood() {
    let (was, is) = (
        "def test_a():\n    assert f() == 1\n",
        "def test_b():\n    assert f() > 0\n",
    );
    let mut case = case(&[changed("tests/test_a.py", Some(was), Some(is))]);
    assert_eq!(told(&case, 0, &[(OLD, Passed)]), "");
    let gone = format!("TestGone {OLD}: this test ran on");
    for unseen in [(OLD, Skipped), (NEW, Passed)] {
        assert_eq!(told(&case, 0, &[unseen]), gone, "{unseen:?}");
    }
    let fails = told(&case, 1, &[(OLD, Failed)]);
    assert_eq!(fails, format!("TestChanged {OLD}: this test stands elsewhere"));
    case.allow = Allow {
        remove_tests: vec!["test_a".to_owned()],
        ..Allow::default()
    };
    assert_eq!(told(&case, 0, &[(NEW, Passed)]), format!("{gone} [test_a]"));
}

#[test]
fn a_goal_that_asks_for_a_change_allows_no_test_to_go() {
    let (was, is) = (
        "def test_a():\n    assert f() == 1\n",
        "def test_b():\n    assert f() > 0\n",
    );
    let mut case = case(&[changed("tests/test_a.py", Some(was), Some(is))]);
    case.checks = vec![run_tests(Some("test_a"))];
    let fails = told(&case, 1, &[(OLD, Failed)]);
    assert_eq!(fails, format!("TestChanged {OLD}: this test stands elsewhere"));
}

#[test]
fn where_nothing_can_be_laid_back_nothing_was_seen() {
    let settings = changed("pytest.ini", Some(""), Some("[pytest]\nnorecursedirs = tests\n"));
    let told = told(&case(&[settings]), 0, &[(OLD, Passed)]);
    assert_eq!(told, format!("TestGone {OLD}: this test ran on"));
}
