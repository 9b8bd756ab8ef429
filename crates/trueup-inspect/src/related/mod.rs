//! The few files that most likely hold the fix of a failure, each with why.
//!
//! Nothing is run. What is named in an output and what tests import or are
//! named after is looked for first; then the files are read, up to a number,
//! that may define or use the words of the failure.

mod clue_words;
mod imports;

use crate::code::{Language, is_test_path};
use clue_words::{ClueWords, defined, words};
use std::collections::{BTreeMap, BTreeSet};

/// The most files that are named.
const MOST: usize = 5;

/// The most files that are read.
const READS: usize = 80;

/// The most tests that are looked at.
const TESTS: usize = 8;

/// How much of a text is looked through.
const TEXT: usize = 256 * 1024;

/// What is known of a failure.
#[derive(Clone, Copy, Debug)]
pub struct Clues<'a> {
    /// What the red check printed, to each of its two streams.
    pub printed: [&'a str; 2],
    /// The criterion and its check lines.
    pub asked: &'a str,
    /// Every path of the tree.
    pub paths: &'a [String],
    /// The paths that were changed so far.
    pub changed: &'a [String],
}

/// A file that may hold the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedFile {
    /// Where it stands.
    pub path: String,
    /// Why it is named, in words.
    pub reason: String,
}

/// How much each sign says.
const NAMED: u32 = 90;
const NEIGHBOUR: u32 = 60;
const IMPORTED: u32 = 45;
const DEFINES: u32 = 60;
const MENTIONS: u32 = 50;
const CALLED_SO: u32 = 15;
const CHANGED: u32 = 4;

/// What is found of each file: how much it says in all, and the signs.
#[derive(Default)]
struct Signs<'a>(BTreeMap<&'a str, OfFile>);

/// What is found of one file.
#[derive(Default)]
struct OfFile {
    all: u32,
    signs: Vec<(u32, String)>,
}

impl<'a> Signs<'a> {
    fn add(&mut self, path: &'a str, weight: u32, reason: String) {
        let file = self.0.entry(path).or_default();
        file.all += weight;
        file.signs.push((weight, reason));
    }

    fn weight(&self, path: &str) -> u32 {
        self.0.get(path).map_or(0, |file| file.all)
    }

    /// The files that say most, then in the order of the alphabet.
    fn best(self) -> Vec<RelatedFile> {
        let mut all: Vec<(&str, OfFile)> = self.0.into_iter().collect();
        all.sort_by(|(path, one), (other_path, other)| other.all.cmp(&one.all).then(path.cmp(other_path)));
        let file = |(path, mut of): (&str, OfFile)| {
            of.signs.sort_by_key(|(weight, _)| u32::MAX - weight);
            let reasons: Vec<String> = of.signs.into_iter().take(2).map(|(_, reason)| reason).collect();
            RelatedFile {
                path: path.to_owned(),
                reason: reasons.join("; "),
            }
        };
        all.into_iter().take(MOST).map(file).collect()
    }
}

/// Up to five files that most likely hold the fix, the likeliest first. `read`
/// gives the text of a file; it is asked at most for a fixed number of files.
pub fn related(clues: &Clues<'_>, mut read: impl FnMut(&str) -> Option<String>) -> Vec<RelatedFile> {
    let told: Vec<&str> = clues.printed.into_iter().chain([clues.asked]).map(cut).collect();
    let told = told.join("\n");
    let code: Vec<&str> = clues
        .paths
        .iter()
        .map(String::as_str)
        .filter(|path| is_code(path))
        .collect();
    let mut signs = Signs::default();
    let named = clue_words::named_files(&told, clues.paths);
    for path in named.iter().filter(|path| !is_test_path(path)) {
        signs.add(path, NAMED, "named in what failed".to_owned());
    }
    let tests = tests(&named, clues.changed);
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for test in &tests {
        for path in imports::neighbours(test, &code) {
            signs.add(path, NEIGHBOUR, format!("called like the test `{test}`"));
        }
        let Some(text) = read(test) else { continue };
        for path in imports::imported(test, cut(&text), &code) {
            signs.add(path, IMPORTED, format!("imported by `{test}`"));
        }
    }
    let words = words(&told);
    for path in &code {
        let stem = imports::stem(path);
        if words.holds(stem) {
            signs.add(path, CALLED_SO, format!("called like the word `{stem}` of what failed"));
        }
        if clues.changed.iter().any(|changed| changed == path) {
            signs.add(path, CHANGED, "changed by this work".to_owned());
        }
    }
    let mut order = code.clone();
    order.sort_by_key(|path| (u32::MAX - signs.weight(path), path.matches('/').count(), *path));
    for path in order.into_iter().take(READS - tests.len()) {
        if let Some(text) = read(path) {
            texts.insert(path, cut(&text).to_owned());
        }
    }
    by_words(&words, &texts, &mut signs);
    signs.best()
}

/// What the texts of the files define and mention of the words of the failure.
/// A word says the less the more files hold it.
fn by_words<'a>(words: &ClueWords, texts: &BTreeMap<&'a str, String>, signs: &mut Signs<'a>) {
    let holding: BTreeMap<&str, BTreeSet<&str>> =
        texts.iter().map(|(path, text)| (*path, words.within(text))).collect();
    let defining: BTreeMap<&str, BTreeSet<&str>> = texts.iter().map(|(path, text)| (*path, defined(text))).collect();
    let rarity = |word: &str, of: &BTreeMap<&str, BTreeSet<&str>>| {
        let files = of.values().filter(|held| held.contains(word)).count().max(1);
        1.0 / f64::from(u32::try_from(files).unwrap_or(u32::MAX))
    };
    let mut mentions: Vec<(&'a str, f64)> = Vec::new();
    let mut defines: Vec<(&'a str, f64, &str)> = Vec::new();
    for path in texts.keys() {
        let held = holding.get(path).into_iter().flatten();
        mentions.push((path, held.map(|word| rarity(word, &holding) * words.weight(word)).sum()));
        let own = defining
            .get(path)
            .into_iter()
            .flatten()
            .filter(|word| words.holds(word));
        let mut weighed: Vec<(f64, &str)> = own
            .map(|word| (rarity(word, &defining) * words.weight(word), *word))
            .collect();
        weighed.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
        if let Some((_, first)) = weighed.first() {
            defines.push((path, weighed.iter().map(|(weight, _)| weight).sum(), first));
        }
    }
    let most = |all: &mut dyn Iterator<Item = f64>| all.fold(0.0, f64::max);
    let most_mentioned = most(&mut mentions.iter().map(|(_, weight)| *weight));
    let most_defined = most(&mut defines.iter().map(|(_, weight, _)| *weight));
    for (path, weight, word) in defines {
        let points = share(DEFINES, weight, most_defined);
        if points > 0 {
            signs.add(path, points, format!("defines `{word}`"));
        }
    }
    for (path, weight) in mentions {
        let points = share(MENTIONS, weight, most_mentioned);
        if points > 0 {
            signs.add(path, points, "uses words of what failed".to_owned());
        }
    }
}

/// A share of some points, as large as a weight is of the greatest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of points is between nothing and all of them"
)]
fn share(points: u32, weight: f64, most: f64) -> u32 {
    if most > 0.0 {
        (f64::from(points) * weight / most).round() as u32
    } else {
        0
    }
}

/// The tests that failed or were changed, as far as they can be told.
fn tests<'a>(named: &[&'a str], changed: &'a [String]) -> Vec<&'a str> {
    let changed = changed.iter().map(String::as_str);
    let mut tests: Vec<&str> = Vec::new();
    for path in named.iter().copied().chain(changed) {
        if is_test_path(path) && Language::of(path).is_some() && !tests.contains(&path) && tests.len() < TESTS {
            tests.push(path);
        }
    }
    tests
}

fn is_code(path: &str) -> bool {
    Language::of(path).is_some() && !is_test_path(path)
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(TEXT)).unwrap_or(text)
}
