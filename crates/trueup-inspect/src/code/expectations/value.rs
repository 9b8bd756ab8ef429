//! Values as they are written down: literals, and lists and tables of them.

use crate::code::Language;
use crate::code::edit::Edit;
use crate::code::syntax::{Parsed, children, named};
use tree_sitter::Node;

/// What is put at the end of a text.
const MORE: &str = "trueup";

/// How deep values may lie in one another.
const NESTED: u32 = 16;

/// What changes every literal of a value; nothing if it is no plain value.
pub(super) fn edits(parsed: &Parsed<'_>, value: Node<'_>) -> Option<Vec<Edit>> {
    let mut made = Vec::new();
    gather(parsed, value, NESTED, &mut made)?;
    Some(made)
}

/// Whether it is written down as it is.
pub(super) fn is_plain(parsed: &Parsed<'_>, value: Node<'_>) -> bool {
    edits(parsed, value).is_some_and(|edits| !edits.is_empty())
}

fn gather(parsed: &Parsed<'_>, value: Node<'_>, depth: u32, made: &mut Vec<Edit>) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let mut inner = |node: Node<'_>| gather(parsed, node, depth, made);
    match value.kind() {
        "integer" | "float" | "number" | "int_literal" | "float_literal" | "integer_literal" => {
            made.push(number(parsed, value));
        }
        "string" | "template_string" | "string_literal" | "raw_string_literal" | "interpreted_string_literal" => {
            made.push(text(parsed, value)?);
        }
        "true" | "false" | "boolean_literal" => made.push(replaced(value, flipped(parsed.text(value))?)),
        "none" => made.push(replaced(value, "...")),
        "null" | "undefined" => made.push(replaced(value, "\"trueup\"")),
        // `void 0` is nothing, whatever the number.
        "unary_expression" if !parsed.text(value).starts_with(['-', '+']) => return None,
        "concatenated_string" | "unary_operator" | "unary_expression" | "parenthesized_expression" => {
            named(value).into_iter().try_for_each(inner)?;
        }
        // Both truths in another order are the same set.
        "set" if named(value).iter().any(|part| matches!(part.kind(), "true" | "false")) => return None,
        "list" | "tuple" | "set" | "dictionary" | "array" | "object" => match named(value).as_slice() {
            [] => made.push(replaced(value, filled(value.kind())?)),
            parts => parts.iter().copied().try_for_each(inner)?,
        },
        "pair" | "reference_expression" => inner(value.child_by_field_name("value")?)?,
        // `[0; 3]` says how many there are.
        "array_expression" if children(value).iter().any(|part| part.kind() == ";") => return None,
        "array_expression" | "tuple_expression" => named(value).into_iter().try_for_each(inner)?,
        // Of a list of Go what matters stands behind its type.
        "composite_literal" => named(value.child_by_field_name("body")?)
            .into_iter()
            .try_for_each(inner)?,
        "literal_element" => inner(*named(value).first()?)?,
        "keyed_element" => inner(*named(value).last()?)?,
        "literal_value" => named(value).into_iter().try_for_each(inner)?,
        // What is called something is left as it is among others.
        "identifier" | "nil" | "attribute" | "member_expression" | "selector_expression" => {}
        _ => return None,
    }
    Some(())
}

/// Another number that fits wherever the number does: twice as much and one
/// more, which no tolerance takes for the same; or its last bit turned, where
/// more could be too much for its type.
fn number(parsed: &Parsed<'_>, value: Node<'_>) -> Edit {
    let digits = parsed.text(value);
    let is_float = digits.ends_with("f32") || digits.ends_with("f64");
    replaced(
        value,
        match (value.kind(), parsed.language) {
            ("integer_literal", _) if is_float && !digits.starts_with("0x") => format!("({digits} + {digits} + 1.0)"),
            ("float" | "float_literal", _) => format!("({digits} + {digits} + 1.0)"),
            ("number", _) if digits.ends_with('n') => format!("({digits} + {digits} + 1n)"),
            (_, Language::Rust | Language::Go) => format!("({digits} ^ 1)"),
            (_, _) => format!("({digits} + {digits} + 1)"),
        },
    )
}

/// More text before the quotation mark that ends it.
fn text(parsed: &Parsed<'_>, value: Node<'_>) -> Option<Edit> {
    let last = match parsed.language {
        Language::Python => children(value)
            .into_iter()
            .rfind(|part| part.kind() == "string_end")?
            .start_byte(),
        Language::Rust => value.start_byte() + parsed.text(value).rfind('"')?,
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Go => {
            value.end_byte().checked_sub(1)?
        }
    };
    Some(Edit::at(last, MORE))
}

fn replaced(value: Node<'_>, text: impl Into<String>) -> Edit {
    Edit {
        range: value.byte_range(),
        text: text.into(),
    }
}

fn flipped(word: &str) -> Option<&'static str> {
    match word {
        "True" => Some("False"),
        "False" => Some("True"),
        "true" => Some("false"),
        "false" => Some("true"),
        _ => None,
    }
}

/// What nothing is in, with something in it.
fn filled(kind: &str) -> Option<&'static str> {
    match kind {
        "list" | "array" => Some("[\"trueup\"]"),
        "tuple" => Some("(\"trueup\",)"),
        "dictionary" => Some("{\"trueup\": 1}"),
        "object" => Some("{ trueup: 1 }"),
        _ => None,
    }
}
