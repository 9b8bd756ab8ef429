//! A regular expression of a table.

use regex::bytes::{Regex, RegexBuilder};

/// A compiled regular expression over ASCII words: what it looks for is
/// spelled so, and it compiles many times faster. One that could not be
/// compiled fits everything, so that a mistake in a table shows at once and
/// hides nothing.
pub(super) struct Pattern(Option<Regex>);

impl Pattern {
    /// Compiles an expression.
    pub(super) fn new(expression: &str) -> Self {
        Self(RegexBuilder::new(expression).unicode(false).build().ok())
    }

    /// How often it fits.
    pub(super) fn count(&self, text: &str) -> usize {
        let regex = self.0.as_ref();
        regex.map_or(1, |regex| regex.find_iter(text.as_bytes()).count())
    }

    /// Whether it fits at all.
    pub(super) fn fits(&self, text: &str) -> bool {
        let regex = self.0.as_ref();
        regex.is_none_or(|regex| regex.is_match(text.as_bytes()))
    }

    /// The text without everything it fits.
    pub(super) fn without(&self, text: &str) -> String {
        let Some(regex) = &self.0 else { return text.to_owned() };
        let kept = regex.replace_all(text.as_bytes(), b" ".as_slice());
        String::from_utf8_lossy(&kept).into_owned()
    }
}
