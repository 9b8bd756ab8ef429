//! Which tests are the run's own: those that it wrote, and those that it changed.

use super::{
    changed_file::{ChangedFile, Side},
    test_item::{TestItem, found_in, is_moved, lies_elsewhere, test_items},
};
use crate::{code::is_test_path, report::Report};
use std::collections::BTreeSet;
use trueup_core::test_results::{Test, TestResults};

/// The ids of the tests in a report that the run wrote or changed; of those
/// only that a name means, where one is said.
///
/// A table or a function beside tests can be what changed. Then no test
/// differs by itself, and all tests of that file count: whether they miss the
/// work is tried anyway.
pub fn run_tests(before: &Report, now: &Report, files: &[ChangedFile], name: Option<&str>) -> BTreeSet<String> {
    let (old, new) = (test_items(files, Side::Before), test_items(files, Side::After));
    let known = TestResults::of(&before.tests);
    let meant: Vec<&Test> = match name {
        Some(name) => now.named(name),
        None => now.tests.iter().collect(),
    };
    let is_own = |test: &&&Test| match known.lacks(&test.id) {
        true => !is_moved(test, &old, &new),
        false => is_changed(test, &old, &new),
    };
    let ids = |tests: Vec<&Test>| tests.into_iter().map(|test| test.id.clone()).collect();
    let own: Vec<&Test> = meant.iter().filter(is_own).copied().collect();
    if !own.is_empty() {
        return ids(own);
    }
    let is_beside = |test: &&&Test| {
        let found = found_in(test, &new).into_iter();
        let mut at_home = found.filter(|one| !lies_elsewhere(test, &one.path));
        at_home.any(|one| is_test_path(&one.path))
    };
    ids(meant.iter().filter(is_beside).copied().collect())
}

/// Whether a test of the base has another body now.
fn is_changed(test: &Test, old: &[TestItem], new: &[TestItem]) -> bool {
    let found = found_in(test, new).into_iter();
    let mut at_home = found.filter(|one| !lies_elsewhere(test, &one.path));
    at_home.any(|one| !old.iter().any(|old| old.key == one.key))
}

#[cfg(test)]
mod tests {
    use super::run_tests;
    use crate::{changes::ChangedFile, report::Report};
    use trueup_core::test_results::{Test, TestOutcome};

    fn report(ids: &[&str]) -> Report {
        let test = |id: &&str| Test {
            id: (*id).to_owned(),
            outcome: TestOutcome::Passed,
            file: None,
            line: None,
            message: String::new(),
        };
        Report {
            tests: ids.iter().map(test).collect(),
            ..Report::default()
        }
    }

    fn file(before: &str, after: &str) -> ChangedFile {
        ChangedFile {
            path: "tests/test_a.py".to_owned(),
            before: (!before.is_empty()).then(|| before.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        }
    }

    const ONE: &str = "def test_one():\n    assert f(1) == 1\n";
    const STRONGER: &str = "def test_one():\n    assert f(1) == 1\n    assert f(2) == 4\n";
    const TWO: &str = "\n\ndef test_two():\n    assert f(2) == 4\n";

    fn own(before: &[&str], now: &[&str], file: ChangedFile, name: Option<&str>) -> Vec<String> {
        let own = run_tests(&report(before), &report(now), &[file], name);
        own.into_iter().collect()
    }

    #[test]
    fn a_new_test_and_a_changed_one_are_the_runs_own_and_others_are_not() {
        let (one, two) = ("tests.test_a::test_one", "tests.test_a::test_two");
        let other = "tests.test_b::test_one";
        let written = file(ONE, &format!("{ONE}{TWO}"));
        assert_eq!(own(&[one, other], &[one, two, other], written.clone(), None), [two]);
        assert_eq!(own(&[one], &[one, two], written.clone(), Some("test_two")), [two]);
        assert!(own(&[one], &[one], written, Some("test_three")).is_empty());
        let changed = file(ONE, STRONGER);
        assert_eq!(own(&[one, two], &[one, two], changed, None), [one]);
    }

    #[test]
    fn one_more_case_of_a_test_is_the_runs_own() {
        let text = |cases: &str| format!("@pytest.mark.parametrize('n', [{cases}])\ndef test_n(n):\n    assert f(n)\n");
        let file = file(&text("1"), &text("1, 2"));
        let (one, two) = ("tests.test_a::test_n[1]", "tests.test_a::test_n[2]");
        assert!(own(&[one], &[one, two], file, None).contains(&two.to_owned()));
    }

    #[test]
    fn a_test_that_only_moved_or_was_renamed_is_not_the_runs_own() {
        let renamed = file(ONE, &ONE.replace("test_one", "test_uno"));
        let ids = (["tests.test_a::test_one"], ["tests.test_a::test_uno"]);
        assert!(own(&ids.0, &ids.1, renamed, Some("test_two")).is_empty());
    }

    #[test]
    fn where_only_a_table_beside_them_changed_all_tests_of_the_file_count() {
        let text = |rows: &str| format!("ROWS = [{rows}]\n\n\ndef test_rows():\n    assert all(f(r) for r in ROWS)\n");
        let id = "tests.test_a::test_rows";
        let table = file(&text("1"), &text("1, 2"));
        let both = [id, "tests.test_b::test_c"];
        assert_eq!(own(&both, &both, table, None), [id]);
    }
}
