//! Tests that expect something else than they did.
//!
//! A literal that a test compares its answer with becomes another one, and
//! everything else stays: a test that looks at the answer then fails. What is
//! handed to a call is the question, and is left alone; so is every literal of
//! which it is not sure that the answer is compared with it.

mod comparing;
mod go;
mod python;
mod rust;
mod script;
mod value;

pub use self::comparing::Comparing;

use super::Language;
use super::edit::{Edit, apply};
use super::items::{ItemKind, SyntaxItem, found};
use super::syntax::{Parsed, below};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// A source whose tests expect something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherExpectations {
    /// The whole source.
    pub source: String,
    /// The tests that do, by their names.
    pub tests: BTreeSet<String>,
}

/// How many names of one test are followed to their values.
const MOST_NAMES: usize = 100;

/// The source with all that these tests expect changed, also where they hand it
/// to functions that compare; nothing if it does not parse, before or after, or
/// if none of them says what it expects.
pub fn other_expectations(
    path: &str,
    source: &str,
    comparing: &Comparing,
    is_meant: impl Fn(&str) -> bool,
) -> Option<OtherExpectations> {
    let parsed = Parsed::read(path, source)?;
    // One test may lie in another, or share a table with it.
    let mut edits: BTreeMap<(usize, usize), Edit> = BTreeMap::new();
    let mut tests = BTreeSet::new();
    let found = found(path, &parsed)?;
    for test in found.iter().filter(|found| found.sort == ItemKind::Test) {
        if !is_meant(&test.name) || expects_a_failure(&parsed, test) {
            continue;
        }
        let values = expected(&parsed, test, comparing).into_iter();
        let made: Vec<Edit> = values
            .filter_map(|value| value::edits(&parsed, value))
            .flatten()
            .collect();
        if !made.is_empty() {
            tests.insert(test.name.clone());
        }
        edits.extend(made.into_iter().map(|edit| ((edit.range.start, edit.range.end), edit)));
    }
    if tests.is_empty() {
        return None;
    }
    let source = apply(parsed.source, edits.into_values().collect())?;
    Parsed::of(parsed.language, &source)?;
    Some(OtherExpectations { source, tests })
}

/// Whether a test passes by failing: nobody knows whether it compares first.
fn expects_a_failure(parsed: &Parsed<'_>, test: &SyntaxItem<'_>) -> bool {
    let head = parsed.source.get(test.span.start..test.body.start_byte());
    head.is_some_and(|head| head.contains("should_panic") || head.contains("xfail"))
}

/// What a test compares answers with, as far as that can be seen. Where both
/// sides of a comparison could be it, neither is.
fn expected<'t>(parsed: &'t Parsed<'_>, test: &SyntaxItem<'t>, comparing: &Comparing) -> Vec<Node<'t>> {
    let mut comparisons = match parsed.language {
        Language::Python => python::comparisons(parsed, test.body),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::comparisons(parsed, test.body),
        Language::Rust => rust::comparisons(parsed, test.body),
        Language::Go => go::comparisons(parsed, test),
    };
    comparisons.extend(comparing.sides(parsed, test.body));
    let names = NamedValues::of(parsed, test, &comparisons);
    let mut values: Vec<Node<'t>> = Vec::new();
    for sides in comparisons {
        let sides = sides.into_iter().map(|side| match side.kind() {
            "identifier" => names.of_name(parsed.text(side)),
            _ if value::is_plain(parsed, side) => vec![side],
            _ => Vec::new(),
        });
        let mut sides: Vec<Vec<Node<'t>>> = sides.filter(|values| !values.is_empty()).collect();
        if let (Some(only), true) = (sides.pop(), sides.is_empty()) {
            values.extend(only);
        }
    }
    values
}

/// The values of names that a test compares something with.
struct NamedValues<'t, 's>(BTreeMap<&'s str, Vec<Node<'t>>>);

impl<'t, 's> NamedValues<'t, 's> {
    /// Those of names that are given plain values, and are used for nothing but
    /// to compare with: what is also handed to a call is the question.
    fn of(parsed: &'t Parsed<'s>, test: &SyntaxItem<'t>, comparisons: &[Vec<Node<'t>>]) -> Self {
        let sides = comparisons.iter().flatten();
        let compared: BTreeSet<usize> = sides.clone().map(Node::id).collect();
        let named = sides.filter(|side| side.kind() == "identifier");
        let wanted: BTreeSet<&'s str> = named.map(|side| parsed.text(*side)).collect();
        if wanted.is_empty() {
            return Self(BTreeMap::new());
        }
        let wanted = wanted.into_iter().take(MOST_NAMES);
        let given = wanted.map(|name| (name, given(parsed, test, name)));
        let mut given: BTreeMap<&'s str, Vec<Node<'t>>> = given.collect();
        given.retain(|_, values| values.iter().all(|value| value::is_plain(parsed, *value)));
        for node in below(test.body, |_| false) {
            let name = parsed.text(node);
            if node.kind() == "identifier"
                && let Some(values) = given.get(name)
                && !compared.contains(&node.id())
                && !values.iter().any(|value| stands_before(node, *value))
            {
                given.remove(name);
            }
        }
        Self(given)
    }

    fn of_name(&self, name: &str) -> Vec<Node<'t>> {
        self.0.get(name).cloned().unwrap_or_default()
    }
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
