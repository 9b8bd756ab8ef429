//! Functions, methods, named lambdas and tests of Python.

use tree_sitter::Node;

use super::item::{EnclosingNames, ItemKind, SyntaxItem};
use crate::code::is_test_path;
use crate::code::syntax::{Parsed, children};

pub(super) fn found<'t>(path: &str, parsed: &'t Parsed<'_>) -> Option<Vec<SyntaxItem<'t>>> {
    // A function called `test_connection` is a test only where tests are looked for.
    let called_test = if is_test_path(path) {
        ItemKind::Test
    } else {
        ItemKind::Function
    };
    let mut all = Vec::new();
    let mut next = vec![(parsed.root(), EnclosingNames::nothing("."))];
    while let Some((node, around)) = next.pop() {
        let mut inner = around.clone();
        match node.kind() {
            "decorated_definition" => {
                if let Some(definition) = node.child_by_field_name("definition") {
                    if definition.kind() == "function_definition" {
                        all.extend(function(parsed, node, definition, &around, called_test));
                        inner = around.within(parsed.field(definition, "name"))?;
                        next.push((definition.child_by_field_name("body")?, inner));
                    } else {
                        next.push((definition, around));
                    }
                }
                continue;
            }
            "function_definition" => {
                all.extend(function(parsed, node, node, &around, called_test));
                inner = around.within(parsed.field(node, "name"))?;
            }
            "class_definition" => inner = around.within(parsed.field(node, "name"))?,
            "assignment" => {
                all.extend(named_lambda(parsed, node, &around));
            }
            _ => {}
        }
        next.extend(children(node).into_iter().rev().map(|child| (child, inner.clone())));
    }
    Some(all)
}

fn function<'t>(
    parsed: &Parsed<'_>,
    whole: Node<'t>,
    function: Node<'t>,
    around: &EnclosingNames,
    called_test: ItemKind,
) -> Option<SyntaxItem<'t>> {
    let name = parsed.field(function, "name");
    let sort = if name.starts_with("test") {
        called_test
    } else {
        ItemKind::Function
    };
    Some(SyntaxItem {
        name: around.name(name),
        sort,
        span: whole.byte_range(),
        whole,
        function,
        body: function.child_by_field_name("body")?,
    })
}

/// `double = lambda n: n * 2` is a function like any other.
fn named_lambda<'t>(parsed: &Parsed<'_>, node: Node<'t>, around: &EnclosingNames) -> Option<SyntaxItem<'t>> {
    let left = node.child_by_field_name("left")?;
    let right = node.child_by_field_name("right")?;
    if right.kind() != "lambda" || left.kind() != "identifier" {
        return None;
    }
    Some(SyntaxItem {
        name: around.name(parsed.text(left)),
        sort: ItemKind::Function,
        span: node.byte_range(),
        whole: node,
        function: right,
        body: right.child_by_field_name("body")?,
    })
}
