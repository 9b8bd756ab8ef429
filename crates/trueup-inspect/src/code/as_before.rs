//! A file in which what was there before is as it was, and what is new stays.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::edit::{Edit, apply};
use super::items::{ItemKind, SyntaxItem, found};
use super::stub::Stubbed;
use super::syntax::{Parsed, below, named};
use super::{is_test_path, tokens};

/// The later source with the earlier body of every function that both have,
/// and the earlier value of every constant; nothing if one of them does not
/// parse, or what is made of them. Tests stay, and so does what is new.
///
/// A body is put under the later signature where that has the parameters it
/// knows: who calls the function by something new reaches what it did.
pub fn as_before(path: &str, before: &str, after: &str) -> Option<Stubbed> {
    let (old, new) = (Parsed::read(path, before)?, Parsed::read(path, after)?);
    let mut made = Made {
        edits: Vec::new(),
        functions: Vec::new(),
        covered: Vec::new(),
    };
    if !is_test_path(path) {
        let (was, is) = (found(path, &old)?, found(path, &new)?);
        let (was, is) = (by_name(&was), by_name(&is));
        let mut both: Vec<(&SyntaxItem<'_>, &SyntaxItem<'_>)> = is
            .iter()
            .filter_map(|(name, is)| Some(((*was.get(name)?)?, (*is)?)))
            .collect();
        both.sort_by_key(|(_, is)| (is.span.start, std::cmp::Reverse(is.span.end)));
        for (was, is) in both {
            made.function((&old, was), (&new, is));
        }
        let (was, is) = (constants(&old), constants(&new));
        for (name, is) in &is {
            if let (Some(Some(was)), Some(is)) = (was.get(name), is) {
                made.constant((&old, *was), (&new, *is));
            }
        }
    }
    let source = apply(after, made.edits)?;
    Parsed::of(new.language, &source)?;
    Some(Stubbed {
        source,
        functions: made.functions,
    })
}

struct Made {
    edits: Vec<Edit>,
    functions: Vec<String>,
    covered: Vec<Range<usize>>,
}

impl Made {
    fn covers(&self, range: &Range<usize>) -> bool {
        let overlaps = |known: &Range<usize>| known.start < range.end && range.start < known.end;
        self.covered.iter().any(overlaps)
    }

    fn function(&mut self, (old, was): (&Parsed<'_>, &SyntaxItem<'_>), (new, is): (&Parsed<'_>, &SyntaxItem<'_>)) {
        // What only says of which type something is does nothing that a test could miss.
        let key = |parsed: &Parsed<'_>, found: &SyntaxItem<'_>| tokens::untyped_key(parsed, found.whole);
        if key(old, was) == key(new, is) || self.covers(&is.span) {
            return;
        }
        let (from, to) = if fits((old, was), (new, is)) {
            (was.body.byte_range(), is.body.byte_range())
        } else {
            (was.span.clone(), is.span.clone())
        };
        if margin(old, from.start) != margin(new, to.start) {
            return;
        }
        if let Some(text) = old.source.get(from) {
            self.edits.push(Edit {
                range: to,
                text: text.to_owned(),
            });
            self.functions.push(is.name.clone());
            self.covered.push(is.span.clone());
        }
    }

    fn constant(&mut self, (old, was): (&Parsed<'_>, Node<'_>), (new, is): (&Parsed<'_>, Node<'_>)) {
        let range = is.byte_range();
        if tokens::key(old, was, |_| false) != tokens::key(new, is, |_| false) && !self.covers(&range) {
            let text = old.text(was).to_owned();
            self.edits.push(Edit { range, text });
        }
    }
}

/// The functions that are the only ones of their name.
fn by_name<'f, 't>(found: &'f [SyntaxItem<'t>]) -> BTreeMap<&'f str, Option<&'f SyntaxItem<'t>>> {
    let functions = found.iter().filter(|found| found.sort == ItemKind::Function);
    only(functions.map(|found| (found.name.as_str(), found)))
}

/// Each thing by its name, and nothing where several have the same.
fn only<K: Ord, V>(all: impl Iterator<Item = (K, V)>) -> BTreeMap<K, Option<V>> {
    let mut only = BTreeMap::new();
    for (name, one) in all {
        only.entry(name).and_modify(|known| *known = None).or_insert(Some(one));
    }
    only
}

/// Whether an earlier body can stand under the later signature.
fn fits((old, was): (&Parsed<'_>, &SyntaxItem<'_>), (new, is): (&Parsed<'_>, &SyntaxItem<'_>)) -> bool {
    let same_body = tokens::key(old, was.body, |_| false) == tokens::key(new, is.body, |_| false);
    let known = parameters(new, is.function);
    let at_same_margin = margin(old, was.body.start_byte()) == margin(new, is.body.start_byte());
    let alike = was.body.kind() == is.body.kind() && at_same_margin;
    !same_body && alike && parameters(old, was.function).iter().all(|name| known.contains(name))
}

/// The words of a function's parameters.
fn parameters<'s>(parsed: &Parsed<'s>, function: Node<'_>) -> Vec<&'s str> {
    let fields = ["parameters", "parameter"];
    let nodes = fields.iter().filter_map(|field| function.child_by_field_name(field));
    let below = nodes.flat_map(|node| below(node, |_| false));
    below
        .filter(|node| node.kind() == "identifier")
        .map(|node| parsed.text(node))
        .collect()
}

/// The white space before a place on its line; nothing where more stands there.
fn margin<'s>(parsed: &Parsed<'s>, at: usize) -> Option<&'s str> {
    let line = parsed.source.get(..at)?.rsplit('\n').next()?;
    line.chars().all(char::is_whitespace).then_some(line)
}

/// What has one name and one value for good, at the top of a file.
fn constants<'t>(parsed: &'t Parsed<'_>) -> BTreeMap<&'t str, Option<Node<'t>>> {
    let top = named(parsed.root()).into_iter();
    let top = top.map(|node| node.child_by_field_name("declaration").unwrap_or(node));
    only(top.filter_map(|node| Some((parsed.text(name_of(node)?), node))))
}

fn name_of(node: Node<'_>) -> Option<Node<'_>> {
    let inside = named(node);
    let single = |kind: &str| match inside.as_slice() {
        [one] if one.kind() == kind => Some(*one),
        _ => None,
    };
    match node.kind() {
        "expression_statement" => single("assignment")?.child_by_field_name("left"),
        "lexical_declaration" | "variable_declaration" => single("variable_declarator")?.child_by_field_name("name"),
        "const_item" | "static_item" => node.child_by_field_name("name"),
        "const_declaration" => single("const_spec")?.child_by_field_name("name"),
        "var_declaration" => single("var_spec")?.child_by_field_name("name"),
        _ => None,
    }
}
