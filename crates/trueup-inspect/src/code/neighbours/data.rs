//! Files that tests read: values near those that stand there, and answers of
//! theirs that are written down elsewhere.

use super::value::{SharedValue, other_letters};
use std::collections::BTreeSet;

/// The fewest lines that an answer has which nobody writes by chance.
const LINES_OF_AN_ANSWER: usize = 2;

/// The fewest characters of such an answer.
const LENGTH_OF_AN_ANSWER: usize = 10;

/// The text with the nth neighbour of each of these values that tells
/// something, and those that it names; nothing where it names none.
pub fn neighbour_of_data(
    text: &str,
    values: &BTreeSet<SharedValue>,
    nth: u32,
) -> Option<(String, BTreeSet<SharedValue>)> {
    let mut told: Vec<(&str, &SharedValue, String)> = values
        .iter()
        .filter(|value| value.is_telling())
        .filter_map(|value| match value {
            SharedValue::Text(text) => Some((text.as_str(), value, value.neighbour(nth)?)),
            SharedValue::Number(_) | SharedValue::Letter(_) => None,
        })
        .collect();
    // The longest that fits stands there, and not its beginning.
    told.sort_by_key(|(text, ..)| std::cmp::Reverse(text.len()));
    let mut named = BTreeSet::new();
    let mut other = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let is_inside = other.chars().next_back().is_some_and(char::is_alphanumeric) && next.is_alphanumeric();
        let fits = told.iter().find(|(value, ..)| !is_inside && stands_here(rest, value));
        let taken = match fits {
            Some((written, value, near)) => {
                other.push_str(near);
                named.insert((*value).clone());
                written.len()
            }
            None => {
                other.push(next);
                next.len_utf8()
            }
        };
        rest = rest.get(taken..)?;
    }
    (!named.is_empty()).then_some((other, named))
}

/// Whether a text begins with a value, and not with a longer word.
fn stands_here(text: &str, value: &str) -> bool {
    let after = text.strip_prefix(value);
    let goes_on = |after: &str| {
        let ends_in_word = value.chars().next_back().is_some_and(char::is_alphanumeric);
        ends_in_word && after.chars().next().is_some_and(char::is_alphanumeric)
    };
    after.is_some_and(|after| !goes_on(after))
}

/// The text with the last letter of each line changed, in the nth way.
pub fn other_lines(text: &str, nth: u32) -> String {
    let nth = usize::try_from(nth).unwrap_or_default();
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| other_letters(line, nth).unwrap_or_else(|| line.to_owned()))
        .collect()
}

/// Those of these files of tests that are written down whole in a new text,
/// plainly or as a literal of code, and were not there before.
pub fn written_answers<'a>(data: &[(&'a str, &str)], before: Option<&str>, after: &str) -> BTreeSet<&'a str> {
    let before = before.unwrap_or_default();
    let written = data.iter().filter(|(_, text)| {
        let answer = text.trim_end();
        let is_long = answer.lines().count() >= LINES_OF_AN_ANSWER && answer.len() >= LENGTH_OF_AN_ANSWER;
        let is_new = |form: &str| after.contains(form) && !before.contains(form);
        is_long && (is_new(answer) || is_new(&escaped(answer)))
    });
    written.map(|(path, _)| *path).collect()
}

/// A text as it stands between quotation marks.
fn escaped(text: &str) -> String {
    let plain = text.replace('\\', "\\\\").replace('"', "\\\"");
    plain.replace('\t', "\\t").replace('\n', "\\n")
}
