//! The functions and tests of a file.

mod go;
mod item;
mod python;
mod rust;
mod script;

pub(super) use self::item::SyntaxItem;
pub use self::item::{Item, ItemKind, body_key};
pub(super) use self::rust::{attributes_of, is_for_tests, is_test_attribute};
pub(super) use self::script::test_statements;
use super::Language;
use super::syntax::Parsed;

/// Every function, method and test of a file, in the order of the text;
/// nothing if the language is unknown or the file does not parse.
pub fn items(path: &str, source: &str) -> Option<Vec<Item>> {
    items_of(path, &Parsed::read(path, source)?)
}

/// The same of a file that was read.
pub(super) fn items_of(path: &str, parsed: &Parsed<'_>) -> Option<Vec<Item>> {
    let found = found(path, parsed)?;
    let breaks: Vec<usize> = parsed.source.match_indices('\n').map(|(at, _)| at).collect();
    Some(found.iter().map(|found| found.item(parsed, &breaks)).collect())
}

/// The items of a source that was read.
pub(super) fn found<'t>(path: &str, parsed: &'t Parsed<'_>) -> Option<Vec<SyntaxItem<'t>>> {
    match parsed.language {
        Language::Python => python::found(path, parsed),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::found(parsed),
        Language::Rust => rust::found(parsed),
        Language::Go => go::found(path, parsed),
    }
}
