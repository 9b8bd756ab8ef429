//! Which tests are the run's own: those that it wrote, and those that it changed.

use super::{
    changed_file::{ChangedFile, Side},
    test_item::{TestItem, found_in, lies_elsewhere, test_items},
};
use crate::{code::is_test_path, report::Report, test_id::without_parameters};
use std::collections::BTreeSet;
use trueup_core::{
    judge::RunTests,
    test_results::{Test, TestOutcome, TestResults},
};

/// The tests in a report that the run wrote or changed; of those only that a
/// name means, where one is said.
///
/// A table or a function beside tests can be what changed. Then no test
/// differs by itself, and all tests of that file count, though less is believed
/// of them.
pub fn run_tests(before: &Report, now: &Report, files: &[ChangedFile], name: Option<&str>) -> RunTests {
    let (old, new) = (test_items(files, Side::Before), test_items(files, Side::After));
    let seen = Seen {
        old: &old,
        new: &new,
        known: TestResults::of(&before.tests),
        is_green: before.tests.iter().all(|test| test.outcome != TestOutcome::Failed),
    };
    let meant: Vec<&Test> = match name {
        Some(name) => now.named(name),
        None => now.tests.iter().collect(),
    };
    let of = |is: &dyn Fn(&Test) -> bool| -> BTreeSet<String> {
        let found = meant.iter().filter(|test| is(test));
        found.map(|test| test.id.clone()).collect()
    };
    let written = of(&|test| seen.is_written(test));
    match written.is_empty() {
        false => RunTests::Written(written),
        true => RunTests::Beside(of(&|test| seen.at_home(test).iter().any(|one| is_test_path(&one.path)))),
    }
}

/// Passing cases of tests that the run gave another case. pytest counts cases,
/// so that one more in the middle renames those behind it, and is itself called
/// as another was: each of them may be the new one.
pub fn shifted_cases<'a>(own: &RunTests, now: &'a Report) -> Vec<&'a str> {
    let grown: BTreeSet<&str> = own.ids().iter().filter_map(|id| counted_case_of(id)).collect();
    let is_sibling = |test: &&Test| counted_case_of(&test.id).is_some_and(|of| grown.contains(of));
    let passed = now.tests.iter().filter(|test| test.outcome == TestOutcome::Passed);
    let siblings = passed.filter(is_sibling).map(|test| test.id.as_str());
    siblings.filter(|id| !own.ids().contains(*id)).collect()
}

/// The test of pytest whose case this is, where no case is known to keep its name.
fn counted_case_of(id: &str) -> Option<&str> {
    let test = without_parameters(id);
    let case = id.strip_prefix(test)?.strip_prefix('[')?.strip_suffix(']')?;
    let is_counted = case.split('-').any(|part| {
        let name = part.trim_end_matches(|letter: char| letter.is_ascii_digit());
        !name.is_empty() && name.len() < part.len()
    });
    is_counted.then_some(test)
}

/// What two trees say of tests.
struct Seen<'a> {
    /// The tests of files that differ, as they were.
    old: &'a [TestItem],
    /// The same, as they are.
    new: &'a [TestItem],
    /// What ran on the base.
    known: TestResults,
    /// Whether nothing failed on the base: then all of its tests are known.
    is_green: bool,
}

impl<'a> Seen<'a> {
    /// Where a test stands in files that differ.
    fn at_home(&self, test: &Test) -> Vec<&'a TestItem> {
        let found = found_in(test, self.new).into_iter();
        found.filter(|one| !lies_elsewhere(test, &one.path)).collect()
    }

    fn is_written(&self, test: &Test) -> bool {
        let found = self.at_home(test);
        let is_new = self.known.lacks(&test.id);
        let was = |one: &TestItem| self.old.iter().any(|old| old.key == one.key);
        let stood = |one: &TestItem| {
            let same = |old: &TestItem| (&old.path, &old.item.name) == (&one.path, &one.item.name);
            self.old.iter().any(|old| old.key == one.key && same(old))
        };
        match (is_new, found.is_empty()) {
            (false, _) => found.iter().any(|one| !was(one)),
            // Its body is another, or it stands as it stood and has one case more.
            // Where it has another name or place alone, it was only moved.
            (true, false) => {
                found.iter().any(|one| !was(one)) || found.iter().any(|one| stood(one)) && self.has_cases(test)
            }
            // It stands in no file as such: a macro makes it, or data do.
            (true, true) => self.has_cases(test) || self.is_green && !self.known.is_empty(),
        }
    }

    /// Whether another case of the same test ran on the base.
    fn has_cases(&self, test: &Test) -> bool {
        let plain = |id: &str| {
            let id = without_parameters(id);
            let own = id.find("::").map_or(0, |at| at + 2);
            let end = id
                .get(own..)
                .and_then(|name| name.find('/'))
                .map_or(id.len(), |at| own + at);
            id.get(..end).unwrap_or(id).to_owned()
        };
        let parent = plain(&test.id);
        parent != test.id && self.known.that_ran().any(|known| plain(&known.id) == parent)
    }
}

#[cfg(test)]
mod tests {
    use super::{run_tests, shifted_cases};
    use crate::{changes::ChangedFile, report::Report};
    use trueup_core::{
        judge::RunTests,
        test_results::{Test, TestOutcome},
    };

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
        match run_tests(&report(before), &report(now), &[file], name) {
            RunTests::Written(ids) => ids.into_iter().collect(),
            RunTests::Beside(ids) => ids.into_iter().map(|id| format!("beside {id}")).collect(),
        }
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
        let (one, two) = ("tests.test_a::test_n[1]", "tests.test_a::test_n[2]");
        assert_eq!(own(&[one], &[one, two], file(&text("1"), &text("1, 2")), None), [two]);
        let three = "tests.test_a::test_three";
        let more = text("1, 2") + "\n\ndef test_three():\n    assert f(3)\n";
        let both = own(&[one], &[one, two, three], file(&text("1"), &more), None);
        assert_eq!(both, [two, three], "beside a new test, too");
        let (go, case) = ("example.com/a::TestN/1", "example.com/a::TestN/2");
        assert_eq!(own(&[go], &[go, case], file("", ""), None), [case], "by data alone");
    }

    #[test]
    fn where_cases_are_counted_each_of_them_may_be_the_new_one() {
        let own = |id: &str| RunTests::Written([id.to_owned()].into());
        let cases: Vec<String> = (0..3).map(|at| format!("tests.test_a::test_n[xs{at}-]")).collect();
        let (now, new) = (
            report(&[&cases[0], &cases[1], &cases[2], "tests.test_a::test_m[xs0-]"]),
            &cases[2],
        );
        assert_eq!(
            shifted_cases(&own(new), &now),
            [&*cases[0], &*cases[1]],
            "of its own test alone"
        );
        let named = report(&["tests.test_a::test_n[one]", "tests.test_a::test_n[two]"]);
        assert!(
            shifted_cases(&own("tests.test_a::test_n[two]"), &named).is_empty(),
            "names stay"
        );
        let mut red = now;
        red.tests[0].outcome = TestOutcome::Failed;
        assert_eq!(
            shifted_cases(&own(new), &red),
            [&*cases[1]],
            "what fails now shows nothing"
        );
    }

    #[test]
    fn a_test_that_only_moved_or_was_renamed_is_not_written() {
        let renamed = file(ONE, &ONE.replace("test_one", "test_uno"));
        let ids = (["tests.test_a::test_one"], ["tests.test_a::test_uno"]);
        assert_eq!(own(&ids.0, &ids.1, renamed, None), ["beside tests.test_a::test_uno"]);
    }

    #[test]
    fn a_test_that_the_base_could_not_load_is_not_written() {
        let repaired = file(&format!("import gone\n\n\n{ONE}"), ONE);
        let id = "tests.test_a::test_one";
        assert_eq!(
            own(&["tests.test_b::test_c"], &[id], repaired.clone(), None),
            [format!("beside {id}")]
        );
        assert_eq!(own(&[], &[id], repaired, None), [format!("beside {id}")]);
    }

    #[test]
    fn a_test_that_stands_in_no_file_is_written_where_all_of_the_base_is_known() {
        let (old, made) = ("a::tests::one", "a::tests::two");
        let lib = ChangedFile {
            path: "src/lib.rs".to_owned(),
            before: Some(b"t!(one);\n".to_vec()),
            after: Some(b"t!(one);\nt!(two);\n".to_vec()),
        };
        assert_eq!(own(&[old], &[old, made], lib.clone(), None), [made]);
        assert!(
            own(&[], &[old, made], lib.clone(), None).is_empty(),
            "nothing is known of the base"
        );
        let mut red = report(&[old]);
        red.tests[0].outcome = TestOutcome::Failed;
        let found = run_tests(&red, &report(&[old, made]), &[lib], None);
        assert!(found.ids().is_empty(), "what failed may have hidden it");
    }

    #[test]
    fn where_only_a_table_beside_them_changed_all_tests_of_the_file_count() {
        let text = |rows: &str| format!("ROWS = [{rows}]\n\n\ndef test_rows():\n    assert all(f(r) for r in ROWS)\n");
        let id = "tests.test_a::test_rows";
        let table = file(&text("1"), &text("1, 2"));
        let both = [id, "tests.test_b::test_c"];
        assert_eq!(own(&both, &both, table, None), [format!("beside {id}")]);
    }
}
