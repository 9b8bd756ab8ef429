//! Pieces of text put into a source.

use std::ops::Range;

/// What takes the place of a range, which may be empty.
#[derive(PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    pub(super) fn at(place: usize, text: impl Into<String>) -> Self {
        Self {
            range: place..place,
            text: text.into(),
        }
    }
}

/// The source with every edit made; nothing if two of them overlap.
pub(super) fn apply(source: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort_by_key(|edit| edit.range.start);
    let mut made = String::with_capacity(source.len() + 64 * edits.len());
    let mut at = 0;
    for edit in &edits {
        made.push_str(source.get(at..edit.range.start)?);
        made.push_str(&edit.text);
        at = edit.range.end;
    }
    made.push_str(source.get(at..)?);
    Some(made)
}

/// The token as every language of ours writes it between quotation marks.
pub(super) fn quoted(token: &str) -> String {
    let plain: String = token
        .chars()
        .filter(|c| (c.is_ascii_graphic() || *c == ' ') && !matches!(c, '"' | '\\' | '{' | '}' | '%'))
        .collect();
    format!("\"{plain}\"")
}

/// A source that ends in a line break, to append to.
pub(super) fn ended(source: &str) -> String {
    let mut text = source.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
