//! New cases of tests that were there before.
//!
//! One more input that is kept for a fuzz test, or one more row of a table
//! that a test reads, is reported under a name of its own. What it asserts
//! stands in the test whose case it is.

use super::{replay::Replay, step::Ask};
use crate::{
    changes::{TestItem, found_in, tests_in},
    code::{Language, is_test_path},
    report::{Report, Test},
};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{
    criterion::{Check, Role},
    test_results::TestResults,
};

/// How many files are looked into.
const MOST_FILES: usize = 4000;

/// Whose case a test may be, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parent<'a> {
    /// The id of the test that has cases.
    id: &'a str,
    /// The language whose runners call cases so.
    language: Language,
}

impl Parent<'_> {
    /// Whether it, or another case of it, ran.
    fn ran(&self, before: &TestResults) -> bool {
        let is_own = |id: &str| id == self.id || parents(id).contains(self);
        before.that_ran().any(|test| is_own(&test.id))
    }
}

/// The tests of a tree, as far as they can be a parent.
struct Standing<'a> {
    /// In files that differ, as they were.
    old: &'a [TestItem],
    /// In files that differ, as they are.
    new: &'a [TestItem],
    /// In files that do not differ.
    same: &'a [TestItem],
}

impl Standing<'_> {
    /// Whether a parent is found, and is everywhere what it was. One that is
    /// not found may have been changed in a file that nobody here can read.
    fn holds(&self, parent: &Parent<'_>, test: &Test) -> bool {
        let test = Test {
            id: parent.id.to_owned(),
            ..test.clone()
        };
        let of = |all| {
            let found = found_in(&test, all).into_iter();
            found.filter(|one| Language::of(&one.path) == Some(parent.language))
        };
        let was = |one: &TestItem| of(self.old).any(|old| old.key == one.key);
        let is_found = of(self.same).chain(of(self.new)).next().is_some();
        is_found && of(self.new).all(was)
    }
}

/// Which of these tests are new cases of a test that ran on the base and was
/// not changed since.
pub(super) fn cases_of_old(replay: &Replay<'_>, ids: &[String]) -> Result<BTreeSet<String>, Ask> {
    let (Some(before), Some(now)) = (&replay.subject.before, &replay.subject.now) else {
        return Ok(BTreeSet::new());
    };
    let wanted = wanted(replay.subject.checks.iter().copied(), before, now);
    let ran = replay.subject.results_before();
    let mut cases: BTreeMap<&str, Vec<Parent<'_>>> = BTreeMap::new();
    for id in ids.iter().filter(|id| !wanted.contains(id.as_str())) {
        let parents: Vec<_> = parents(id).into_iter().filter(|parent| parent.ran(&ran)).collect();
        if !parents.is_empty() {
            cases.insert(id, parents);
        }
    }
    if cases.is_empty() {
        return Ok(BTreeSet::new());
    }
    // Only files that hold the name of a parent are parsed.
    let parents = cases.values().flatten();
    let names: BTreeSet<&str> = parents
        .filter_map(|parent| parent.id.rsplit([':', '.']).next())
        .collect();
    let same = unchanged(replay, &names)?;
    let (old, new) = replay.test_items();
    let standing = Standing { old, new, same: &same };
    let is_old = |test: &&Test| {
        let mut parents = cases.get(test.id.as_str()).into_iter().flatten();
        parents.any(|parent| standing.holds(parent, test))
    };
    let old = now.tests.iter().filter(is_old);
    Ok(old.map(|test| test.id.clone()).collect())
}

/// The tests of files that do not differ and hold one of these names.
fn unchanged(replay: &Replay<'_>, names: &BTreeSet<&str>) -> Result<Vec<TestItem>, Ask> {
    let is_read = |path: &&String| {
        let has_cases = matches!(Language::of(path), Some(Language::Go | Language::Python));
        has_cases && is_test_path(path) && replay.changed(path).is_none()
    };
    let paths = replay.trees.paths.iter().filter(is_read).take(MOST_FILES);
    let texts = replay.texts(paths.cloned().collect())?.into_iter();
    let texts = texts.filter(|(_, text)| names.iter().any(|name| text.contains(name)));
    Ok(texts.flat_map(|(path, text)| tests_in(path, text)).collect())
}

/// The cases that goals ask for by names that the base does not have: they
/// are what was to be written, so they must be seen to fail.
fn wanted<'a, 'c>(checks: impl Iterator<Item = &'c Check>, before: &Report, now: &'a Report) -> BTreeSet<&'a str> {
    let goals = checks.filter(|check| check.role == Role::Goal);
    let names = goals.filter_map(Check::asked_test);
    let new = names.filter(|name| before.named(name).is_empty());
    new.flat_map(|name| now.named(name))
        .map(|test| test.id.as_str())
        .collect()
}

/// The tests whose case one of this id may be: `package::Test/case` in Go,
/// `module::test[case]` in Python.
fn parents(id: &str) -> Vec<Parent<'_>> {
    let own = id.find("::").map_or(0, |at| at + 2);
    let of_go = id.get(own..).and_then(|name| name.find('/'));
    let of_python = id.find('[').filter(|_| id.ends_with(']'));
    let parent = |end: usize, language| {
        Some(Parent {
            id: id.get(..end).filter(|id| !id.is_empty() && !id.contains(' '))?,
            language,
        })
    };
    let of_go = of_go.and_then(|at| parent(own + at, Language::Go));
    let of_python = of_python.and_then(|at| parent(at, Language::Python));
    of_go.into_iter().chain(of_python).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::{
        criterion::{CheckMethod, Execution, Network, Visibility},
        id::CheckId,
        test_results::TestOutcome,
    };

    fn test(id: &str) -> Test {
        Test {
            id: id.to_owned(),
            outcome: TestOutcome::Passed,
            file: None,
            line: None,
            message: String::new(),
        }
    }

    #[test]
    fn a_case_is_told_by_how_its_runner_calls_it() {
        let of = |id| {
            let parents = parents(id).into_iter();
            parents.map(|one| (one.id, one.language)).collect::<Vec<_>>()
        };
        let fuzz = "example.com/shop::FuzzRefund";
        assert_eq!(of("example.com/shop::FuzzRefund/b81d44e2"), [(fuzz, Language::Go)]);
        assert_eq!(of("example.com/shop::FuzzRefund/a/b"), [(fuzz, Language::Go)]);
        let python = [("tests.test_a::test_b", Language::Python)];
        assert_eq!(of("tests.test_a::test_b[1.5]"), python);
        assert!(of("example.com/shop::TestTotal").is_empty());
        assert!(of("src/a.test.ts::cart > adds").is_empty());
        assert!(of("src/a.test.ts::it handles a/b").is_empty());
    }

    #[test]
    fn a_case_that_a_goal_asks_for_by_a_new_name_is_wanted() {
        let report = |ids: &[&str]| Report {
            tests: ids.iter().map(|id| test(id)).collect(),
            ..Report::default()
        };
        let (before, now) = (report(&["a::FuzzB"]), report(&["a::FuzzB", "a::FuzzB/2"]));
        let wanted = |role, name: &str| {
            let how = CheckMethod::Test {
                name: name.to_owned(),
                of: "tests".to_owned(),
                execution: Execution::new(vec!["go".to_owned()], 1000, Network::Off),
            };
            let check = Check {
                id: CheckId::new("A.1"),
                role,
                how,
                sight: Visibility::Open,
                source: String::new(),
                line: 1,
            };
            let found = wanted([&check].into_iter(), &before, &now).into_iter();
            found.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(wanted(Role::Goal, "FuzzB/2"), ["a::FuzzB/2"]);
        assert_eq!(wanted(Role::Goal, "2"), ["a::FuzzB/2"]);
        assert!(wanted(Role::Goal, "FuzzB").is_empty(), "it was there");
        assert!(wanted(Role::Guard, "FuzzB/2").is_empty(), "a guard is no goal");
    }

    #[test]
    fn a_case_is_old_only_where_its_test_or_another_case_of_it_ran() {
        let ran = |id: &str, tests: &[Test]| {
            let before = TestResults::of(tests);
            parents(id).iter().any(|parent| parent.ran(&before))
        };
        assert!(ran("a::test_b[2]", &[test("a::test_b[1]")]));
        assert!(ran("a::FuzzB/2", &[test("a::FuzzB")]));
        assert!(!ran("a::FuzzB/2", &[test("a::FuzzC"), test("b::FuzzB")]));
        let skipped = Test {
            outcome: TestOutcome::Skipped,
            ..test("a::FuzzB")
        };
        assert!(!ran("a::FuzzB/2", &[skipped]));
    }

    #[test]
    fn a_case_is_new_where_its_test_was_changed_or_is_not_found() {
        let fuzz = |body: &str| {
            let text = format!("package a\n\nimport \"testing\"\n\nfunc FuzzB(f *testing.F) {{\n{body}\n}}\n");
            tests_in("b_test.go", &text)
        };
        let (was, other) = (fuzz("\tf.Fuzz(one)"), fuzz("\tf.Fuzz(none)"));
        let holds = |id: &str, old: &[TestItem], new: &[TestItem], same: &[TestItem]| {
            let standing = Standing { old, new, same };
            parents(id).iter().any(|parent| standing.holds(parent, &test(id)))
        };
        assert!(holds("a::FuzzB/2", &[], &[], &was), "its file is the same");
        assert!(holds("a::FuzzB/2", &was, &was, &[]), "its file differs elsewhere");
        assert!(!holds("a::FuzzB/2", &was, &other, &[]), "it was changed");
        assert!(!holds("a::FuzzB/2", &was, &other, &was), "one of two was changed");
        assert!(!holds("a::FuzzB/2", &[], &[], &[]), "it is not found");
        let python = tests_in("tests/test_a.py", "def test_b(n):\n    assert n\n");
        assert!(holds("tests.test_a::test_b[2]", &[], &[], &python));
        assert!(!holds("a::test_b/2", &[], &[], &python), "not called so in Python");
    }
}
