//! Which names a piece of code calls.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::items::{Item, ItemKind, items_of};
use super::syntax::{Parsed, below, named};
use crate::test_id::last_part;

/// A file whose calls are asked for: it is read once, however many items are.
pub struct Calls<'s> {
    parsed: Parsed<'s>,
    items: Vec<Item>,
}

impl<'s> Calls<'s> {
    /// The calls of a file; nothing if it cannot be read whole.
    pub fn read(path: &str, source: &'s str) -> Option<Self> {
        let parsed = Parsed::read(path, source)?;
        let items = items_of(path, &parsed)?;
        Some(Self { parsed, items })
    }

    /// Every function, method and test of the file.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The plain names of what an item calls, reads as a member, or hands on as
    /// an argument: of everything through which it may reach a function. Rather
    /// too many than too few; whoever asks looks for names of functions.
    pub fn of(&self, item: &Item) -> BTreeSet<String> {
        names_of(&self.parsed, item)
    }

    /// The same, with what those functions of the same file call through which
    /// it goes.
    pub fn through(&self, item: &Item) -> BTreeSet<String> {
        let mut names = self.of(item);
        let functions = self.items.iter().filter(|other| other.sort == ItemKind::Function);
        let mut others: Vec<&Item> = functions.collect();
        loop {
            let is_called = |other: &&Item| names.contains(last_part(&other.name));
            let (called, rest): (Vec<&Item>, Vec<&Item>) = others.into_iter().partition(is_called);
            if called.is_empty() {
                return names;
            }
            others = rest;
            names.extend(called.into_iter().flat_map(|one| self.of(one)));
        }
    }
}

fn names_of(parsed: &Parsed<'_>, item: &Item) -> BTreeSet<String> {
    let is_outside = |node: Node<'_>| node.end_byte() <= item.span.start || node.start_byte() >= item.span.end;
    let mut names = BTreeSet::new();
    for node in below(parsed.root(), is_outside) {
        if node.start_byte() >= item.span.start && node.end_byte() <= item.span.end {
            names.extend(names_at(parsed, node).into_iter().map(str::to_owned));
        }
    }
    names
}

fn names_at<'s>(parsed: &Parsed<'s>, node: Node<'_>) -> Vec<&'s str> {
    let of = |field: &str| {
        node.child_by_field_name(field)
            .and_then(|node| last_name(parsed, node))
            .into_iter()
            .collect()
    };
    match node.kind() {
        "call" | "call_expression" => of("function"),
        "new_expression" => of("constructor"),
        // `Sum[int](1)` of Go may be read so.
        "type_conversion_expression" => of("type"),
        "attribute" => of("attribute"),
        "member_expression" => of("property"),
        "selector_expression" => of("field"),
        "jsx_opening_element" | "jsx_self_closing_element" => of("name"),
        "keyword_argument" => of("value"),
        "decorator" | "argument_list" | "arguments" => named(node)
            .into_iter()
            .filter_map(|argument| last_name(parsed, argument))
            .collect(),
        // Inside macros Rust has tokens alone.
        "token_tree" => named(node)
            .into_iter()
            .filter(|token| token.kind() == "identifier")
            .map(|token| parsed.text(token))
            .collect(),
        _ => Vec::new(),
    }
}

/// The name that something spelled with dots, paths or types ends in.
fn last_name<'s>(parsed: &Parsed<'s>, node: Node<'_>) -> Option<&'s str> {
    let mut node = node;
    loop {
        let further = match node.kind() {
            "identifier"
            | "type_identifier"
            | "field_identifier"
            | "property_identifier"
            | "private_property_identifier" => return Some(parsed.text(node)),
            "attribute" => node.child_by_field_name("attribute"),
            "member_expression" => node.child_by_field_name("property"),
            "selector_expression" | "field_expression" => node.child_by_field_name("field"),
            "scoped_identifier" => node.child_by_field_name("name"),
            "generic_type" => node.child_by_field_name("type"),
            "qualified_type" => node.child_by_field_name("name"),
            "generic_function" => node.child_by_field_name("function"),
            "index_expression"
            | "type_instantiation_expression"
            | "parenthesized_expression"
            | "reference_expression"
            | "non_null_expression"
            | "await_expression" => named(node).into_iter().next(),
            _ => None,
        };
        node = further?;
    }
}
