//! What is named in a test and not asked about, and what values belong to.

use crate::code::syntax::{Parsed, named};
use tree_sitter::Node;

/// What gives its first argument to a test as its name, or names what follows.
const NAMING: [&str; 8] = [
    "test",
    "it",
    "describe",
    "suite",
    "Run",
    "parametrize",
    "importorskip",
    "vi.mock",
];

/// The names of what a value belongs to, from the inside out.
pub(super) type Owner<'s> = Vec<&'s str>;

/// Whether a literal is a name: of a module, of a test, of a part of an answer.
pub(super) fn is_name(parsed: &Parsed<'_>, literal: Node<'_>) -> bool {
    let Some(above) = literal.parent() else { return false };
    match above.kind() {
        "subscript" | "subscript_expression" | "index_expression" => above
            .child_by_field_name("subscript")
            .or_else(|| above.child_by_field_name("index"))
            .is_some_and(|index| index.id() == literal.id()),
        "import_statement" | "import_spec" | "export_statement" => true,
        "arguments" | "argument_list" => {
            let is_first = named(above).first().is_some_and(|first| first.id() == literal.id());
            let call = above.parent().map_or("", |call| parsed.field(call, "function"));
            let last = call.rsplit('.').next().unwrap_or_default();
            let first = call.split('.').next().unwrap_or_default();
            is_first && (NAMING.contains(&last) || NAMING.contains(&first) || NAMING.contains(&call))
        }
        _ => false,
    }
}

/// Whether a bare word is the key of an object that is written down, or asks
/// for one.
pub(super) fn is_key(word: Node<'_>) -> bool {
    let Some(above) = word.parent() else { return false };
    match above.kind() {
        "pair" => above
            .child_by_field_name("key")
            .is_some_and(|key| key.id() == word.id()),
        "member_expression" => {
            let call = above.parent().filter(|call| call.kind() == "call_expression");
            let called = call.and_then(|call| call.child_by_field_name("function"));
            called.is_none_or(|called| called.id() != above.id())
        }
        _ => false,
    }
}

/// The names of what a value belongs to: a variable that holds it, a function
/// that gives it.
pub(super) fn owners<'s>(parsed: &Parsed<'s>, value: Node<'_>) -> Owner<'s> {
    let mut names = Vec::new();
    let mut above = value.parent();
    while let Some(one) = above {
        let name = ["name", "left"].iter().map(|field| parsed.field(one, field));
        names.extend(name.filter(|name| name.len() > 1));
        above = one.parent();
    }
    names
}
