//! Functions that compare for tests: what a test hands to one may be what it
//! expects.

use super::{go, python, rust, script};
use crate::code::Language;
use crate::code::items::{ItemKind, SyntaxItem, found};
use crate::code::syntax::{Parsed, below, named};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// What comes before the name of a function that is written down.
const DEFINES: [&str; 6] = ["def ", "func ", "fn ", "function ", "const ", "let "];

/// What only tells of a failure.
const TELLS: [&str; 8] = [
    ".Error", ".Fatal", ".Fail", ".Log", "panic", "print", "println", "eprintln",
];

/// What functions that compare are handed and compare, by their names.
#[derive(Clone, Debug, Default)]
pub struct Comparing(BTreeMap<String, Vec<Vec<Place>>>);

/// Where a function is handed a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The nth thing that it is handed.
    Whole(usize),
    /// A column of a table that is the nth thing.
    Column(usize, usize),
}

impl Comparing {
    /// Those that a file of tests calls: its own, and those that just one of the
    /// other files has.
    pub fn of(path: &str, source: &str, others: &[(&str, &str)]) -> Self {
        let Some(parsed) = Parsed::read(path, source) else {
            return Self::default();
        };
        let called: BTreeSet<&str> = calls(&parsed, parsed.root()).map(|(name, _)| name).collect();
        let mut all = Self::in_file(path, &parsed, &called);
        let strange: BTreeSet<&str> = called.into_iter().filter(|name| !all.0.contains_key(*name)).collect();
        let mut elsewhere: BTreeMap<String, Vec<Vec<Vec<Place>>>> = BTreeMap::new();
        for (path, source) in others.iter().filter(|(other, _)| *other != path) {
            if Language::of(path) != Some(parsed.language) || !defines(source, &strange) {
                continue;
            }
            let Some(other) = Parsed::read(path, source) else {
                continue;
            };
            for (name, compared) in Self::in_file(path, &other, &strange).0 {
                elsewhere.entry(name).or_default().push(compared);
            }
        }
        let only = elsewhere.into_iter().filter(|(_, found)| found.len() == 1);
        all.0.extend(only.map(|(name, found)| (name, found.concat())));
        all
    }

    /// Functions of a file with one of these names, also those that compare nothing.
    fn in_file(path: &str, parsed: &Parsed<'_>, names: &BTreeSet<&str>) -> Self {
        let mut all: BTreeMap<String, Vec<Vec<Place>>> = BTreeMap::new();
        let items = found(path, parsed).unwrap_or_default();
        for item in items.iter().filter(|item| item.sort == ItemKind::Function) {
            let name = item.name.rsplit(['.', ':']).next().unwrap_or_default();
            if names.contains(name) {
                let is_known = all.contains_key(name);
                // Of two with one name nobody knows which is called.
                let compared = if is_known { Vec::new() } else { compared(parsed, item) };
                all.insert(name.to_owned(), compared);
            }
        }
        Self(all)
    }

    /// The sides of each comparison that is made for this code, as far as they
    /// stand in it.
    pub(super) fn sides<'t>(&self, parsed: &Parsed<'_>, body: Node<'t>) -> Vec<Vec<Node<'t>>> {
        let all = calls(parsed, body).flat_map(|(name, arguments)| {
            let compared = self.0.get(name).map(Vec::as_slice).unwrap_or_default();
            let all = compared.iter().flat_map(|places| handed(&arguments, places));
            all.collect::<Vec<_>>()
        });
        all.collect()
    }
}

/// Whether a source may have a function with one of these names.
fn defines(source: &str, names: &BTreeSet<&str>) -> bool {
    source.lines().any(|line| {
        let mut rests = DEFINES.iter().filter_map(|word| line.split_once(word));
        rests.any(|(_, rest)| {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            names.contains(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default())
        })
    })
}

/// Calls of what is called by its bare name, or is a method of the tests' own
/// class, with what they hand over.
fn calls<'p, 's: 'p, 't: 'p>(
    parsed: &'p Parsed<'s>,
    body: Node<'t>,
) -> impl Iterator<Item = (&'s str, Vec<Node<'t>>)> + 'p {
    below(body, |_| false).into_iter().filter_map(move |node| {
        let function = node
            .child_by_field_name("function")
            .filter(|_| matches!(node.kind(), "call" | "call_expression"))?;
        let name = parsed.text(function);
        let name = name.strip_prefix("self.").unwrap_or(name);
        let name = match function.kind() {
            "scoped_identifier" => name.rsplit("::").next()?,
            _ => name,
        };
        let arguments = node.child_by_field_name("arguments")?;
        let is_bare = !name.is_empty() && !name.contains(|c: char| !(c.is_alphanumeric() || c == '_'));
        is_bare.then(|| (name, named(arguments)))
    })
}

/// What a function is handed in these places: once, or once for each row of a table.
fn handed<'t>(arguments: &[Node<'t>], places: &[Place]) -> Vec<Vec<Node<'t>>> {
    let whole = |place: &Place| match place {
        Place::Whole(at) => arguments.get(*at).copied(),
        Place::Column(..) => None,
    };
    if let Some(whole) = places.iter().map(whole).collect() {
        return vec![whole];
    }
    let table = places.iter().map(|place| match place {
        Place::Whole(_) => None,
        Place::Column(at, _) => Some(*at),
    });
    let tables: Option<BTreeSet<usize>> = table.collect();
    let Some(only) = tables.filter(|tables| tables.len() == 1) else {
        return Vec::new();
    };
    let table = only.first().and_then(|at| arguments.get(*at).copied());
    let rows = table.map(parts).unwrap_or_default().into_iter();
    rows.map(|row| {
        let cells = parts(row);
        let cell = |place: &Place| match place {
            Place::Whole(_) => None,
            Place::Column(_, at) => cells.get(*at).copied(),
        };
        places.iter().filter_map(cell).collect()
    })
    .collect()
}

/// What a list that is written down holds.
fn parts(list: Node<'_>) -> Vec<Node<'_>> {
    match list.kind() {
        "reference_expression" => list.child_by_field_name("value").map(parts).unwrap_or_default(),
        "list" | "tuple" | "array" | "array_expression" | "tuple_expression" => named(list),
        _ => Vec::new(),
    }
}

/// Of what a function is handed, the sides of each of its comparisons; without
/// what it uses for anything else, which is the question.
fn compared(parsed: &Parsed<'_>, item: &SyntaxItem<'_>) -> Vec<Vec<Place>> {
    let comparisons = match parsed.language {
        Language::Python => python::comparisons(parsed, item.body),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::comparisons(parsed, item.body),
        Language::Rust => rust::compared_names(parsed, item.body),
        Language::Go => go::comparisons(parsed, item),
    };
    let mut places = places(parsed, item);
    let sides = comparisons.iter().flatten();
    let sides: BTreeSet<usize> = sides.filter(|side| side.kind() == "identifier").map(Node::id).collect();
    for node in below(item.body, |_| false) {
        let name = parsed.text(node);
        if node.kind() == "identifier" && !sides.contains(&node.id()) && is_used(parsed, node) {
            places.remove(name);
        }
    }
    let compared = comparisons.into_iter().map(|sides| {
        let sides = sides.into_iter().filter(|side| side.kind() == "identifier");
        sides
            .filter_map(|side| places.get(parsed.text(side)).copied())
            .collect()
    });
    compared.filter(|places: &Vec<Place>| !places.is_empty()).collect()
}

/// The names that a function gives to what it is handed.
fn places<'s>(parsed: &Parsed<'s>, item: &SyntaxItem<'_>) -> BTreeMap<&'s str, Place> {
    let parameters = parameters(parsed, item.function);
    let mut places = BTreeMap::new();
    for node in below(item.body, |_| false) {
        let (row, table) = match node.kind() {
            "for_statement" | "for_in_statement" => ("left", "right"),
            "for_expression" => ("pattern", "value"),
            _ => continue,
        };
        let table = parsed.field(node, table);
        let Some(at) = parameters.iter().position(|name| *name == table) else {
            continue;
        };
        let cells = node.child_by_field_name(row).map(named).unwrap_or_default().into_iter();
        places.extend(
            cells
                .enumerate()
                .map(|(nth, cell)| (parsed.text(cell), Place::Column(at, nth))),
        );
    }
    let whole = parameters.into_iter().enumerate();
    places.extend(whole.map(|(at, name)| (name, Place::Whole(at))));
    places
}

/// What a function calls the things that it is handed one by one, in order.
fn parameters<'s>(parsed: &Parsed<'s>, function: Node<'_>) -> Vec<&'s str> {
    let all = function
        .child_by_field_name("parameters")
        .map(named)
        .unwrap_or_default();
    let mut names: Vec<&'s str> = Vec::new();
    for parameter in all {
        match parameter.kind() {
            "identifier" => names.push(parsed.text(parameter)),
            "parameter_declaration" => {
                let mut cursor = parameter.walk();
                names.extend(
                    parameter
                        .children_by_field_name("name", &mut cursor)
                        .map(|name| parsed.text(name)),
                );
            }
            "typed_parameter" => names.extend(named(parameter).first().map(|name| parsed.text(*name))),
            "self_parameter" => {}
            // What comes after a star is handed over by its name.
            "list_splat_pattern" | "dictionary_splat_pattern" | "keyword_separator" | "rest_pattern" => break,
            _ => {
                let mut fields = ["name", "pattern", "left"].into_iter();
                names.extend(
                    fields
                        .find_map(|field| parameter.child_by_field_name(field))
                        .map(|it| parsed.text(it)),
                );
            }
        }
    }
    names.retain(|name| !matches!(*name, "self" | "cls"));
    names
}

/// Whether a name is used here for anything but to tell of a failure, or to call
/// a part of something else.
fn is_used(parsed: &Parsed<'_>, name: Node<'_>) -> bool {
    let is_part = name.prev_sibling().is_some_and(|before| before.kind() == ".");
    let mut above = name.parent();
    let mut inner = name;
    while let Some(node) = above.filter(|node| !matches!(node.kind(), "block" | "statement_block")) {
        let called = match node.kind() {
            "call_expression" => parsed.field(node, "function"),
            "macro_invocation" => parsed.field(node, "macro"),
            _ => "",
        };
        let is_message = node.kind() == "assert_statement" && named(node).first() != Some(&inner);
        let bound = match node.kind() {
            "for_statement" | "for_in_statement" => node.child_by_field_name("left"),
            "for_expression" => node.child_by_field_name("pattern"),
            _ => None,
        };
        let is_bound = bound.is_some_and(|bound| bound.byte_range().contains(&name.start_byte()));
        let is_told = TELLS
            .iter()
            .any(|word| called == *word || word.starts_with('.') && called.contains(word));
        if is_bound || is_told || is_message {
            return false;
        }
        inner = node;
        above = node.parent();
    }
    !is_part
}
