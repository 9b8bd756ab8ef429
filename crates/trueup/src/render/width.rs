//! How wide a terminal is, and lines that break between words there. What is
//! no terminal gets every line whole.

use rustix::termios::tcgetwinsize;
use std::{
    borrow::Cow,
    io::{self, IsTerminal},
    os::fd::AsFd,
};

/// A terminal that says it is narrower is believed to be wrong.
const NARROWEST: usize = 20;

/// How many columns results have, where a terminal shows them.
pub(super) fn width() -> Option<usize> {
    columns(&io::stdout())
}

/// The same of what is printed beside them.
pub(super) fn width_beside() -> Option<usize> {
    columns(&io::stderr())
}

fn columns(stream: &(impl AsFd + IsTerminal)) -> Option<usize> {
    let size = stream.is_terminal().then(|| tcgetwinsize(stream).ok()).flatten()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns >= NARROWEST)
}

/// The text with every line broken between words where it would be too long;
/// what follows stands a little further in. A word that is too long stays whole.
pub(super) fn wrapped(text: &str, width: Option<usize>) -> Cow<'_, str> {
    let Some(width) = width.filter(|width| text.lines().any(|line| letters(line) > *width)) else {
        return Cow::Borrowed(text);
    };
    let lines: Vec<String> = text.split('\n').map(|line| broken(line, width)).collect();
    Cow::Owned(lines.join("\n"))
}

fn broken(line: &str, width: usize) -> String {
    if letters(line) <= width {
        return line.to_owned();
    }
    let indent = line.chars().take_while(|letter| *letter == ' ').count();
    let further = " ".repeat((indent + 2).min(width / 2));
    let (mut done, mut taken) = (String::new(), 0);
    for (at, word) in words(line, width / 2).into_iter().enumerate() {
        let length = letters(&word);
        if at > 0 && taken + 1 + length > width && taken > indent {
            done.truncate(done.trim_end_matches(' ').len());
            done.push('\n');
            done.push_str(&further);
            taken = further.len();
        } else if at > 0 {
            done.push(' ');
            taken += 1;
        }
        done.push_str(&word);
        taken += length;
    }
    done
}

/// The words of a line. What stands in backticks is to be typed or found as it
/// is: it is one word, unless it is longer than this.
fn words(line: &str, longest: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quoted: Option<usize> = None;
    for part in line.split(' ') {
        words.push(part.to_owned());
        let is_odd = part.matches('`').count() % 2 == 1;
        quoted = match (quoted, is_odd) {
            (None, true) => Some(words.len() - 1),
            (Some(first), true) => {
                let whole = words.get(first..).unwrap_or_default().join(" ");
                if letters(&whole) <= longest {
                    words.truncate(first);
                    words.push(whole);
                }
                None
            }
            (quoted, false) => quoted,
        };
    }
    words
}

/// How many letters a terminal shows of a text: our colours are none.
fn letters(text: &str) -> usize {
    let mut count = 0;
    let mut is_colour = false;
    for letter in text.chars() {
        match letter {
            '\x1b' => is_colour = true,
            'm' if is_colour => is_colour = false,
            _ if is_colour => {}
            _ => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{letters, words, wrapped};

    #[test]
    fn a_line_that_is_too_long_breaks_between_words_and_stands_further_in() {
        let text = "  \x1b[32m✓\x1b[39m AC-1 greets by the name it is given\nshort";
        let told = "  \x1b[32m✓\x1b[39m AC-1 greets by\n    the name it is\n    given\nshort";
        assert_eq!(wrapped(text, Some(20)), told);
        assert!(told.lines().all(|line| letters(line) <= 20));
    }

    #[test]
    fn what_stands_in_backticks_stays_on_one_line() {
        let told = "not trusted yet, so type\n  `trueup trust`, and go on";
        let text = "not trusted yet, so type `trueup trust`, and go on";
        assert_eq!(wrapped(text, Some(36)), told);
        assert_eq!(words("a `b c` d `e f", 10), ["a", "`b c`", "d", "`e", "f"]);
        assert_eq!(words("`too long for it`", 10), ["`too", "long", "for", "it`"]);
    }

    #[test]
    fn what_fits_and_what_no_terminal_shows_is_left_as_it_is() {
        assert_eq!(wrapped("one two", Some(7)), "one two");
        assert_eq!(wrapped("one two three four", None), "one two three four");
    }

    #[test]
    fn a_word_that_is_too_long_stays_whole() {
        assert_eq!(
            wrapped("see /a/path/that/never/ends there", Some(20)),
            "see\n  /a/path/that/never/ends\n  there"
        );
    }
}
