//! What code and the settings of runners name.

use super::table::{OF_LINTERS, Readers};
use crate::rules::{
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
const MIXED: [&str; 6] = [
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    "pytest.toml",
];

/// A plugin that switches on whatever other plugins are installed.
const SWITCHES_ON_ALL: &str = "pytest-enabler";

/// How code calls a recipe.
static CALLS_RECIPES: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r#"["'`](?:make|just|sh|bash)["'` ]|\.(?:sh|bash)\b"#));

/// Scripts and recipes, which tests can call.
const RECIPES: [&str; 6] = ["*.sh", "*.bash", "Makefile", "*.mk", "justfile", ".mocharc*"];

impl Words {
    /// Whether a file has a say.
    pub fn are_in(path: &str) -> bool {
        let is_one = |patterns: &[&str]| patterns.iter().any(|pattern| fits(path, pattern));
        // What a linter alone reads names it, and calls nothing.
        let is_own = OF_LINTERS.iter().any(|(_, files)| is_one(files));
        !is_own && (Family::of(path).is_some() || is_one(&MIXED) || is_one(&RECIPES))
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
            } else if MIXED.iter().any(|pattern| fits(path, pattern)) {
                // A plugin of a runner is switched on by a flag, or is a runner itself.
                let flags = text.split(|letter: char| letter.is_whitespace() || "\"'=,[]".contains(letter));
                let flags = flags.filter_map(|word| word.strip_prefix("--").or_else(|| word.split("runner-").nth(1)));
                flags.for_each(|word| words.add(word));
                if text.contains(SWITCHES_ON_ALL) {
                    words.add(SWITCHES_ON_ALL);
                }
            } else {
                let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
                code.for_each(|line| recipes.add(line));
            }
        }
        if are_called {
            words.0.extend(recipes.0);
        }
        words
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
