//! The last door before a terminal.
//!
//! Names, commands and messages come from repositories and agents. Whoever
//! shows them makes them harmless; what was forgotten is caught here. Of all
//! that a terminal obeys, only the colours of our own pass.

use std::borrow::Cow;
use trueup_engine::fault::{self, Fault};

/// The colours and weights that are used here, and what ends them.
const OURS: [&str; 11] = ["0", "1", "2", "22", "31", "32", "33", "34", "35", "36", "39"];

/// The text, without anything a terminal would obey but a colour of ours.
pub(super) fn tame(text: &str) -> Cow<'_, str> {
    let is_tame = |c: char| c == '\n' || c == '\t' || !c.is_control();
    if text.chars().all(is_tame) || fault::planted(Fault::ObeysText) {
        return Cow::Borrowed(text);
    }
    let mut tamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(colour) = colour(rest) {
            tamed.push_str(colour);
            rest = rest.get(colour.len()..).unwrap_or_default();
            continue;
        }
        if is_tame(c) {
            tamed.push(c);
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    Cow::Owned(tamed)
}

/// The colour of ours that a text begins with.
fn colour(text: &str) -> Option<&str> {
    let (code, _) = text.strip_prefix("\x1b[")?.split_once('m')?;
    OURS.contains(&code).then(|| text.get(..code.len() + 3))?
}

#[cfg(test)]
mod tests {
    use super::tame;

    #[test]
    fn colours_of_ours_pass_and_nothing_else_does() {
        let ours = "  \x1b[32m✓\x1b[39m \x1b[1mname\x1b[0m\tdetail\n";
        assert_eq!(tame(ours), ours);
        for (wild, tamed) in [
            ("a\x1b]52;c;aGk=\x07b", "a]52;c;aGk=b"),
            ("a\x1b[2K\x1b[1Ab", "a[2K[1Ab"),
            ("a\x1b[8mhidden", "a[8mhidden"),
            ("a\x1b[30;40mhidden", "a[30;40mhidden"),
            ("a\rb\x08\x7f\u{9b}31mc", "ab31mc"),
            ("\x1b\x1b[31mred", "\x1b[31mred"),
            ("plain é ✓", "plain é ✓"),
        ] {
            assert_eq!(tame(wild), tamed, "{wild:?}");
        }
    }
}
