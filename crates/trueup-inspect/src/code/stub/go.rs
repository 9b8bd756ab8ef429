//! Go functions that panic or give zero values.

use tree_sitter::Node;

use super::kind::Stub;
use crate::code::edit::{Edit, quoted};
use crate::code::items::SyntaxItem;
use crate::code::syntax::{Parsed, named};

pub(super) fn edits(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, stub: Stub<'_>) -> Option<Vec<Edit>> {
    let statement = match stub {
        Stub::Failing(token) => format!("panic({});", quoted(token)),
        Stub::Defaulting => zero(parsed, found.function),
    };
    let at = found.body.start_byte() + 1;
    Some(vec![Edit::at(at, format!(" {statement} "))])
}

/// A test that fails; by its own means, since a panic would end the others too.
pub(super) fn broken(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, token: &str) -> Option<Vec<Edit>> {
    let parameters = found.function.child_by_field_name("parameters")?;
    let name = named(parameters)
        .first()
        .map_or("", |parameter| parsed.field(*parameter, "name"));
    if name.is_empty() || name == "_" {
        return edits(parsed, found, Stub::Failing(token));
    }
    let at = found.body.start_byte() + 1;
    let said = quoted(token);
    Some(vec![Edit::at(at, format!(" {name}.Fatal({said}); "))])
}

/// Returns the zero value of every result.
fn zero(parsed: &Parsed<'_>, function: Node<'_>) -> String {
    let types = match function.child_by_field_name("result") {
        None => return "return;".to_owned(),
        Some(result) if result.kind() != "parameter_list" => vec![parsed.text(result)],
        Some(list) => {
            let results = named(list);
            // Results with names are zero when the function begins.
            if results
                .iter()
                .any(|result| result.child_by_field_name("name").is_some())
            {
                return "return;".to_owned();
            }
            results.into_iter().map(|result| parsed.text(result)).collect()
        }
    };
    let names: Vec<String> = (0..types.len()).map(|n| format!("trueupZero{n}")).collect();
    let declared: Vec<String> = names
        .iter()
        .zip(types)
        .map(|(name, of)| format!("var {name} {of};"))
        .collect();
    format!("{} return {};", declared.join(" "), names.join(", "))
}
