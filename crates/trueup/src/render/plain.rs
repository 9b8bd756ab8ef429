//! `--plain`: what is shown in words and plain letters alone, for a screen
//! reader, a log or a terminal that has no other letters.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicBool, Ordering},
};

/// Our marks, and how they are spelled.
const SPELLED: [(char, &str); 12] = [
    ('✓', "ok"),
    ('✗', "failed"),
    ('•', "-"),
    ('·', "|"),
    ('→', "->"),
    ('…', "..."),
    ('–', "-"),
    ('−', "-"),
    ('“', "\""),
    ('”', "\""),
    ('│', "|"),
    ('⚠', "!"),
];

static IS_PLAIN: AtomicBool = AtomicBool::new(false);

/// From now on everything is shown plainly.
pub(super) fn begin() {
    IS_PLAIN.store(true, Ordering::Relaxed);
}

/// The text as it is shown: as it is, or with our marks spelled out.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    match IS_PLAIN.load(Ordering::Relaxed) {
        true => Cow::Owned(spelled(text)),
        false => Cow::Borrowed(text),
    }
}

fn spelled(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match SPELLED.iter().find(|(mark, _)| *mark == letter) {
            Some((_, words)) => plain.push_str(words),
            None => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn marks_are_spelled_and_names_are_left_as_they_are() {
        assert_eq!(
            spelled("  ✓ verify      AC-1 ✗ · größe.py +3 −1"),
            "  ok verify      AC-1 failed | größe.py +3 -1"
        );
    }
}
