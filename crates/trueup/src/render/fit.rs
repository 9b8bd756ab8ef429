//! Words that fit on one line that moves.

use super::words;
use std::time::Duration;

/// Words of somebody else, on one line.
pub(super) fn one_line(text: &str) -> String {
    words::harmless(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A text of at most so many letters; `…` stands for what is left out.
pub(super) fn cut(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters.saturating_sub(1)) {
        Some((end, _)) if text.chars().nth(letters).is_some() => {
            format!("{}…", text.get(..end).unwrap_or_default().trim_end())
        }
        Some(_) | None => text.to_owned(),
    }
}

/// Minutes and seconds.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// A time that grows while one looks: tenths would only flicker.
pub(super) fn whole_seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds => words::took(seconds.saturating_mul(1000)),
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_line_is_never_longer_than_the_terminal() {
        assert_eq!(cut("one two", 7), "one two");
        assert_eq!(cut("one two three", 7), "one tw…");
        assert_eq!(cut("one two three", 5), "one…");
    }
}
