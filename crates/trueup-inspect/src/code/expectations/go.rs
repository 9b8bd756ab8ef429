//! What tests of Go compare answers with.

use crate::code::items::SyntaxItem;
use crate::code::syntax::{Parsed, below, named};
use tree_sitter::Node;

/// How columns of tables are called that say what is expected.
const COLUMNS: [&str; 9] = [
    "want", "wanted", "expected", "expect", "exp", "out", "output", "result", "res",
];

/// The sides of each comparison, and what tables say is wanted. An example is
/// judged by what it prints.
pub(super) fn comparisons<'t>(parsed: &Parsed<'_>, test: &SyntaxItem<'t>) -> Vec<Vec<Node<'t>>> {
    if test.name.starts_with("Example") {
        return Vec::new();
    }
    let nodes = below(test.body, |_| false).into_iter();
    let comparisons = nodes.filter_map(|node| match node.kind() {
        "binary_expression" if parsed.field(node, "operator") == "!=" => differing(parsed, node),
        "call_expression" => by_function(parsed, node),
        "keyed_element" => by_column(parsed, node).map(|value| vec![value]),
        _ => None,
    });
    comparisons.collect()
}

/// The sides of `got != want`. Whether two values differ was found out before
/// where a difference is compared with nothing, and a loop asks for no value.
fn differing<'t>(parsed: &Parsed<'_>, comparison: Node<'t>) -> Option<Vec<Node<'t>>> {
    let sides = named(comparison);
    let above = comparison.parent().map_or("", |above| above.kind());
    let is_loop = matches!(above, "for_clause" | "for_statement");
    let is_found_out = sides
        .iter()
        .any(|side| parsed.text(*side).to_lowercase().contains("diff"));
    (!is_loop && !is_found_out).then_some(sides)
}

/// The two values of `assert.Equal(t, …)`, `reflect.DeepEqual(…)`, `cmp.Diff(…)`.
fn by_function<'t>(parsed: &Parsed<'_>, call: Node<'t>) -> Option<Vec<Node<'t>>> {
    let function = call.child_by_field_name("function")?;
    let arguments = named(call.child_by_field_name("arguments")?);
    let skipped = match parsed.text(function) {
        "reflect.DeepEqual" | "cmp.Diff" | "cmp.Equal" => 0,
        "assert.Equal" | "require.Equal" | "assert.EqualValues" | "require.EqualValues" => 1,
        _ => return None,
    };
    Some(arguments.into_iter().skip(skipped).take(2).collect())
}

/// What stands in a column of a table that says what is expected.
fn by_column<'t>(parsed: &Parsed<'_>, element: Node<'t>) -> Option<Node<'t>> {
    let parts = named(element);
    let (key, value) = (parts.first()?, parts.get(1)?);
    let name = parsed.text(*key).to_lowercase();
    COLUMNS.contains(&name.as_str()).then_some(*value)
}
