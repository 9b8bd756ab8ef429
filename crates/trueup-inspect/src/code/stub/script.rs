//! JavaScript and TypeScript functions that throw, give `undefined`, or
//! something else.

use tree_sitter::Node;

use super::kind::Stub;
use crate::code::Language;
use crate::code::edit::{Edit, quoted};
use crate::code::items::SyntaxItem;
use crate::code::syntax::{Parsed, children, named};

/// Behind this condition the rest of the body stays reachable: TypeScript can
/// be told to refuse what is not, and infers types from it.
const ALWAYS: &str = "if (Boolean(1))";

pub(super) fn edits(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, stub: Stub<'_>) -> Option<Vec<Edit>> {
    let statement = match stub {
        Stub::Failing(token) => format!("throw new Error({});", quoted(token)),
        // A constructor always gives an object; what is left out of it may be what was changed.
        Stub::Defaulting | Stub::Mistaken if is_constructor(parsed, found.function) => return None,
        // What never returns has nothing to give.
        Stub::Defaulting | Stub::Mistaken if parsed.field(found.function, "return_type") == ": never" => return None,
        Stub::Defaulting if is_setter(found.function) => "return;".to_owned(),
        Stub::Mistaken if is_setter(found.function) => return None,
        Stub::Defaulting => gives(parsed.language, "undefined"),
        Stub::Mistaken => gives(parsed.language, "\"trueup\""),
    };
    let statement = format!("{ALWAYS} {statement}");
    let body = found.body;
    if body.kind() != "statement_block" {
        return Some(vec![
            Edit::at(body.start_byte(), format!("{{ {statement} return (")),
            Edit::at(body.end_byte(), "); }"),
        ]);
    }
    let (at, end) = begin(parsed, body);
    Some(vec![Edit::at(at, format!("{end} {statement}"))])
}

fn gives(language: Language, value: &str) -> String {
    match language {
        // Fits every result type.
        Language::TypeScript | Language::Tsx => format!("return {value} as any;"),
        Language::JavaScript | Language::Python | Language::Rust | Language::Go => format!("return {value};"),
    }
}

fn is_constructor(parsed: &Parsed<'_>, function: Node<'_>) -> bool {
    function.kind() == "method_definition" && parsed.field(function, "name") == "constructor"
}

fn is_setter(function: Node<'_>) -> bool {
    children(function).iter().any(|word| word.kind() == "set")
}

/// Where a statement can stand first: after the brace, directives such as
/// `"use server"`, and a call of `super`, which TypeScript wants first; and
/// what ends the last of these.
fn begin(parsed: &Parsed<'_>, body: Node<'_>) -> (usize, &'static str) {
    let mut begin = (body.start_byte() + 1, "");
    for statement in named(body) {
        let text = parsed.text(statement);
        let is_directive = statement.kind() == "expression_statement"
            && named(statement).first().is_some_and(|node| node.kind() == "string");
        if !is_directive && !text.starts_with("super(") {
            break;
        }
        begin = (statement.end_byte(), ";");
    }
    begin
}
