//! Tests that expect something else than they did.
//!
//! A literal that a test compares its answer with becomes another one, and
//! everything else stays: a test that looks at the answer then fails. What is
//! handed to a call is the question, and is left alone; so is every literal of
//! which it is not sure that the answer is compared with it.

mod go;
mod python;
mod rust;
mod script;
mod value;

use super::Language;
use super::edit::{Edit, apply};
use super::items::{ItemKind, SyntaxItem, found};
use super::syntax::{Parsed, below};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// A source whose tests expect something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherExpectations {
    /// The whole source.
    pub source: String,
    /// The tests that do, by their names.
    pub tests: BTreeSet<String>,
}

/// The source with all that these tests expect changed; nothing if it does not
/// parse, before or after, or if none of them says what it expects.
pub fn other_expectations(path: &str, source: &str, is_meant: impl Fn(&str) -> bool) -> Option<OtherExpectations> {
    let parsed = Parsed::read(path, source)?;
    let mut edits: Vec<Edit> = Vec::new();
    let mut tests = BTreeSet::new();
    let found = found(path, &parsed)?;
    for test in found.iter().filter(|found| found.sort == ItemKind::Test) {
        if !is_meant(&test.name) {
            continue;
        }
        let made: Vec<Edit> = expected(&parsed, test)
            .into_iter()
            .filter_map(|value| value::edits(&parsed, value))
            .flatten()
            .collect();
        if !made.is_empty() {
            tests.insert(test.name.clone());
        }
        // One test may lie in another, or share a table with it.
        let more: Vec<Edit> = made.into_iter().filter(|edit| !edits.contains(edit)).collect();
        edits.extend(more);
    }
    if tests.is_empty() {
        return None;
    }
    let source = apply(parsed.source, edits)?;
    Parsed::of(parsed.language, &source)?;
    Some(OtherExpectations { source, tests })
}

/// What a test compares answers with, as far as that can be seen. Where both
/// sides of a comparison could be it, neither is.
fn expected<'t>(parsed: &'t Parsed<'_>, test: &SyntaxItem<'t>) -> Vec<Node<'t>> {
    let comparisons = match parsed.language {
        Language::Python => python::comparisons(parsed, test.body),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::comparisons(parsed, test.body),
        Language::Rust => rust::comparisons(parsed, test.body),
        Language::Go => go::comparisons(parsed, test),
    };
    let compared: Vec<Node<'t>> = comparisons.iter().flatten().copied().collect();
    let mut values: Vec<Node<'t>> = Vec::new();
    for sides in comparisons {
        let sides = sides.into_iter().map(|side| plain(parsed, test, side, &compared));
        let mut sides: Vec<Vec<Node<'t>>> = sides.filter(|values| !values.is_empty()).collect();
        if let (Some(only), true) = (sides.pop(), sides.is_empty()) {
            values.extend(only);
        }
    }
    values.sort_by_key(Node::start_byte);
    values.dedup();
    values
}

/// The plain values of one side of a comparison. A name stands for its values,
/// unless it is used for anything but to compare with: what is also handed to a
/// call is the question.
fn plain<'t>(parsed: &'t Parsed<'_>, test: &SyntaxItem<'t>, side: Node<'t>, compared: &[Node<'t>]) -> Vec<Node<'t>> {
    let values = if side.kind() == "identifier" {
        let name = parsed.text(side);
        let given = given(parsed, test, name);
        let is_given = |node: Node<'t>| given.iter().any(|value| stands_before(node, *value));
        let uses = below(test.body, |_| false).into_iter();
        let mut uses = uses.filter(|node| node.kind() == "identifier" && parsed.text(*node) == name);
        if uses.all(|one| compared.contains(&one) || is_given(one)) {
            given
        } else {
            Vec::new()
        }
    } else {
        vec![side]
    };
    values
        .into_iter()
        .filter(|value| value::is_plain(parsed, *value))
        .collect()
}

/// What a name is given in a test, or in a table of its cases.
fn given<'t>(parsed: &'t Parsed<'_>, test: &SyntaxItem<'t>, name: &str) -> Vec<Node<'t>> {
    let assigned = below(test.body, |_| false).into_iter().filter_map(|node| {
        let (left, right) = match node.kind() {
            "assignment" | "short_var_declaration" => ("left", "right"),
            "variable_declarator" => ("name", "value"),
            _ => return None,
        };
        let value = node
            .child_by_field_name(right)
            .filter(|_| parsed.field(node, left) == name)?;
        if value.kind() == "expression_list" {
            value.named_child(0)
        } else {
            Some(value)
        }
    });
    let mut values: Vec<Node<'t>> = assigned.collect();
    if parsed.language == Language::Python {
        values.extend(python::cases(parsed, test.whole, name));
    }
    values
}

/// Whether a name and a value are the two sides of one assignment.
fn stands_before(name: Node<'_>, value: Node<'_>) -> bool {
    let mut above = value.parent();
    for _ in 0..2 {
        let Some(one) = above else { return false };
        let left = ["left", "name"].iter().find_map(|field| one.child_by_field_name(field));
        if let Some(left) = left {
            return left.start_byte() <= name.start_byte() && name.end_byte() <= left.end_byte();
        }
        above = one.parent();
    }
    false
}
