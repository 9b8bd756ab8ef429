//! Python functions that fail, give nothing, or something else.

use tree_sitter::Node;

use super::kind::Stub;
use crate::code::Language;
use crate::code::edit::{Edit, quoted};
use crate::code::items::SyntaxItem;
use crate::code::syntax::{Parsed, below, named};
use crate::code::tokens::documentation;

const WRONG: &str = "\"trueup\"";

pub(super) fn edits(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, stub: Stub<'_>) -> Option<Vec<Edit>> {
    if found.function.kind() == "lambda" {
        return Some(vec![Edit {
            range: found.body.byte_range(),
            text: match stub {
                // The one expression that raises.
                Stub::Failing(token) => {
                    format!("(_ for _ in ()).throw(AssertionError({}))", quoted(token))
                }
                Stub::Defaulting => "None".to_owned(),
                Stub::Mistaken => WRONG.to_owned(),
            },
        }]);
    }
    let statement = match stub {
        Stub::Failing(token) => format!("raise AssertionError({})", quoted(token)),
        // Without a value: an asynchronous generator may not return one.
        Stub::Defaulting => "return".to_owned(),
        // Python itself refuses most values of these.
        Stub::Mistaken if parsed.field(found.function, "name").starts_with("__") => return None,
        Stub::Mistaken if is_generator(found.body) => format!("yield {WRONG}; return"),
        Stub::Mistaken => format!("return {WRONG}"),
    };
    Some(vec![first(parsed, found.body, &statement)?])
}

/// Whether calling it gives what can be gone through.
fn is_generator(body: Node<'_>) -> bool {
    let is_function = |node: Node<'_>| matches!(node.kind(), "function_definition" | "lambda");
    below(body, is_function).into_iter().any(|node| node.kind() == "yield")
}

/// The statement put first into a block, after its documentation.
fn first(parsed: &Parsed<'_>, block: Node<'_>, statement: &str) -> Option<Edit> {
    let statements = named(block);
    let documentation = documentation(Language::Python, block);
    let next = statements.iter().find(|statement| Some(**statement) != documentation);
    if let Some(next) = next {
        let at = next.start_byte();
        return Some(match indentation(parsed, *next) {
            Some(white) => Edit::at(at, format!("{statement}\n{white}")),
            // It shares its line with what comes before it.
            None => Edit::at(at, format!("{statement}; ")),
        });
    }
    let only = documentation?;
    Some(match indentation(parsed, only) {
        Some(white) => Edit::at(only.end_byte(), format!("\n{white}{statement}")),
        None => Edit::at(only.end_byte(), format!("; {statement}")),
    })
}

/// What stands before a statement on its line, if it is white space alone.
fn indentation<'s>(parsed: &Parsed<'s>, statement: Node<'_>) -> Option<&'s str> {
    let before = parsed.source.get(..statement.start_byte())?;
    let line = before.rsplit('\n').next()?;
    line.chars().all(char::is_whitespace).then_some(line)
}
