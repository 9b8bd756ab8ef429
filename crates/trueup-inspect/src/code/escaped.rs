//! Names that are spelled with escapes.

use super::syntax::{Parsed, below, children};
use std::collections::BTreeSet;

/// The lines, from 1, on which a name stands that is spelled with a backslash,
/// as JavaScript allows.
pub fn escaped_names(path: &str, source: &str) -> BTreeSet<u32> {
    let Some(parsed) = source.contains('\\').then(|| Parsed::read(path, source)).flatten() else {
        return BTreeSet::new();
    };
    let names = below(parsed.root(), |_| false).into_iter();
    let escaped = names.filter(|node| {
        node.kind().ends_with("identifier") && children(*node).is_empty() && parsed.text(*node).contains('\\')
    });
    let lines = escaped.filter_map(|node| u32::try_from(node.start_position().row + 1).ok());
    lines.collect()
}
