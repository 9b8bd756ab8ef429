//! What code and the settings of runners name.

use super::table::{OF_LINTERS, OF_RUNNERS, Readers};
use crate::rules::{
    meaning::meaning,
    paths::fits,
    pattern::Pattern,
    source::{Family, lines},
};
use std::{collections::BTreeSet, sync::LazyLock};

/// The words of the code of a tree, and of the settings of its runners:
/// whatever tests call is named there.
#[derive(Clone, Debug, Default)]
pub struct Words(BTreeSet<String>);

/// Settings in which other programs have tables of their own.
const MIXED: [&str; 4] = ["package.json", "pyproject.toml", "setup.cfg", "tox.ini"];

/// Settings that pytest alone reads.
const OF_PYTEST: [&str; 4] = ["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"];

/// Tables of runners in a `package.json`; a runner that is not known may call everything anyway.
const TABLES_OF_RUNNERS: [&str; 3] = ["/jest", "/mocha", "/ava"];

/// A plugin that switches on whatever other plugins are installed.
const SWITCHES_ON_ALL: &str = "pytest-enabler";

/// How code calls a recipe.
static CALLS_RECIPES: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r#"["'`](?:make|just|sh|bash)["'` ]|\.(?:sh|bash)\b"#));

/// Scripts and recipes, which tests can call.
const RECIPES: [&str; 5] = ["*.sh", "*.bash", "Makefile", "*.mk", "justfile"];

impl Words {
    /// Whether a file has a say.
    pub fn are_in(path: &str) -> bool {
        // What a linter alone reads names it, and calls nothing.
        let is_own = OF_LINTERS.iter().any(|(_, files)| is_one(path, files));
        let is_known = || is_of_runner(path) || is_one(path, &MIXED) || is_one(path, &RECIPES);
        !is_own && (Family::of(path).is_some() || is_known())
    }

    /// Those of these files.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let (mut words, mut recipes, mut are_called) = (Self::default(), Self::default(), false);
        for (path, text) in files.into_iter().filter(|(path, _)| Self::are_in(path)) {
            if let Some(family) = Family::of(path) {
                for line in lines(family, text) {
                    words.add(&line.text);
                    are_called |= CALLS_RECIPES.fits(&line.text);
                }
            } else if is_of_runner(path) {
                words.add_settings(text);
            } else if is_one(path, &MIXED) {
                words.add_flags(text);
                words.add_settings(&of_runner(path, text));
            } else {
                recipes.add_settings(text);
            }
        }
        if are_called {
            words.0.extend(recipes.0);
        }
        words
    }

    /// Adds the words of settings, without comments.
    fn add_settings(&mut self, text: &str) {
        let said = text.lines().filter(|line| !line.trim_start().starts_with(['#', ';']));
        said.for_each(|line| self.add(line));
    }

    /// Adds what switches on a plugin of a runner wherever it stands: a flag, or
    /// the name of a plugin that is a runner itself.
    fn add_flags(&mut self, text: &str) {
        let words = text.split(|letter: char| letter.is_whitespace() || "\"'=,[]".contains(letter));
        let flags = words.filter_map(|word| word.strip_prefix("--").or_else(|| word.split("runner-").nth(1)));
        flags.for_each(|word| self.add(word));
        if text.contains(SWITCHES_ON_ALL) {
            self.add(SWITCHES_ON_ALL);
        }
    }

    /// Adds the words of a line; what a dash joins counts in parts as well.
    pub(super) fn add(&mut self, line: &str) {
        let is_between = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
        for word in line.split(is_between).filter(|word| !word.is_empty()) {
            let word = word.trim_matches('-').to_ascii_lowercase();
            self.0.extend(word.split('-').map(str::to_owned));
            self.0.insert(word);
        }
    }

    /// Whether one of these programs is among them; where they are not known,
    /// one may be.
    pub fn name(&self, readers: Option<Readers>) -> bool {
        let has = |reader: &str| self.0.contains(reader);
        readers.is_none_or(|readers| has(SWITCHES_ON_ALL) || readers.iter().any(|reader| has(reader)))
    }
}

fn is_one(path: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| fits(path, pattern))
}

/// Whether a runner alone reads a file.
fn is_of_runner(path: &str) -> bool {
    is_one(path, &OF_PYTEST) || OF_RUNNERS.iter().any(|(_, files)| is_one(path, files))
}

/// What a runner reads of a file in which others have tables as well; all of
/// it, where it cannot be read.
fn of_runner(path: &str, text: &str) -> String {
    let tables = |keys: &[&str]| {
        let meaning = meaning(path, text.as_bytes());
        meaning.map_or_else(
            || text.to_owned(),
            |meaning| {
                let tables = keys.iter().filter_map(|key| meaning.pointer(key));
                tables.map(ToString::to_string).collect::<Vec<_>>().join("\n")
            },
        )
    };
    if fits(path, "package.json") {
        tables(&TABLES_OF_RUNNERS)
    } else if fits(path, "pyproject.toml") {
        tables(&["/tool/pytest"])
    } else {
        sections_of_pytest(text)
    }
}

/// The sections of a `setup.cfg` or a `tox.ini` that are called after pytest.
fn sections_of_pytest(text: &str) -> String {
    let mut is_read = false;
    let of_pytest = text.lines().filter(|line| {
        if line.trim_start().starts_with('[') {
            is_read = line.contains("pytest");
        }
        is_read
    });
    of_pytest.collect::<Vec<_>>().join("\n")
}
