//! Values that stand in new code and in a test, and tests with values near
//! those.
//!
//! Code that knows the values of its tests has to name them. Where it does,
//! the test can ask for other values of the same shape, everywhere alike: what
//! it then expects is not known to be right, but what it says of the answer
//! can be compared with what it says of other code.

mod data;
mod letters;
mod names;
mod value;

pub use self::data::{neighbour_of_data, other_lines, written_answers};
pub use self::value::SharedValue;

use self::names::{Owner, owners};
use super::edit::{Edit, apply};
use super::is_test_path;
use super::items::{ItemKind, found};
use super::syntax::{Parsed, below};
use super::touched::{Part, test_parts};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tree_sitter::Node;

/// A source whose tests have other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The whole source.
    pub source: String,
    /// The tests that do, by their names, each with the values that it had.
    pub tests: BTreeMap<String, BTreeSet<SharedValue>>,
    /// The values that they have now, as they are printed.
    pub values: BTreeSet<String>,
}

/// The values that stand in lines of code that were not there before, tests
/// apart.
pub fn new_values(path: &str, before: Option<&str>, after: &str) -> BTreeSet<SharedValue> {
    let Some(parsed) = Parsed::read(path, after).filter(|_| !is_test_path(path)) else {
        return BTreeSet::new();
    };
    let old: BTreeSet<&str> = before.unwrap_or_default().lines().map(str::trim).collect();
    let mut at = 0;
    let mut added: Vec<Range<usize>> = Vec::new();
    for line in after.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if !old.contains(line.trim()) {
            added.push(range);
        }
    }
    let tests = test_parts(&parsed);
    let is_new = |node: &Node<'_>| {
        let start = node.start_byte();
        // A file of data may have as many lines as values.
        let line = added.get(added.partition_point(|line| line.end <= start));
        line.is_some_and(|line| line.contains(&start)) && !tests.iter().any(|part| part.range.contains(&start))
    };
    let nodes = below(parsed.root(), value::is_literal).into_iter();
    let literals = nodes.filter(is_new).filter_map(|node| value::read(&parsed, node));
    let letters = letters::letters_of(&parsed, is_new)
        .into_iter()
        .map(SharedValue::Letter);
    literals.map(|literal| literal.value).chain(letters).collect()
}

/// The letters that stand in the tests of a source and are none of ASCII.
pub fn letters_of_tests(path: &str, source: &str) -> BTreeSet<char> {
    let parsed = Parsed::read(path, source);
    parsed.map_or_else(BTreeSet::new, |parsed| {
        let beside_code = test_parts(&parsed);
        letters::letters_of(&parsed, |node| is_of_tests(path, &beside_code, node))
    })
}

/// Whether a node stands in a test, or in what is only there for tests.
fn is_of_tests(path: &str, beside_code: &[Part], node: &Node<'_>) -> bool {
    let start = node.start_byte();
    is_test_path(path) || beside_code.iter().any(|part| part.range.contains(&start))
}

/// The source with each of these values that its tests name as its nth
/// neighbour; nothing if it does not parse, before or after, or if none of the
/// tests that are meant names one.
pub fn neighbour(
    path: &str,
    source: &str,
    values: &BTreeSet<SharedValue>,
    nth: u32,
    is_meant: impl Fn(&str) -> bool,
) -> Option<Neighbour> {
    let parsed = Parsed::read(path, source)?;
    let beside_code = test_parts(&parsed);
    let is_of_tests = |node: &Node<'_>| is_of_tests(path, &beside_code, node);
    let mut edits: BTreeMap<usize, Edit> = BTreeMap::new();
    let mut named: Vec<Named<'_>> = Vec::new();
    let mut printed = BTreeSet::new();
    let nodes = below(parsed.root(), value::is_literal).into_iter();
    for node in nodes.filter(is_of_tests) {
        let Some(literal) = read_in_test(&parsed, node).filter(|literal| values.contains(&literal.value)) else {
            continue;
        };
        let Some(other) = literal.value.neighbour(nth) else {
            continue;
        };
        printed.insert(other.clone());
        named.push((node, BTreeSet::from([literal.value])));
        let edit = Edit {
            range: literal.range,
            text: other,
        };
        edits.insert(edit.range.start, edit);
    }
    let letters: BTreeSet<char> = values.iter().filter_map(SharedValue::letter).collect();
    for (node, edit, found) in letters::edits(&parsed, &letters, usize::try_from(nth).ok()?, is_of_tests) {
        let is_apart = |known: &Edit| known.range.end <= edit.range.start || edit.range.end <= known.range.start;
        if edits.values().all(is_apart) {
            named.push((node, found.into_iter().map(SharedValue::Letter).collect()));
            edits.insert(edit.range.start, edit);
        }
    }
    let tests = changed_tests(path, &parsed, &named, is_meant)?;
    if tests.is_empty() {
        return None;
    }
    let source = apply(parsed.source, edits.into_values().collect())?;
    Parsed::of(parsed.language, &source)?;
    Some(Neighbour {
        source,
        tests,
        values: printed,
    })
}

/// A value of a test; nothing where it names something and is not asked about.
fn read_in_test(parsed: &Parsed<'_>, node: Node<'_>) -> Option<value::Literal> {
    if names::is_name(parsed, node) {
        return None;
    }
    match node.kind() {
        "property_identifier" if names::is_key(node) => Some(value::Literal {
            value: SharedValue::Text(parsed.text(node).to_owned()),
            range: node.byte_range(),
        }),
        _ => value::read(parsed, node),
    }
}

/// A node of a test, and the values that it holds.
type Named<'t> = (Node<'t>, BTreeSet<SharedValue>);

/// Those of the tests that are meant in which one of these nodes stands, or
/// which name something that one of them belongs to; each with their values.
fn changed_tests(
    path: &str,
    parsed: &Parsed<'_>,
    named: &[Named<'_>],
    is_meant: impl Fn(&str) -> bool,
) -> Option<BTreeMap<String, BTreeSet<SharedValue>>> {
    let found = found(path, parsed)?;
    let tests = found.iter().filter(|item| item.sort == ItemKind::Test);
    let owners: Vec<Owner<'_>> = named.iter().map(|(node, _)| owners(parsed, *node)).collect();
    let mut changed: BTreeMap<String, BTreeSet<SharedValue>> = BTreeMap::new();
    for test in tests.filter(|test| is_meant(&test.name)) {
        let said = parsed.source.get(test.span.clone()).unwrap_or_default();
        let words: BTreeSet<&str> = said
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .collect();
        let is_of_test = |(node, owner): (&Node<'_>, &Owner<'_>)| {
            test.span.contains(&node.start_byte()) || owner.iter().any(|name| words.contains(name))
        };
        let nodes = named.iter().zip(&owners);
        let mut values = nodes
            .filter(|((node, _), owner)| is_of_test((node, owner)))
            .map(|((_, values), _)| values)
            .peekable();
        if values.peek().is_some() {
            let known = changed.entry(test.name.clone()).or_default();
            values.for_each(|values| known.extend(values.iter().cloned()));
        }
    }
    Some(changed)
}
