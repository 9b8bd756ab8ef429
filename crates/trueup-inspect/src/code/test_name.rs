//! Which test of a file a name means, when the name comes from a report.

use crate::test_id::{parts, without_parameters};

/// The parts of a test's name.
pub(super) struct TestName(Vec<String>);

impl TestName {
    /// Reads a name as any runner spells it: `tests/test_a.py::TestX::test_b[1]`,
    /// `a.test.ts::cart > adds`, `package::TestA/sub`, `tests::it_holds`.
    pub(super) fn of(name: &str) -> Self {
        Self(parts(without_parameters(name)))
    }

    /// The one name it means: the same, or the one that ends alike.
    pub(super) fn among<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        if self.0.is_empty() {
            return None;
        }
        let read: Vec<(&'n str, Vec<String>)> = names.iter().map(|name| (*name, parts(name))).collect();
        read.iter()
            .find(|(_, parts)| *parts == self.0)
            .or_else(|| {
                // The longest name that the given one ends in.
                read.iter()
                    .filter(|(_, parts)| !parts.is_empty() && self.0.ends_with(parts))
                    .max_by_key(|(_, parts)| parts.len())
            })
            .or_else(|| read.iter().find(|(_, parts)| parts.ends_with(&self.0)))
            .or_else(|| read.iter().find(|(_, parts)| self.is_one_of(parts)))
            // A case of a test, or a test inside it, fails when the test does.
            .or_else(|| {
                read.iter()
                    .filter(|(_, parts)| !parts.is_empty())
                    .filter(|(_, parts)| self.0.windows(parts.len()).any(|some| some == *parts))
                    .max_by_key(|(_, parts)| parts.len())
            })
            .map(|(name, _)| *name)
    }

    /// Whether it ends in a title with this pattern: `adds 1` in `adds %i`.
    fn is_one_of(&self, pattern: &[String]) -> bool {
        let Some(at) = self.0.len().checked_sub(pattern.len()) else {
            return false;
        };
        let titles = self.0.get(at..).unwrap_or_default();
        !pattern.is_empty() && titles.iter().zip(pattern).all(|(title, one)| fits(title, one))
    }
}

/// Whether a title is the pattern with something in the place of each `%d`,
/// `$name` and `${name}`.
fn fits(title: &str, pattern: &str) -> bool {
    let mut fixed = fixed(pattern).into_iter();
    let Some(mut rest) = fixed.next().and_then(|first| title.strip_prefix(first)) else {
        return false;
    };
    let mut last = None;
    for piece in fixed {
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
        last = Some(piece);
    }
    match last {
        None => rest.is_empty(),
        Some(last) => title.ends_with(last),
    }
}

/// What stands between the places of a pattern.
fn fixed(pattern: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['%', '$']) {
        let (piece, place) = rest.split_at(at);
        pieces.push(piece);
        let length = match place.strip_prefix("${") {
            Some(inner) => inner.find('}').map_or(place.len(), |end| end + 3),
            None if place.starts_with('$') => place
                .find(|c: char| !(c.is_alphanumeric() || matches!(c, '$' | '_')))
                .unwrap_or(place.len()),
            None => place.chars().take(2).map(char::len_utf8).sum(),
        };
        rest = place.get(length..).unwrap_or_default();
    }
    pieces.push(rest);
    pieces
}
