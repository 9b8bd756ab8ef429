//! Code as its tokens, so that two spellings of the same code are equal.

use tree_sitter::Node;

use super::Language;
use super::syntax::{Parsed, children, is_comment, is_text, named};

/// Set at the end of a statement: where it ends is white space in some
/// languages, and `return x` is not `return` followed by `x`.
const END: char = '\u{1}';

/// Set around what is set in by indentation.
const INDENTED: (char, char) = ('\u{2}', '\u{3}');

enum Visit<'t> {
    Enter(Node<'t>),
    Leave(char),
}

/// The tokens below a node, without comments, without documentation, and
/// without what is left out.
pub(super) fn key<'t>(parsed: &Parsed<'_>, node: Node<'t>, is_left_out: impl Fn(Node<'t>) -> bool) -> String {
    let mut key = String::new();
    let mut next = vec![Visit::Enter(node)];
    while let Some(visit) = next.pop() {
        let node = match visit {
            Visit::Leave(mark) => {
                key.push(mark);
                continue;
            }
            Visit::Enter(node) => node,
        };
        if is_comment(node) || is_left_out(node) {
            continue;
        }
        if node.child_count() == 0 || is_text(node) {
            let text = parsed.text(node).trim();
            // A semicolon may be there or not; where a statement ends is marked anyway.
            if !text.is_empty() && text != ";" {
                key.push_str(text);
                key.push(' ');
            }
            continue;
        }
        if node.kind() == "block" && parsed.language == Language::Python {
            key.push(INDENTED.0);
            next.push(Visit::Leave(INDENTED.1));
        } else if node.kind().ends_with("_statement") {
            next.push(Visit::Leave(END));
        }
        let documentation = documentation(parsed.language, node);
        let parts = children(node).into_iter().rev();
        next.extend(parts.filter(|part| Some(*part) != documentation).map(Visit::Enter));
    }
    key
}

/// The tokens below a node, without what says of which type something is.
pub(super) fn untyped_key(parsed: &Parsed<'_>, node: Node<'_>) -> String {
    key(parsed, node, is_annotation)
}

/// Whether this is a part of code that says of which type something is, where
/// the language itself does nothing with it while it runs.
fn is_annotation(node: Node<'_>) -> bool {
    let parent = node.parent().map_or("", |parent| parent.kind());
    match node.kind() {
        "type_annotation" => true,
        "type" | ":" if matches!(parent, "typed_parameter" | "typed_default_parameter" | "assignment") => true,
        "type" | "->" => parent == "function_definition",
        _ => false,
    }
}

/// The string at the head of a Python block, which documents it.
pub(super) fn documentation(language: Language, block: Node<'_>) -> Option<Node<'_>> {
    if language != Language::Python || !matches!(block.kind(), "block" | "module") {
        return None;
    }
    let mut cursor = block.walk();
    block
        .named_children(&mut cursor)
        .find(|child| !is_comment(*child))
        .filter(|first| first.kind() == "expression_statement" && is_plain_string(*first))
}

/// Whether a statement is nothing but a string without anything in it that runs.
fn is_plain_string(statement: Node<'_>) -> bool {
    match named(statement).as_slice() {
        [only] if only.kind() == "string" => named(*only).iter().all(|part| part.kind() != "interpolation"),
        _ => false,
    }
}
