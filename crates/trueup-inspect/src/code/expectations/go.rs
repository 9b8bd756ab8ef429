//! What tests of Go compare answers with.

use crate::code::items::SyntaxItem;
use crate::code::syntax::{Parsed, below, named};
use tree_sitter::Node;

/// How columns of tables are called that say what is expected.
const COLUMNS: [&str; 4] = ["want", "wanted", "expected", "expect"];

/// What says that a test failed.
const FAILS: [&str; 3] = [".Error", ".Fatal", ".Fail"];

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

/// The sides of `got != want`, where the test fails if they differ. Whether two
/// values differ was found out before where a difference is compared with
/// nothing.
fn differing<'t>(parsed: &Parsed<'_>, comparison: Node<'t>) -> Option<Vec<Node<'t>>> {
    let sides = named(comparison);
    if sides
        .iter()
        .any(|side| parsed.text(*side).to_lowercase().contains("diff"))
    {
        return None;
    }
    let mut above = comparison.parent()?;
    while matches!(above.kind(), "binary_expression" | "parenthesized_expression") {
        above = above.parent()?;
    }
    let then = parsed.field(above, "consequence");
    let fails = above.kind() == "if_statement" && FAILS.iter().any(|word| then.contains(word));
    fails.then_some(sides)
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
    COLUMNS.contains(&parsed.text(*key)).then_some(*value)
}
