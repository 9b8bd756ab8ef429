//! Functions, methods and tests of JavaScript and TypeScript.

use std::rc::Rc;

use tree_sitter::Node;

use super::item::{EnclosingNames, ItemKind, SyntaxItem};
use crate::code::makers::{CallKind, RunnerImports};
use crate::code::syntax::{Parsed, children, named};

/// Where the walk stands: what things here are called, and of what they are part.
#[derive(Clone)]
struct Place<'t> {
    around: EnclosingNames,
    titles: EnclosingNames,
    sort: ItemKind,
    /// The name that what comes next is given, and all that gives it.
    given: Option<(Rc<str>, Node<'t>)>,
}

impl<'t> Place<'t> {
    fn unnamed(&self) -> Self {
        Self {
            given: None,
            ..self.clone()
        }
    }

    fn given(&self, name: &str, whole: Node<'t>) -> Self {
        Self {
            given: Some((Rc::from(name), whole)),
            ..self.clone()
        }
    }

    fn within(&self, name: &str) -> Option<Self> {
        Some(Self {
            around: self.around.within(name)?,
            given: None,
            ..self.clone()
        })
    }
}

pub(super) fn found<'t>(parsed: &'t Parsed<'_>) -> Option<Vec<SyntaxItem<'t>>> {
    let mut all = Vec::new();
    let makers = RunnerImports::read(parsed);
    let place = Place {
        around: EnclosingNames::nothing("."),
        titles: EnclosingNames::nothing(" > "),
        sort: ItemKind::Function,
        given: None,
    };
    let walk = Walk { parsed, makers };
    let mut next = vec![(parsed.root(), place)];
    while let Some((node, place)) = next.pop() {
        let mut inside = step(&walk, node, place, &mut all)?;
        inside.reverse();
        next.extend(inside);
    }
    Some(all)
}

struct Walk<'t, 's> {
    parsed: &'t Parsed<'s>,
    makers: RunnerImports,
}

type Inside<'t> = Vec<(Node<'t>, Place<'t>)>;

/// Notes what a node is and tells where to go on.
fn step<'t>(
    walk: &Walk<'t, '_>,
    node: Node<'t>,
    place: Place<'t>,
    all: &mut Vec<SyntaxItem<'t>>,
) -> Option<Inside<'t>> {
    let parsed = walk.parsed;
    let each = |place: Place<'t>| {
        children(node)
            .into_iter()
            .map(move |child| (child, place.clone()))
            .collect()
    };
    Some(match node.kind() {
        "function_declaration"
        | "generator_function_declaration"
        | "method_definition"
        | "function_expression"
        | "generator_function"
        | "arrow_function" => function(parsed, node, &place, all)?,
        "class_declaration" | "abstract_class_declaration" | "class" | "internal_module" | "module" => {
            match own_or_given(parsed, node, &place) {
                Some(name) => each(place.within(&name)?),
                None => each(place.unnamed()),
            }
        }
        "object" => match &place.given {
            Some((name, _)) => each(place.within(&name.clone())?),
            None => each(place),
        },
        "lexical_declaration" | "variable_declaration" => {
            let declared = named(node)
                .into_iter()
                .filter(|child| child.kind() == "variable_declarator")
                .count();
            let whole = (declared == 1).then_some(node);
            let mut inside = Vec::new();
            for child in children(node) {
                inside.extend(naming(parsed, child, &place, whole));
            }
            inside
        }
        "variable_declarator" | "pair" | "public_field_definition" | "field_definition" | "assignment_expression" => {
            naming(parsed, node, &place, None)
        }
        "export_statement" => match node.child_by_field_name("value") {
            Some(value) => vec![(value, place.given("default", node))],
            None => each(place.unnamed()),
        },
        // What wraps a function does not hide it: `memo(() => …)`, `(f) as F`.
        "parenthesized_expression" | "as_expression" | "satisfies_expression" | "arguments" | "non_null_expression" => {
            each(place)
        }
        "call_expression" => call(walk, node, place, all)?,
        _ => each(place.unnamed()),
    })
}

/// What gives a name to its value.
fn naming<'t>(parsed: &Parsed<'_>, node: Node<'t>, place: &Place<'t>, whole: Option<Node<'t>>) -> Inside<'t> {
    let (name, value) = match node.kind() {
        "variable_declarator" => ("name", "value"),
        "pair" => ("key", "value"),
        "public_field_definition" => ("name", "value"),
        "field_definition" => ("property", "value"),
        "assignment_expression" => ("left", "right"),
        _ => return vec![(node, place.unnamed())],
    };
    let name = plain(parsed.field(node, name));
    let given = place.given(name, whole.unwrap_or(node));
    match node.child_by_field_name(value) {
        Some(value) => vec![(value, given)],
        None => Vec::new(),
    }
}

/// A name without quotation marks, and without the object CommonJS exports by.
fn plain(name: &str) -> &str {
    let name = name.trim_matches(['"', '\'', '`', '[', ']']);
    if name == "module.exports" {
        return "default";
    }
    name.strip_prefix("module.exports.")
        .or_else(|| name.strip_prefix("exports."))
        .unwrap_or(name)
}

fn own_or_given(parsed: &Parsed<'_>, node: Node<'_>, place: &Place<'_>) -> Option<String> {
    match (&place.given, node.child_by_field_name("name")) {
        (Some((name, _)), _) => Some(name.to_string()),
        (None, Some(name)) => Some(plain(parsed.text(name)).to_owned()),
        (None, None) => None,
    }
}

fn function<'t>(
    parsed: &Parsed<'_>,
    node: Node<'t>,
    place: &Place<'t>,
    all: &mut Vec<SyntaxItem<'t>>,
) -> Option<Inside<'t>> {
    let Some(body) = node.child_by_field_name("body") else {
        return Some(Vec::new());
    };
    let Some(name) = own_or_given(parsed, node, place) else {
        return Some(vec![(body, place.unnamed())]);
    };
    let whole = place.given.as_ref().map_or(node, |(_, whole)| *whole);
    all.push(SyntaxItem {
        name: place.around.name(&name),
        sort: place.sort,
        span: whole.byte_range(),
        whole,
        function: node,
        body,
    });
    Some(vec![(body, place.within(&name)?)])
}

fn call<'t>(
    walk: &Walk<'t, '_>,
    node: Node<'t>,
    place: Place<'t>,
    all: &mut Vec<SyntaxItem<'t>>,
) -> Option<Inside<'t>> {
    let parsed = walk.parsed;
    let (Some(callee), Some(arguments)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    ) else {
        return Some(Vec::new());
    };
    let makes = walk.makers.made_by(parsed, callee);
    let callback = named(arguments)
        .into_iter()
        .find(|node| matches!(node.kind(), "arrow_function" | "function_expression"));
    let (Some(callback), Some(makes)) = (callback, makes) else {
        return Some(vec![(callee, place.unnamed()), (arguments, place)]);
    };
    let Some(body) = callback.child_by_field_name("body") else {
        return Some(Vec::new());
    };
    let title = title(parsed, arguments);
    let titles = place.titles.within(title)?;
    if makes == CallKind::Test {
        all.push(SyntaxItem {
            name: titles.name.to_string(),
            sort: ItemKind::Test,
            span: node.byte_range(),
            whole: node,
            function: callback,
            body,
        });
    }
    let inner = Place {
        around: place.around.within(title)?,
        titles,
        sort: ItemKind::Test,
        given: None,
    };
    Some(vec![(body, inner)])
}

/// What a test is called: its first argument, without quotation marks.
fn title<'s>(parsed: &Parsed<'s>, arguments: Node<'_>) -> &'s str {
    let Some(first) = named(arguments).into_iter().next() else {
        return "";
    };
    match first.kind() {
        "string" | "template_string" => {
            let text = parsed.text(first);
            text.get(1..text.len().saturating_sub(1)).unwrap_or(text)
        }
        "arrow_function" | "function_expression" => "",
        _ => parsed.text(first),
    }
}

/// Whether it is the block that vitest alone runs, inside the code it tests.
fn is_in_source_test(parsed: &Parsed<'_>, node: Node<'_>) -> bool {
    node.kind() == "if_statement"
        && parsed.field(node, "condition").contains("import.meta.vitest")
        && node.child_by_field_name("alternative").is_none()
}

/// The statements of a file that are nothing but a test or a group of tests.
pub(in crate::code) fn test_statements<'t>(parsed: &'t Parsed<'_>) -> Vec<Node<'t>> {
    let makers = RunnerImports::read(parsed);
    named(parsed.root())
        .into_iter()
        .filter(|node| {
            is_in_source_test(parsed, *node)
                || node.kind() == "expression_statement"
                    && named(*node)
                        .first()
                        .filter(|call| call.kind() == "call_expression")
                        .and_then(|call| call.child_by_field_name("function"))
                        .is_some_and(|callee| makers.made_by(parsed, callee).is_some())
        })
        .collect()
}
