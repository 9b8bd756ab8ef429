//! Functions, methods, function variables and tests of Go.

use tree_sitter::Node;

use super::item::{ItemKind, SyntaxItem};
use crate::code::syntax::{Parsed, below, named};

/// What the names of tests begin with, and what they take.
const TESTS: [(&str, &str); 3] = [("Test", "testing.T"), ("Fuzz", "testing.F"), ("Example", "")];

pub(super) fn found<'t>(path: &str, parsed: &'t Parsed<'_>) -> Option<Vec<SyntaxItem<'t>>> {
    let of_tests = path.ends_with("_test.go");
    let mut all = Vec::new();
    for node in named(parsed.root()) {
        match node.kind() {
            "function_declaration" => {
                let name = parsed.field(node, "name");
                let sort = if of_tests && is_test(parsed, node, name) {
                    ItemKind::Test
                } else {
                    ItemKind::Function
                };
                all.extend(function(node, node, name.to_owned(), sort));
            }
            "method_declaration" => {
                let name = format!("{}.{}", receiver(parsed, node), parsed.field(node, "name"));
                all.extend(function(node, node, name, ItemKind::Function));
            }
            "var_declaration" => variables(parsed, node, &mut all),
            _ => {}
        }
    }
    Some(all)
}

fn function<'t>(whole: Node<'t>, function: Node<'t>, name: String, sort: ItemKind) -> Option<SyntaxItem<'t>> {
    Some(SyntaxItem {
        name,
        sort,
        span: whole.byte_range(),
        whole,
        function,
        body: function.child_by_field_name("body")?,
    })
}

fn is_test(parsed: &Parsed<'_>, node: Node<'_>, name: &str) -> bool {
    let parameters = parsed.field(node, "parameters");
    TESTS.iter().any(|(prefix, takes)| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| !rest.starts_with(char::is_lowercase))
            && parameters.contains(takes)
    })
}

/// The name of the type whose method it is, without pointer and parameters.
fn receiver<'s>(parsed: &Parsed<'s>, node: Node<'_>) -> &'s str {
    node.child_by_field_name("receiver")
        .and_then(|receiver| {
            below(receiver, |_| false)
                .into_iter()
                .find(|node| node.kind() == "type_identifier")
        })
        .map_or("", |name| parsed.text(name))
}

/// `var Now = func() time.Time { … }`, one or several.
fn variables<'t>(parsed: &Parsed<'_>, node: Node<'t>, all: &mut Vec<SyntaxItem<'t>>) {
    let is_closed = |node: Node<'_>| matches!(node.kind(), "func_literal" | "expression_list");
    for spec in below(node, is_closed) {
        if spec.kind() != "var_spec" {
            continue;
        }
        let values = spec.child_by_field_name("value").map(named).unwrap_or_default();
        let mut cursor = spec.walk();
        let names: Vec<_> = spec.children_by_field_name("name", &mut cursor).collect();
        for (name, value) in names.into_iter().zip(values) {
            if value.kind() == "func_literal" {
                let name = parsed.text(name).to_owned();
                all.extend(function(spec, value, name, ItemKind::Function));
            }
        }
    }
}
