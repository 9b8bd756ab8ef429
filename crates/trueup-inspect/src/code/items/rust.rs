//! Functions, methods and tests of Rust.

use tree_sitter::Node;

use super::item::{EnclosingNames, ItemKind, SyntaxItem};
use crate::code::syntax::{Parsed, children, is_comment};

/// Attributes that make a test, by the last name of their path.
const TESTS: [&str; 7] = [
    "test",
    "rstest",
    "test_case",
    "case",
    "quickcheck",
    "proptest",
    "wasm_bindgen_test",
];

pub(super) fn found<'t>(parsed: &'t Parsed<'_>) -> Option<Vec<SyntaxItem<'t>>> {
    let mut all = Vec::new();
    let sort = sort_within(parsed, parsed.root(), ItemKind::Function);
    let mut next = vec![(parsed.root(), EnclosingNames::nothing("::"), sort)];
    while let Some((node, around, sort)) = next.pop() {
        let mut inside = Vec::new();
        let mut attributes: Vec<Node<'_>> = Vec::new();
        for child in children(node) {
            if child.kind() == "attribute_item" {
                attributes.push(child);
                continue;
            }
            if is_comment(child) {
                continue;
            }
            let of_tests = attributes.iter().any(|node| is_for_tests(parsed, *node));
            let sort = if of_tests { ItemKind::Test } else { sort };
            let begin = attributes.first().map_or(child.start_byte(), Node::start_byte);
            match child.kind() {
                "function_item" => {
                    let is_test = attributes.iter().any(|node| is_test_attribute(parsed, *node));
                    let sort = if is_test { ItemKind::Test } else { sort };
                    let name = parsed.field(child, "name");
                    let body = child.child_by_field_name("body")?;
                    all.push(SyntaxItem {
                        name: around.name(name),
                        sort,
                        span: begin..child.end_byte(),
                        whole: child,
                        function: child,
                        body,
                    });
                    inside.push((body, around.within(name)?, sort));
                }
                "mod_item" | "trait_item" => {
                    let sort = child
                        .child_by_field_name("body")
                        .map_or(sort, |body| sort_within(parsed, body, sort));
                    inside.push((child, around.within(parsed.field(child, "name"))?, sort));
                }
                "impl_item" => {
                    inside.push((child, around.within(type_name(parsed, child))?, sort));
                }
                _ => inside.push((child, around.clone(), sort)),
            }
            attributes.clear();
        }
        next.extend(inside.into_iter().rev());
    }
    all.sort_by_key(|found| (found.span.start, std::cmp::Reverse(found.span.end)));
    Some(all)
}

/// The type a block of methods belongs to, without path and parameters.
fn type_name<'s>(parsed: &Parsed<'s>, node: Node<'_>) -> &'s str {
    let text = parsed.field(node, "type");
    let plain = text.split('<').next().unwrap_or(text);
    let plain = plain.rsplit("::").next().unwrap_or(plain);
    plain.trim_start_matches(['&', '*', ' ']).trim()
}

/// A file or module that begins with `#![cfg(test)]` holds tests alone.
fn sort_within(parsed: &Parsed<'_>, node: Node<'_>, sort: ItemKind) -> ItemKind {
    let of_tests = children(node)
        .into_iter()
        .filter(|child| child.kind() == "inner_attribute_item")
        .any(|child| is_for_tests(parsed, child));
    if of_tests { ItemKind::Test } else { sort }
}

/// Whether an attribute compiles what it stands on for tests alone.
pub(in crate::code) fn is_for_tests(parsed: &Parsed<'_>, attribute: Node<'_>) -> bool {
    let text: String = inner(parsed, attribute).split_whitespace().collect();
    let Some(condition) = text.strip_prefix("cfg(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let all = condition
        .strip_prefix("all(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(condition);
    // Conditions inside `not(…)` or `any(…)` are none of these.
    let mut depth = 0_u32;
    all.split_inclusive([',', '(', ')']).any(|part| {
        let at = depth;
        match part.chars().last() {
            Some('(') => depth += 1,
            Some(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        at == 0 && part.trim_end_matches([',', ')']) == "test"
    })
}

/// Whether an attribute makes a function a test.
pub(in crate::code) fn is_test_attribute(parsed: &Parsed<'_>, attribute: Node<'_>) -> bool {
    let text = inner(parsed, attribute);
    let path = text.split(['(', '=']).next().unwrap_or(text).trim();
    let name = path.rsplit("::").next().unwrap_or(path).trim();
    TESTS.contains(&name)
}

/// What stands between the brackets of an attribute.
fn inner<'s>(parsed: &Parsed<'s>, attribute: Node<'_>) -> &'s str {
    parsed
        .text(attribute)
        .trim_start_matches(['#', '!'])
        .trim()
        .trim_start_matches('[')
        .trim_end_matches(']')
        .trim()
}

/// The attributes that stand right before a node, first to last.
pub(in crate::code) fn attributes_of(node: Node<'_>) -> Vec<Node<'_>> {
    let mut attributes = Vec::new();
    let mut before = node.prev_sibling();
    while let Some(sibling) = before {
        if sibling.kind() == "attribute_item" {
            attributes.push(sibling);
        } else if !is_comment(sibling) {
            break;
        }
        before = sibling.prev_sibling();
    }
    attributes.reverse();
    attributes
}
