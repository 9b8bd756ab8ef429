//! Text of others and of terminals, as a page can hold it.

use super::super::words::{count, harmless};
use anstream::adapter::strip_str;

/// How much of one line is on the page.
const LONGEST: usize = 1000;

/// A line that somebody else wrote: harmless, and no longer than a page bears.
/// A carriage return at its end is what it differs in, so it is spelled out.
pub(super) fn line(text: &str) -> String {
    let end = if text.ends_with('\r') { "\\r" } else { "" };
    match text.char_indices().nth(LONGEST) {
        None => harmless(text) + end,
        Some((at, _)) => {
            let (shown, rest) = text.split_at(at);
            format!(
                "{} … and {} more",
                harmless(shown),
                count(rest.chars().count(), "letter")
            )
        }
    }
}

/// What a terminal is told, without its colours.
pub(super) fn plain(text: &str) -> String {
    strip_str(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_is_harmless_and_no_longer_than_a_page_bears() {
        assert_eq!(line("a\tb"), "a\tb");
        assert_eq!(line("a\r"), "a\\r");
        assert_eq!(line("\u{1b}[2K\u{202e}"), "\\u{1b}[2K\\u{202e}");
        let long = line(&"é".repeat(1002));
        assert!(long.ends_with("é … and 2 letters more"), "{long}");
    }
}
