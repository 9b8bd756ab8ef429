//! What tests of JavaScript and TypeScript compare answers with.

use crate::code::syntax::{Parsed, below, named};
use tree_sitter::Node;

/// Matchers that say what is expected, as the last name of `expect(…).….NAME(…)`.
const MATCHERS: [&str; 13] = [
    "toBe",
    "toEqual",
    "toStrictEqual",
    "toBeCloseTo",
    "toHaveLength",
    "toContain",
    "toContainEqual",
    "toMatchInlineSnapshot",
    "toMatchObject",
    "equal",
    "equals",
    "eql",
    "eq",
];

/// Functions that compare two values: `assert.NAME(actual, expected)`.
const COMPARISONS: [&str; 9] = [
    "equal",
    "equals",
    "strictEqual",
    "deepEqual",
    "deepStrictEqual",
    "is",
    "same",
    "strictSame",
    "deepEquals",
];

/// What matchers and comparisons are given.
pub(super) fn comparisons<'t>(parsed: &Parsed<'_>, body: Node<'t>) -> Vec<Vec<Node<'t>>> {
    let nodes = below(body, |_| false).into_iter();
    let calls = nodes.filter(|node| node.kind() == "call_expression");
    calls.filter_map(|call| sides(parsed, call)).collect()
}

fn sides<'t>(parsed: &Parsed<'_>, call: Node<'t>) -> Option<Vec<Node<'t>>> {
    let function = call.child_by_field_name("function")?;
    if function.kind() != "member_expression" {
        return None;
    }
    let name = parsed.field(function, "property");
    let arguments = named(call.child_by_field_name("arguments")?);
    let before = function.child_by_field_name("object")?;
    if is_expectation(parsed, before) {
        let said: String = parsed.text(before).split_whitespace().collect();
        let is_turned_round = said.ends_with(".not") || said.contains(".not.");
        let is_exact = name != "toBeCloseTo" || arguments.len() == 1;
        let is_matcher = MATCHERS.contains(&name) && !is_turned_round && is_exact;
        return is_matcher.then(|| arguments.into_iter().take(1).collect());
    }
    let is_comparison = before.kind() == "identifier" && COMPARISONS.contains(&name);
    is_comparison.then(|| arguments.into_iter().take(2).collect())
}

/// Whether a chain begins with `expect(…)`.
fn is_expectation(parsed: &Parsed<'_>, chain: Node<'_>) -> bool {
    let mut node = chain;
    loop {
        let further = match node.kind() {
            "member_expression" => node.child_by_field_name("object"),
            "call_expression" => {
                let function = parsed.field(node, "function");
                if function == "expect" || function.starts_with("expect.") {
                    return true;
                }
                node.child_by_field_name("function")
            }
            _ => None,
        };
        let Some(further) = further else { return false };
        node = further;
    }
}
