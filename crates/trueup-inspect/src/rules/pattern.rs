//! A regular expression of a table.

use regex::bytes::{Regex, RegexBuilder};
use std::sync::OnceLock;

/// A regular expression over ASCII words: what it looks for is spelled so, and
/// it compiles many times faster. It is compiled when it is first asked, for
/// most trees hold few languages. One that could not be compiled fits
/// everything, so that a mistake in a table shows at once and hides nothing.
#[derive(Debug)]
pub(super) struct Pattern {
    expression: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// The pattern of an expression.
    pub(super) fn new(expression: &str) -> Self {
        Self {
            expression: expression.to_owned(),
            compiled: OnceLock::new(),
        }
    }

    /// The expression as it is written.
    pub(super) fn expression(&self) -> &str {
        &self.expression
    }

    /// Whether the expression is one.
    pub(super) fn is_sound(&self) -> bool {
        self.regex().is_some()
    }

    fn regex(&self) -> Option<&Regex> {
        let compile = || RegexBuilder::new(&self.expression).unicode(false).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }

    /// How often it fits.
    pub(super) fn count(&self, text: &str) -> usize {
        let regex = self.regex();
        regex.map_or(1, |regex| regex.find_iter(text.as_bytes()).count())
    }

    /// Whether it fits at all.
    pub(super) fn fits(&self, text: &str) -> bool {
        let regex = self.regex();
        regex.is_none_or(|regex| regex.is_match(text.as_bytes()))
    }

    /// What its first group holds, wherever it fits.
    pub(super) fn names(&self, text: &str) -> Vec<String> {
        let Some(regex) = self.regex() else {
            return Vec::new();
        };
        let found = regex.captures_iter(text.as_bytes());
        let names = found.filter_map(|captures| captures.iter().skip(1).flatten().next().map(|name| name.as_bytes()));
        names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// The text without everything it fits.
    pub(super) fn without(&self, text: &str) -> String {
        let Some(regex) = self.regex() else {
            return text.to_owned();
        };
        let kept = regex.replace_all(text.as_bytes(), b" ".as_slice());
        String::from_utf8_lossy(&kept).into_owned()
    }
}
