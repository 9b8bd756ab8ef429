//! Source code as a tree of syntax, within limits.

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::Language;

/// The largest source that is read; what people write is far smaller.
const BYTES: usize = 4 << 20;

/// How often the parser may report, per kibibyte of source and at the least.
/// Parsers that must guess try many readings at once; this bounds them, and
/// does so alike on every machine, as a clock would not.
const REPORTS: (usize, usize) = (400, 40_000);

/// A source that was read without an error.
pub(super) struct Parsed<'s> {
    pub(super) language: Language,
    pub(super) source: &'s str,
    tree: Tree,
}

impl<'s> Parsed<'s> {
    /// The source of a file; nothing if it cannot be read whole.
    pub(super) fn read(path: &str, source: &'s str) -> Option<Self> {
        Self::of(Language::of(path)?, source)
    }

    /// A source of this language; nothing if it cannot be read whole.
    pub(super) fn of(language: Language, source: &'s str) -> Option<Self> {
        if source.len() > BYTES {
            return None;
        }
        let mut parser = Parser::new();
        parser.set_language(&language.grammar()).ok()?;
        let mut left = REPORTS.1.max(source.len() / 1024 * REPORTS.0);
        let mut watch = |_: &tree_sitter::ParseState| {
            left = left.saturating_sub(1);
            if left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let tree = parser.parse_with_options(
            &mut |at, _| source.as_bytes().get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut watch)),
        )?;
        if tree.root_node().has_error() {
            return None;
        }
        Some(Self { language, source, tree })
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a node's field, or nothing.
    pub(super) fn field(&self, node: Node<'_>, field: &str) -> &'s str {
        node.child_by_field_name(field).map_or("", |child| self.text(child))
    }
}

/// What lies directly in a node, in order.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// What has a name and lies directly in a node, without comments.
pub(super) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !is_comment(*child))
        .collect()
}

/// Every node below and at a node, in the order of the text, without those
/// below one that is closed.
pub(super) fn below<'t>(node: Node<'t>, is_closed: impl Fn(Node<'t>) -> bool) -> Vec<Node<'t>> {
    let mut all = Vec::new();
    let mut next = vec![node];
    while let Some(node) = next.pop() {
        all.push(node);
        if !is_closed(node) {
            next.extend(children(node).into_iter().rev());
        }
    }
    all
}

pub(super) fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

/// Whether it is a literal whose white space matters.
pub(super) fn is_text(node: Node<'_>) -> bool {
    let kind = node.kind();
    node.is_named()
        && (kind == "string" || kind == "template_string" || kind == "regex" || kind.ends_with("string_literal"))
}
