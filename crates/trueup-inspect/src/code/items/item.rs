//! What an item is, in a file and in its tree of syntax.

use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use crate::code::syntax::Parsed;
use crate::code::tokens;

/// A function, a method or a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name with what it lies in: `Class.method`, `module::name`, for a
    /// test of JavaScript `title > title`.
    pub name: String,
    /// Whether it is a test.
    pub sort: ItemKind,
    /// The line it begins on, from 1.
    pub line: u32,
    /// Where it stands, with its decorators or attributes.
    pub span: Range<usize>,
    /// Where its body stands.
    pub body: Range<usize>,
    key: String,
}

/// What sort of item it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// Code.
    Function,
    /// A test, or something only tests have.
    Test,
}

/// The body of an item without comments and white space: two items with
/// equal keys do the same.
pub fn body_key(_source: &str, item: &Item) -> String {
    item.key.clone()
}

/// An item where it stands in the tree of syntax.
pub(in crate::code) struct SyntaxItem<'t> {
    pub(in crate::code) name: String,
    pub(in crate::code) sort: ItemKind,
    pub(in crate::code) span: Range<usize>,
    /// All of it, as far as it is one node.
    pub(in crate::code) whole: Node<'t>,
    /// What has parameters and a body.
    pub(in crate::code) function: Node<'t>,
    pub(in crate::code) body: Node<'t>,
}

impl SyntaxItem<'_> {
    pub(super) fn item(&self, parsed: &Parsed<'_>, breaks: &[usize]) -> Item {
        let lines = breaks.partition_point(|at| *at < self.span.start);
        Item {
            name: self.name.clone(),
            sort: self.sort,
            line: u32::try_from(lines + 1).unwrap_or(u32::MAX),
            span: self.span.clone(),
            body: self.body.byte_range(),
            key: tokens::key(parsed, self.body, |_| false),
        }
    }
}

/// How deep items may lie in one another. Nobody nests functions so deep;
/// a file that does is not answered for.
const NESTED: u32 = 32;

/// The names around a place in the source.
#[derive(Clone)]
pub(super) struct EnclosingNames {
    pub(super) name: Rc<str>,
    between: &'static str,
    depth: u32,
}

impl EnclosingNames {
    pub(super) fn nothing(between: &'static str) -> Self {
        Self {
            name: Rc::from(""),
            between,
            depth: 0,
        }
    }

    /// The full name of something here.
    pub(super) fn name(&self, name: &str) -> String {
        if self.name.is_empty() {
            name.to_owned()
        } else {
            format!("{}{}{name}", self.name, self.between)
        }
    }

    /// One step further in; nothing if that is too deep.
    pub(super) fn within(&self, name: &str) -> Option<Self> {
        (self.depth < NESTED).then(|| Self {
            name: Rc::from(self.name(name)),
            between: self.between,
            depth: self.depth + 1,
        })
    }
}
