//! Functions made to fail, or to give a default or a wrong value, on purpose.
//!
//! A statement is put first into the body; everything else stays as it was,
//! so that signatures hold and nothing that was used becomes unused.

mod go;
mod kind;
mod python;
mod rust;
mod script;

pub use self::kind::Stub;

use std::ops::Range;

use super::Language;
use super::edit::{Edit, apply};
use super::items::{ItemKind, SyntaxItem, found};
use super::syntax::Parsed;
use super::test_name::TestName;

/// A source whose functions were replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stubbed {
    /// The whole source.
    pub source: String,
    /// The functions that were really replaced.
    pub functions: Vec<String>,
}

/// The source with these functions replaced; nothing if it does not parse,
/// before or after. A function that cannot be replaced in this way is not
/// among the functions of the answer.
pub fn stub(path: &str, source: &str, functions: &[String], stub: Stub<'_>) -> Option<Stubbed> {
    let parsed = Parsed::read(path, source)?;
    let mut edits = Vec::new();
    let mut names: Vec<String> = Vec::new();
    // What lies in a function that already ends at once is never reached.
    let mut covered: Vec<Range<usize>> = Vec::new();
    for found in found(path, &parsed)? {
        if found.sort == ItemKind::Test || !functions.contains(&found.name) {
            continue;
        }
        let body = found.body.byte_range();
        let is_covered = covered
            .iter()
            .any(|outer| outer.start <= body.start && body.end <= outer.end);
        if !is_covered {
            let Some(made) = edits_of(&parsed, &found, stub) else {
                continue;
            };
            // What two functions of a file need beside them is laid once.
            let more: Vec<Edit> = made.into_iter().filter(|edit| !edits.contains(edit)).collect();
            edits.extend(more);
            covered.push(body);
        }
        if !names.contains(&found.name) {
            names.push(found.name);
        }
    }
    let source = checked(&parsed, edits)?;
    Some(Stubbed {
        source,
        functions: names,
    })
}

/// The source with the named test failing at once; nothing if there is no
/// such test. The name may be one of a report, with file and parameters.
pub fn break_test(path: &str, source: &str, test: &str, token: &str) -> Option<String> {
    let parsed = Parsed::read(path, source)?;
    let found: Vec<SyntaxItem<'_>> = found(path, &parsed)?
        .into_iter()
        .filter(|found| found.sort == ItemKind::Test)
        .collect();
    let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
    let meant = TestName::of(test).among(&names)?;
    let mut edits = Vec::new();
    for found in found.iter().filter(|found| found.name == meant) {
        edits.extend(match parsed.language {
            Language::Rust => rust::broken(&parsed, found, token)?,
            Language::Go => go::broken(&parsed, found, token)?,
            Language::Python | Language::JavaScript | Language::TypeScript | Language::Tsx => {
                edits_of(&parsed, found, Stub::Failing(token))?
            }
        });
    }
    checked(&parsed, edits)
}

fn edits_of(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, stub: Stub<'_>) -> Option<Vec<Edit>> {
    match parsed.language {
        Language::Python => python::edits(parsed, found, stub),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::edits(parsed, found, stub),
        Language::Rust => rust::edits(parsed, found, stub),
        Language::Go => go::edits(parsed, found, stub),
    }
}

/// The edited source, if it still parses.
fn checked(parsed: &Parsed<'_>, edits: Vec<Edit>) -> Option<String> {
    let source = apply(parsed.source, edits)?;
    Parsed::of(parsed.language, &source)?;
    Some(source)
}
