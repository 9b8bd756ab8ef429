//! What tests of goals have in common with the work.

use super::Home;
use crate::{
    challenge::replay::Replay,
    changes::Side,
    code::{self, Language, SharedValue, is_test_path},
};
use std::collections::BTreeSet;

/// How many things that have no other name tests must name, to say anything.
pub(super) const FEWEST: usize = 3;

/// Of how many texts with parts in new code three must stand in tests.
const OF: usize = 4;

/// How many texts with parts new code may name and still be a table of what tests
/// ask for. More of them are data, and each is looked for in every test.
const MOST_TEXTS: usize = 2000;

/// How many files that are no code are looked into.
const MOST_DATA: usize = 200;

/// Something of a test that nobody writes into code unless it is what the test
/// asks, or what it wants to be answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Telling<'a> {
    /// A value of several parts, or a letter that is none of ASCII.
    Value(SharedValue),
    /// A file that a test compares an answer with.
    Answer(&'a str),
}

/// What tests have in common with the work.
pub(super) struct Shared<'a> {
    /// Values that stand in new code.
    pub(super) values: BTreeSet<SharedValue>,
    /// Files among the tests that are no code.
    pub(super) data: Vec<(&'a str, &'a str)>,
    /// Those of them that are written down whole in the work.
    pub(super) answers: BTreeSet<&'a str>,
    /// Whether most texts with parts that the new code names are the tests'.
    pub(super) texts_tell: bool,
}

/// The files among the tests that are no code, where it matters what they hold.
pub(super) fn data_files(replay: &Replay<'_>, values: &BTreeSet<SharedValue>) -> Vec<String> {
    let is_work = |path: &str| !is_test_path(path);
    let holds_lines = replay.trees.files.iter().any(|file| {
        is_work(&file.path)
            && file
                .text(Side::After)
                .is_some_and(|text| text.contains("\\n") || Language::of(&file.path).is_none())
    });
    if values.iter().filter(|value| value.is_telling()).count() < FEWEST && !holds_lines {
        return Vec::new();
    }
    let data = replay.trees.paths.iter();
    let data = data.filter(|path| is_test_path(path) && Language::of(path).is_none());
    data.take(MOST_DATA).cloned().collect()
}

impl<'a> Shared<'a> {
    pub(super) fn of(
        replay: &Replay<'_>,
        homes: &[Home<'_>],
        mut values: BTreeSet<SharedValue>,
        data: Vec<(&'a str, &'a str)>,
    ) -> Self {
        let of_tests = homes
            .iter()
            .flat_map(|home| code::letters_of_tests(home.path, home.text));
        let of_tests: BTreeSet<SharedValue> = of_tests.map(SharedValue::Letter).collect();
        let letters = values.iter().filter(|value| matches!(value, SharedValue::Letter(_)));
        // Who names a letter that no test holds did not have it from there.
        let are_of_tests = letters.clone().all(|letter| of_tests.contains(letter)) && letters.count() >= FEWEST;
        values.retain(|value| are_of_tests || !matches!(value, SharedValue::Letter(_)));
        let texts = || {
            homes
                .iter()
                .map(|home| home.text)
                .chain(data.iter().map(|(_, text)| *text))
        };
        let parted = values.iter().filter_map(|value| match value {
            SharedValue::Text(text) if value.is_telling() => Some(text.as_str()),
            SharedValue::Text(_) | SharedValue::Number(_) | SharedValue::Letter(_) => None,
        });
        let parted: Vec<&str> = parted.take(MOST_TEXTS + 1).collect();
        let all = parted.len();
        let is_known = |value: &&&str| texts().any(|text| text.contains(**value));
        let known = match all > MOST_TEXTS {
            true => 0,
            false => parted.iter().filter(is_known).count(),
        };
        Self {
            texts_tell: known >= FEWEST && known * OF >= all * (OF - 1),
            answers: written_answers(replay, &data),
            values,
            data,
        }
    }

    /// What of a value that a test names tells something.
    pub(super) fn telling(&self, value: &SharedValue) -> Option<Telling<'a>> {
        let tells = match value {
            SharedValue::Text(_) => self.texts_tell && value.is_telling(),
            SharedValue::Letter(_) => true,
            SharedValue::Number(_) => false,
        };
        tells.then(|| Telling::Value(value.clone()))
    }
}

/// The answers of tests that are written down in the work, if they are several.
fn written_answers<'a>(replay: &Replay<'_>, data: &[(&'a str, &'a str)]) -> BTreeSet<&'a str> {
    let work = replay.trees.files.iter().filter(|file| !is_test_path(&file.path));
    let written = work.filter_map(|file| {
        let after = file.text(Side::After)?;
        Some(code::written_answers(data, file.text(Side::Before), after))
    });
    let answers: BTreeSet<&str> = written.flatten().collect();
    match answers.len() >= FEWEST {
        true => answers,
        false => BTreeSet::new(),
    }
}
