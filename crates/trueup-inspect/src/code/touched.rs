//! Whether a change touches tests, code or both, and files with the code of
//! one tree and the tests of another.

use std::ops::Range;

use tree_sitter::Node;

use super::edit::{Edit, apply, ended};
use super::items::{is_for_tests, is_test_attribute, test_statements};
use super::syntax::{Parsed, children, is_comment};
use super::{Language, is_test_path};

/// What a change of a file touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// Nothing: the bytes are the same.
    Nothing,
    /// Tests alone.
    Tests,
    /// Code alone; everything that is no test is code.
    Code,
    /// Tests and code.
    Both,
}

/// What a change of a file touches: by its path; by its items where tests
/// live beside code. What does not parse is code.
pub fn touched(path: &str, before: Option<&str>, after: Option<&str>) -> Touched {
    if before == after {
        return Touched::Nothing;
    }
    if is_test_path(path) {
        return Touched::Tests;
    }
    let (code, tests) = split(path, before.unwrap_or_default());
    let (code_after, tests_after) = split(path, after.unwrap_or_default());
    match (code == code_after, tests == tests_after) {
        (false, true) => Touched::Code,
        (true, false) => Touched::Tests,
        (false, false) => Touched::Both,
        // Only white space around the tests, or in the code, differs.
        (true, true) if tests.is_empty() => Touched::Code,
        (true, true) => Touched::Tests,
    }
}

/// The file of the code's tree with the tests of the other: the whole file
/// where it is a file of tests, the test items where they live beside code.
/// Nothing if the file then does not exist.
pub fn with_tests_of(path: &str, code: Option<&str>, tests: Option<&str>) -> Option<String> {
    if is_test_path(path) {
        return tests.map(str::to_owned);
    }
    let code = code?;
    if !matches!(Language::of(path), Some(language) if language.keeps_tests_beside_code()) {
        return Some(code.to_owned());
    }
    let Some(laid) = laid(path, code, tests.unwrap_or_default()) else {
        return Some(code.to_owned());
    };
    Some(laid)
}

fn laid(path: &str, code: &str, tests: &str) -> Option<String> {
    let parsed = Parsed::read(path, code)?;
    let tests = Parsed::read(path, tests)?;
    let mut edits: Vec<Edit> = test_parts(&parsed)
        .into_iter()
        .map(|part| Edit {
            range: part.range,
            text: String::new(),
        })
        .collect();
    let ends = places(&parsed);
    let mut last = String::new();
    for part in test_parts(&tests) {
        let text = tests.source.get(part.range.clone())?;
        if part.within.is_empty() {
            last.push_str(text);
            last.push('\n');
        } else if let Some((_, at)) = ends.iter().find(|(name, _)| *name == part.within) {
            edits.push(Edit::at(*at, format!("\n{text}\n")));
        }
    }
    let mut made = ended(apply(code, edits)?.trim_end());
    if !last.is_empty() {
        made.push('\n');
        made.push_str(&last);
    }
    Some(made)
}

/// How deep modules are looked into. What lies deeper is code.
const NESTED: usize = 32;

/// A source as its code and its tests.
fn split(path: &str, source: &str) -> (String, String) {
    let Some(parsed) = Parsed::read(path, source) else {
        return (source.to_owned(), String::new());
    };
    let (mut code, mut tests) = (Vec::new(), Vec::new());
    let mut at = 0;
    for part in test_parts(&parsed) {
        code.push(source.get(at..part.range.start).unwrap_or_default().trim());
        tests.push(source.get(part.range.clone()).unwrap_or_default());
        at = part.range.end;
    }
    code.push(source.get(at..).unwrap_or_default().trim());
    code.retain(|piece| !piece.is_empty());
    (code.join("\n"), tests.join("\n"))
}

/// A piece of a source that only tests have.
pub(super) struct Part {
    pub(super) range: Range<usize>,
    /// The headers of what it lies in; empty at the top.
    within: String,
}

/// The tests that live beside code, in the order of the text.
pub(super) fn test_parts(parsed: &Parsed<'_>) -> Vec<Part> {
    match parsed.language {
        Language::Rust => rust_parts(parsed),
        Language::JavaScript | Language::TypeScript | Language::Tsx => test_statements(parsed)
            .into_iter()
            .map(|statement| Part {
                range: statement.byte_range(),
                within: String::new(),
            })
            .collect(),
        Language::Python | Language::Go => Vec::new(),
    }
}

fn rust_parts(parsed: &Parsed<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut next = vec![(parsed.root(), String::new())];
    while let Some((holder, within)) = next.pop() {
        let mut begin = None;
        let mut of_tests = false;
        for child in children(holder) {
            match child.kind() {
                "inner_attribute_item" if is_for_tests(parsed, child) => {
                    return vec![Part {
                        range: 0..parsed.source.len(),
                        within: String::new(),
                    }];
                }
                "attribute_item" => {
                    begin.get_or_insert(child.start_byte());
                    of_tests |= is_for_tests(parsed, child) || is_test_attribute(parsed, child);
                    continue;
                }
                _ if is_comment(child) => {
                    // Documentation belongs to what it documents.
                    if parsed.text(child).starts_with("///") {
                        begin.get_or_insert(child.start_byte());
                    }
                    continue;
                }
                _ => {}
            }
            if of_tests {
                parts.push(Part {
                    range: begin.unwrap_or(child.start_byte())..child.end_byte(),
                    within: within.clone(),
                });
            } else if let Some((header, body)) = holder_of(parsed, child, &within) {
                next.push((body, format!("{within}{header}\n")));
            }
            begin = None;
            of_tests = false;
        }
    }
    parts.sort_by_key(|part| part.range.start);
    parts
}

/// What can hold tests: its header and its body.
fn holder_of<'t>(parsed: &Parsed<'_>, node: Node<'t>, within: &str) -> Option<(String, Node<'t>)> {
    if !matches!(node.kind(), "mod_item" | "impl_item") || within.lines().count() >= NESTED {
        return None;
    }
    let body = node.child_by_field_name("body")?;
    let header = parsed.source.get(node.start_byte()..body.start_byte())?;
    let words: Vec<&str> = header.split_whitespace().collect();
    Some((words.join(" "), body))
}

/// Where something can be put last into each thing that holds others.
fn places(parsed: &Parsed<'_>) -> Vec<(String, usize)> {
    let mut places = Vec::new();
    let mut next = vec![(parsed.root(), String::new())];
    while let Some((holder, within)) = next.pop() {
        for child in children(holder) {
            if let Some((header, body)) = holder_of(parsed, child, &within) {
                let within = format!("{within}{header}\n");
                places.push((within.clone(), body.end_byte().saturating_sub(1)));
                next.push((body, within));
            }
        }
    }
    places
}
