//! Tests that ran on the base and do not run now.

use super::{
    Allowed, digest,
    names::{Written, found_in, written},
};
use crate::check::files::{File, Side};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};
use trueup_core::objection::{About, Objection};
use trueup_inspect::report::{Outcome, Report, Test};

/// The tests of reports, each once.
#[derive(Clone, Debug, Default)]
pub(in crate::check) struct Ran(pub(in crate::check) BTreeMap<String, (Ways, Test)>);

/// How a test ended, where several reports may tell of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) enum Ways {
    /// It was not run.
    Skipped,
    /// It passed.
    Passed,
    /// It failed, somewhere.
    Failed,
}

impl Ran {
    /// The tests of these reports.
    pub(in crate::check) fn of<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Self {
        let mut ran = Self::default();
        for test in reports.into_iter().flat_map(|report| &report.tests) {
            let way = match test.outcome {
                Outcome::Skipped => Ways::Skipped,
                Outcome::Passed => Ways::Passed,
                Outcome::Failed => Ways::Failed,
            };
            let known = ran.0.entry(test.id.clone()).or_insert((way, test.clone()));
            if way > known.0 {
                *known = (way, test.clone());
            }
        }
        ran
    }

    /// How a test ended, if it is told of.
    pub(in crate::check) fn way(&self, id: &str) -> Option<Ways> {
        self.0.get(id).map(|(way, _)| *way)
    }

    /// Whether a test is told of in no place. An example in documentation is
    /// called after its line, which others move.
    pub(in crate::check) fn lacks(&self, id: &str) -> bool {
        let same = |other: &String| without_line(other) == without_line(id);
        self.way(id).is_none() && !(is_example(id) && self.0.keys().any(same))
    }

    /// Those that ran.
    pub(in crate::check) fn that_ran(&self) -> impl Iterator<Item = &Test> {
        let ran = self.0.values().filter(|(way, _)| *way != Ways::Skipped);
        ran.map(|(_, test)| test)
    }
}

/// A test that the base does not have by this name.
struct Fresh<'a> {
    id: &'a str,
    bodies: BTreeSet<&'a str>,
}

impl Fresh<'_> {
    fn stands_for(&self, id: &str, bodies: &BTreeSet<&str>) -> bool {
        let is_moved = is_example(id) && without_line(self.id) == without_line(id);
        is_moved || !self.bodies.is_disjoint(bodies)
    }
}

/// Whether a test is called after the line it stands in, as examples in
/// documentation are.
fn is_example(id: &str) -> bool {
    without_line(id).len() < id.len()
}

/// A test's id without the number of a line: `a.rs - f (line 14)`.
fn without_line(id: &str) -> Cow<'_, str> {
    const OPENING: &str = " (line ";
    let found = id.rsplit_once(OPENING).and_then(|(before, rest)| {
        let (number, after) = rest.split_once(')')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| format!("{before}{after}"))
    });
    found.map_or(Cow::Borrowed(id), Cow::Owned)
}

/// What ran before and does not run now. A test that only has another name
/// now is known by its body; one new test stands for one that is gone.
pub(super) fn missing(before: &Ran, now: &Ran, files: &[File], allowed: &Allowed<'_>) -> Vec<Objection> {
    if now.0.is_empty() {
        return Vec::new();
    }
    let (old, new) = (written(files, Side::Before), written(files, Side::After));
    let mut fresh: Vec<Fresh<'_>> = now
        .that_ran()
        .filter(|test| before.way(&test.id).is_none())
        .map(|test| Fresh {
            id: &test.id,
            bodies: bodies(test, &new),
        })
        .collect();
    let mut found = Vec::new();
    for test in before.that_ran() {
        let written = found_in(test, &old);
        let file = test.file.as_deref().or_else(|| Some(written.first()?.path.as_str()));
        match now.way(&test.id) {
            Some(Ways::Passed | Ways::Failed) => {}
            Some(Ways::Skipped) => found.push(skipped(test, file, allowed)),
            None => {
                let bodies = bodies(test, &old);
                let stands_for = fresh.iter().position(|new| new.stands_for(&test.id, &bodies));
                match stands_for {
                    Some(at) => drop(fresh.swap_remove(at)),
                    None => found.push(gone(test, file, allowed)),
                }
            }
        }
    }
    found
}

fn bodies<'a>(test: &Test, all: &'a [Written]) -> BTreeSet<&'a str> {
    let found = found_in(test, all).into_iter();
    found.map(|written| written.key.as_str()).collect()
}

fn gone(test: &Test, file: Option<&str>, allowed: &Allowed<'_>) -> Objection {
    let about = About::TestGone;
    Objection {
        about,
        path: test.id.clone(),
        what: "this test ran on the base and does not run now: bring it back as it was".to_owned(),
        digest: digest(about, &[test.id.as_bytes()]),
        allowed: allowed.test(about, &test.id, file),
    }
}

fn skipped(test: &Test, file: Option<&str>, allowed: &Allowed<'_>) -> Objection {
    let about = About::TestSkipped;
    Objection {
        about,
        path: test.id.clone(),
        what: "this test ran on the base and is skipped now: let it run again".to_owned(),
        digest: digest(about, &[test.id.as_bytes()]),
        allowed: allowed.test(about, &test.id, file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::task::Allow;

    fn ran(tests: &[(&str, Outcome)]) -> Ran {
        let test = |(id, outcome): &(&str, Outcome)| Test {
            id: (*id).to_owned(),
            outcome: *outcome,
            file: None,
            line: None,
            message: String::new(),
        };
        Ran::of(&[Report {
            tests: tests.iter().map(test).collect(),
            ..Report::default()
        }])
    }

    fn file(before: &str, after: &str) -> File {
        File {
            path: "tests/test_a.py".to_owned(),
            before: Some(before.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        }
    }

    fn told(before: &Ran, now: &Ran, files: &[File], allow: &Allow) -> Vec<(About, String, bool)> {
        let found = missing(before, now, files, &Allowed(allow));
        let told = found.into_iter();
        told.map(|one| (one.about, one.path, one.allowed.is_some())).collect()
    }

    #[test]
    fn a_test_that_is_gone_or_skipped_is_told_unless_it_is_allowed() {
        let before = ran(&[
            ("tests.test_a::test_b", Outcome::Passed),
            ("tests.test_a::test_c", Outcome::Failed),
            ("tests.test_a::test_d", Outcome::Skipped),
            ("tests.test_a::test_e", Outcome::Passed),
        ]);
        let now = ran(&[
            ("tests.test_a::test_c", Outcome::Skipped),
            ("tests.test_a::test_e", Outcome::Passed),
        ]);
        let gone = (About::TestGone, "tests.test_a::test_b".to_owned());
        let skipped = (About::TestSkipped, "tests.test_a::test_c".to_owned());
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
            ("tests.test_a::test_b", Outcome::Passed),
            ("tests.test_a::test_c", Outcome::Passed),
        ]);
        let body = "    assert one() == 1\n";
        let old = format!("def test_b():\n{body}\ndef test_c():\n{body}");
        let both = format!("def test_x():\n{body}\ndef test_y():\n{body}");
        let now = ran(&[
            ("tests.test_a::test_x", Outcome::Passed),
            ("tests.test_a::test_y", Outcome::Passed),
        ]);
        assert!(told(&before, &now, &[file(&old, &both)], &Allow::default()).is_empty());
        let one = format!("def test_x():\n{body}");
        let now = ran(&[("tests.test_a::test_x", Outcome::Passed)]);
        assert_eq!(told(&before, &now, &[file(&old, &one)], &Allow::default()).len(), 1);
        let weaker = both.replace("== 1", "> 0");
        let now = ran(&[
            ("tests.test_a::test_x", Outcome::Passed),
            ("tests.test_a::test_y", Outcome::Passed),
        ]);
        assert_eq!(told(&before, &now, &[file(&old, &weaker)], &Allow::default()).len(), 2);
    }

    #[test]
    fn an_example_whose_line_moved_is_the_same_and_stands_for_one_only() {
        let name = |line: u32, more: &str| format!("src/price.rs - price::discount (line {line}){more}");
        let passed = |ids: &[String]| {
            let tests: Vec<(&str, Outcome)> = ids.iter().map(|id| (id.as_str(), Outcome::Passed)).collect();
            ran(&tests)
        };
        let before = passed(&[name(14, ""), name(20, "")]);
        let told = |now: &[String]| told(&before, &passed(now), &[], &Allow::default()).len();
        assert_eq!(told(&[name(20, ""), name(26, "")]), 0);
        assert_eq!(told(&[name(16, ""), name(22, "")]), 0);
        assert_eq!(told(&[name(16, "")]), 1, "one for one");
        assert_eq!(told(&[name(14, " - compile"), name(20, "")]), 1, "it is only compiled");
        assert!(!passed(&[name(16, "")]).lacks(&name(14, "")));
        assert!(passed(&[name(16, " - compile")]).lacks(&name(14, "")));
        assert!(passed(&[name(16, "")]).lacks("price::discount"));
    }
}
