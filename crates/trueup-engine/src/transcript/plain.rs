//! What somebody else wrote, without anything a terminal or a reader's eye
//! would obey instead of show.

use crate::fault::{self, Fault};

/// The bytes as plain text: whole terminal sequences are taken out, not only
/// the character that begins them, and no character remains that moves,
/// reorders or hides others. Line ends and tabs stay.
pub fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if fault::planted(Fault::ObeysText) {
        return text.into_owned();
    }
    let mut characters = text.chars().peekable();
    let mut kept = String::with_capacity(text.len());
    while let Some(c) = characters.next() {
        match c {
            '\n' | '\t' => kept.push(c),
            // A line that is written over is shown as what it is: several lines.
            '\r' if characters.peek() != Some(&'\n') => kept.push('\n'),
            '\u{85}' | '\u{2028}' | '\u{2029}' => kept.push('\n'),
            '\u{1b}' => skip_escape(&mut characters),
            '\u{9b}' => skip_control(&mut characters),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut characters),
            c if c.is_control() || is_unseen(c) => {}
            c => kept.push(c),
        }
    }
    kept
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// What follows an escape character.
fn skip_escape(characters: &mut Characters<'_>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            skip_control(characters);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            characters.next();
            skip_string(characters);
        }
        Some(' '..='/') => {
            while characters.next_if(|c| (' '..='/').contains(c)).is_some() {}
            characters.next_if(|c| ('0'..='~').contains(c));
        }
        Some('0'..='~') => {
            characters.next();
        }
        Some(_) | None => {}
    }
}

/// Parameters and the letter that ends them.
fn skip_control(characters: &mut Characters<'_>) {
    while characters.next_if(|c| (' '..='?').contains(c)).is_some() {}
    characters.next_if(|c| ('@'..='~').contains(c));
}

/// A string meant for the terminal alone. One without an end swallows no more
/// than its line.
fn skip_string(characters: &mut Characters<'_>) {
    while let Some(c) = characters.next_if(|c| *c != '\n') {
        let ends = match c {
            '\u{7}' | '\u{9c}' => true,
            '\u{1b}' => characters.next_if_eq(&'\\').is_some(),
            _ => false,
        };
        if ends {
            return;
        }
    }
}

/// Whether a character reorders or hides others without being seen itself.
const fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn nothing_a_terminal_would_obey_is_left() {
        for (hostile, harmless) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}[2J\u{1b}[1;1Hclean slate", "clean slate"),
            ("\u{1b}]8;;https://evil.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}]52;c;cm0gLXJmIC8=\u{7}clipboard", "clipboard"),
            ("\u{1b}]0;title\u{9c}text", "text"),
            ("\u{1b}P1$r0m\u{1b}\\text", "text"),
            ("\u{9b}31mred", "red"),
            ("\u{9d}52;c;cm0=\u{7}text", "text"),
            ("\u{1b}(0lines\u{1b}(B", "lines"),
            ("\u{1b}cafter a reset", "after a reset"),
            ("50 %\r100 %\r\ndone", "50 %\n100 %\ndone"),
            ("typed\u{8}\u{8}over\u{7}\u{0}", "typedover"),
            (
                "if access != \"user\u{202e} \u{2066}// only admins\u{2069}",
                "if access != \"user // only admins",
            ),
            ("zero\u{200b}width \u{feff}mark \u{e0041}tag", "zerowidth mark tag"),
            ("one\u{2028}two\u{85}three", "one\ntwo\nthree"),
        ] {
            assert_eq!(plain(hostile.as_bytes()), harmless, "{hostile:?}");
        }
    }

    #[test]
    fn a_sequence_without_an_end_hides_no_more_than_its_line() {
        assert_eq!(plain(b"a\x1b]52;c;never ends\nseen"), "a\nseen");
        assert_eq!(plain(b"a\x1b["), "a");
        assert_eq!(plain(b"a\x1b"), "a");
        assert_eq!(plain("a\u{1b}ä".as_bytes()), "aä");
    }

    #[test]
    fn text_stays_as_it_is() {
        let text = "Zeile eins\n\tspalte · 中文 😀 e\u{301}\n";
        assert_eq!(plain(text.as_bytes()), text);
        assert_eq!(plain(b"not \xff text"), "not \u{fffd} text");
    }

    #[test]
    fn no_bytes_at_all_leave_a_control_character_behind() {
        let mut seed: u64 = 7;
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..64)
                .map(|_| {
                    seed = seed
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    // Half of them are what sequences are made of.
                    let byte = (seed >> 33).to_le_bytes()[0];
                    if seed >> 63 == 0 {
                        byte
                    } else {
                        b"\x1b[]\x07\\;m0\xc2\x9b"[usize::from(byte % 10)]
                    }
                })
                .collect();
            let kept = plain(&bytes);
            let bad = kept.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
            assert_eq!(bad, None, "{bytes:?}");
        }
    }
}
