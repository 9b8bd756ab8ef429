//! Values as they are written down, and others near them.

use crate::code::syntax::Parsed;
use std::ops::Range;
use tree_sitter::Node;

/// How much more the neighbours of a number are.
const FURTHER: [u64; 4] = [1, 3, 6, 11];

/// Whole numbers below this stand in all code, and for the edges of what is asked.
const LEAST: f64 = 3.0;

/// What stands between the parts of a name, or between words.
const JOINTS_OF_NAMES: &str = " _-.'";

/// The longest text that is looked at.
const MOST_TEXT: usize = 200;

/// What a literal stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SharedValue {
    /// A number in decimal digits.
    Number(String),
    /// A text without anything that would have to be escaped.
    Text(String),
    /// A small letter that is not one of ASCII.
    Letter(char),
}

/// A value, and where it is written.
pub(super) struct Literal {
    pub(super) value: SharedValue,
    pub(super) range: Range<usize>,
}

impl SharedValue {
    /// Another value of the same shape, as it is written and printed; another
    /// one for each number.
    pub(super) fn neighbour(&self, nth: u32) -> Option<String> {
        match self {
            Self::Number(digits) => {
                let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
                let further = FURTHER.get(usize::try_from(nth).ok()?)?;
                let other = whole.parse::<u64>().ok()?.checked_add(*further)?;
                Some(format!("{other}{rest}"))
            }
            Self::Text(text) => {
                let nth = usize::try_from(nth).ok()?;
                other_digit(text, nth).or_else(|| other_letters(text, nth))
            }
            // Others stand in its place wherever a text holds it.
            Self::Letter(_) => None,
        }
    }

    pub(super) const fn letter(&self) -> Option<char> {
        match self {
            Self::Letter(letter) => Some(*letter),
            Self::Number(_) | Self::Text(_) => None,
        }
    }

    /// Whether new code hardly names it unless that is what it is asked: it is
    /// no name, and no number that anything may have.
    pub fn is_telling(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Text(text) => is_composed(text),
            Self::Letter(_) => true,
        }
    }
}

/// Whether a text has parts: an address, a path, a date. Words are names or prose.
fn is_composed(text: &str) -> bool {
    let parts = || {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
    };
    let is_joint = |c: char| !c.is_alphanumeric() && !JOINTS_OF_NAMES.contains(c);
    let is_numbered = |part: &str| part.contains(|c: char| c.is_ascii_digit());
    parts().count() > 1 && (text.contains(is_joint) || parts().all(is_numbered))
}

/// The text with one of its digits changed, which is another one each time.
fn other_digit(text: &str, nth: usize) -> Option<String> {
    let digits: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_digit())
        .map(|(at, _)| at)
        .collect();
    let at = *digits.get(nth.checked_rem(digits.len())?)?;
    let mut digit = text.get(at..=at)?.parse::<u32>().ok()?;
    for _ in 0..=nth / digits.len() {
        digit = digit % 9 + 1;
    }
    Some(format!("{}{digit}{}", text.get(..at)?, text.get(at + 1..)?))
}

/// The text with its last letter changed, and more of that letter each time:
/// an answer that only repeats what it is asked has another length.
pub(super) fn other_letters(text: &str, nth: usize) -> Option<String> {
    let (at, letter) = text.char_indices().rfind(|(_, c)| c.is_ascii_alphabetic())?;
    let other = match letter {
        'z' => 'a',
        'Z' => 'A',
        letter => char::from(u8::try_from(letter).ok()? + 1),
    };
    let more: String = std::iter::repeat_n(other, nth + 1).collect();
    Some(format!("{}{more}{}", text.get(..at)?, text.get(at + 1..)?))
}

/// Whether nothing is looked for below a node.
pub(super) fn is_literal(node: Node<'_>) -> bool {
    is_number(node) || is_string(node)
}

fn is_number(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "integer" | "float" | "number" | "int_literal" | "float_literal" | "integer_literal"
    )
}

fn is_string(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "string" | "string_literal" | "raw_string_literal" | "interpreted_string_literal"
    )
}

/// The value of a literal; nothing where it says too little, or where it is
/// not sure how it is printed.
pub(super) fn read(parsed: &Parsed<'_>, node: Node<'_>) -> Option<Literal> {
    let written = parsed.text(node);
    let (value, range) = if is_number(node) {
        let (digits, length) = decimal(written)?;
        (SharedValue::Number(digits), 0..length)
    } else if is_string(node) {
        let range = content(written)?;
        (SharedValue::Text(written.get(range.clone())?.to_owned()), range)
    } else {
        return None;
    };
    let start = node.start_byte();
    Some(Literal {
        value,
        range: start + range.start..start + range.end,
    })
}

/// The decimal digits that a number begins with, without a suffix that names
/// its type, and how many bytes they take.
fn decimal(written: &str) -> Option<(String, usize)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
    let length = written.find(|c| !is_part(c)).unwrap_or(written.len());
    let (digits, suffix) = written.split_at(length);
    let is_suffix = suffix.is_empty() || suffix == "n" || suffix.starts_with(['u', 'i', 'f']);
    let plain: String = digits.chars().filter(|c| *c != '_').collect();
    let is_large = plain
        .parse::<f64>()
        .is_ok_and(|number| number >= LEAST || number.fract() != 0.0);
    (is_suffix && is_large).then_some((plain, length))
}

/// Where the text of a string lies between its quotation marks.
fn content(written: &str) -> Option<Range<usize>> {
    let open = written.find(['"', '\'', '`'])?;
    let mark = written.get(open..=open)?;
    let marks = if written.get(open..)?.starts_with(&mark.repeat(3)) {
        3
    } else {
        1
    };
    let start = open + marks;
    let end = (written.rfind(mark)? + 1).checked_sub(marks)?;
    let text = written.get(start..end)?;
    let is_formatted = written.get(..open)?.contains(['f', 'F']);
    let is_plain = !text.contains(['\\', '\n']) && !is_formatted;
    let says_something = text.chars().count() > 1 && text.contains(|c: char| c.is_ascii_alphanumeric());
    (is_plain && says_something && text.len() <= MOST_TEXT).then_some(start..end)
}
