//! Tests that ran on the base and do not run now.

use super::test_item::{TestItem, file_of, found_in};
use crate::{report::Test, test_id::without_parameters};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::test_results::{TestOutcome, TestResults};

/// A test that ran on the base and is told of no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoneTest<'a> {
    /// The test.
    pub test: &'a Test,
    /// The file it stood in, if that is known.
    pub file: Option<String>,
    /// What its file holds in its place.
    pub place: Place,
}

/// What a file holds in the place of a test that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file lost more tests than it gained.
    Empty,
    /// The file gained as many tests as it lost: this one may have been
    /// rewritten under another name. Whether it still passes, as it stood, can
    /// be executed.
    Filled,
}

/// A test that the base does not have by this name.
struct Fresh<'a> {
    test: &'a Test,
    bodies: BTreeSet<&'a str>,
}

impl Fresh<'_> {
    fn stands_for(&self, bodies: &BTreeSet<&str>) -> bool {
        !self.bodies.is_disjoint(bodies)
    }
}

/// What ran before and is told of no more. A test that only has another name
/// now is known by its body; one new test stands for one that is gone.
///
/// `old` and `new` are the tests of the files that differ.
pub fn gone_tests<'a>(
    before: &'a TestResults,
    now: &TestResults,
    old: &[TestItem],
    new: &[TestItem],
) -> Vec<GoneTest<'a>> {
    let mut fresh: Vec<Fresh<'_>> = now
        .that_ran()
        .filter(|test| before.lacks(&test.id))
        .map(|test| Fresh {
            test,
            bodies: bodies(test, new),
        })
        .collect();
    let mut gone = Vec::new();
    for test in before.that_ran().filter(|test| now.lacks(&test.id)) {
        let bodies = bodies(test, old);
        match fresh.iter().position(|new| new.stands_for(&bodies)) {
            Some(at) => drop(fresh.swap_remove(at)),
            None => gone.push(test),
        }
    }
    let passed = fresh
        .iter()
        .map(|one| one.test)
        .filter(|test| test.outcome == TestOutcome::Passed);
    let gained = Held::of(passed.map(|test| (test, found_in(test, new))));
    let lost = Held::of(gone.iter().map(|test| (*test, found_in(test, old))));
    let place = |home: &str| match gained.at_least(&lost, home) {
        true => Place::Filled,
        false => Place::Empty,
    };
    let gone = gone.into_iter().map(|test| {
        let items = found_in(test, old);
        GoneTest {
            test,
            place: place(&home(test, &items)),
            file: file_of(test, &items).map(str::to_owned),
        }
    });
    gone.collect()
}

fn bodies<'a>(test: &Test, all: &'a [TestItem]) -> BTreeSet<&'a str> {
    let found = found_in(test, all).into_iter();
    found.map(|item| item.key.as_str()).collect()
}

/// The tests of each file: as they were reported, and as they are written.
/// One that is written can be reported with any number of cases.
#[derive(Default)]
struct Held {
    reported: BTreeMap<String, usize>,
    written: BTreeMap<String, BTreeSet<String>>,
}

impl Held {
    fn of<'a>(tests: impl Iterator<Item = (&'a Test, Vec<&'a TestItem>)>) -> Self {
        let mut held = Self::default();
        for (test, items) in tests {
            let home = home(test, &items);
            let plain = without_parameters(&test.id);
            let name = items.first().map_or(plain, |item| item.item.name.as_str());
            held.written.entry(home.clone()).or_default().insert(name.to_owned());
            *held.reported.entry(home).or_default() += 1;
        }
        held
    }

    fn at_least(&self, other: &Self, home: &str) -> bool {
        let written = |held: &Self| held.written.get(home).map_or(0, BTreeSet::len);
        self.reported.get(home) >= other.reported.get(home) && written(self) >= written(other)
    }
}

/// Where a test stands: in its file; where nobody knows it, in what its id
/// says before its own name. Tests of Rust are said to lie where their crate
/// begins, so that what the files show comes first.
fn home(test: &Test, items: &[&TestItem]) -> String {
    let above = || test.id.rsplit_once("::").map_or("", |(above, _)| above).to_owned();
    let found = items.first().map(|item| item.path.clone());
    found.or_else(|| test.file.clone()).unwrap_or_else(above)
}
