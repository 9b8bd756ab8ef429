//! The functions and tests of a file.

mod go;
mod python;
mod rust;
mod script;

use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

pub(super) use self::rust::{attributes_of, is_for_tests, is_test_attribute};
pub(super) use self::script::test_statements;
use super::syntax::Parsed;
use super::{Language, tokens};

/// A function, a method or a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name with what it lies in: `Class.method`, `module::name`, for a
    /// test of JavaScript `title > title`.
    pub name: String,
    /// Whether it is a test.
    pub sort: Sort,
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
pub enum Sort {
    /// Code.
    Function,
    /// A test, or something only tests have.
    Test,
}

/// Every function, method and test of a file, in the order of the text;
/// nothing if the language is unknown or the file does not parse.
pub fn items(path: &str, source: &str) -> Option<Vec<Item>> {
    let parsed = Parsed::read(path, source)?;
    let found = found(path, &parsed)?;
    let breaks: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
    Some(found.iter().map(|found| found.item(&parsed, &breaks)).collect())
}

/// The body of an item without comments and white space: two items with
/// equal keys do the same.
pub fn body_key(_source: &str, item: &Item) -> String {
    item.key.clone()
}

/// An item where it stands in the tree of syntax.
pub(super) struct Found<'t> {
    pub(super) name: String,
    pub(super) sort: Sort,
    pub(super) span: Range<usize>,
    /// All of it, as far as it is one node.
    pub(super) whole: Node<'t>,
    /// What has parameters and a body.
    pub(super) function: Node<'t>,
    pub(super) body: Node<'t>,
}

impl Found<'_> {
    fn item(&self, parsed: &Parsed<'_>, breaks: &[usize]) -> Item {
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

/// The items of a source that was read.
pub(super) fn found<'t>(path: &str, parsed: &'t Parsed<'_>) -> Option<Vec<Found<'t>>> {
    match parsed.language {
        Language::Python => python::found(path, parsed),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::found(parsed),
        Language::Rust => rust::found(parsed),
        Language::Go => go::found(path, parsed),
    }
}

/// How deep items may lie in one another. Nobody nests functions so deep;
/// a file that does is not answered for.
const NESTED: u32 = 32;

/// The names around a place in the source.
#[derive(Clone)]
struct Around {
    name: Rc<str>,
    between: &'static str,
    depth: u32,
}

impl Around {
    fn nothing(between: &'static str) -> Self {
        Self {
            name: Rc::from(""),
            between,
            depth: 0,
        }
    }

    /// The full name of something here.
    fn name(&self, name: &str) -> String {
        if self.name.is_empty() {
            name.to_owned()
        } else {
            format!("{}{}{name}", self.name, self.between)
        }
    }

    /// One step further in; nothing if that is too deep.
    fn within(&self, name: &str) -> Option<Self> {
        (self.depth < NESTED).then(|| Self {
            name: Rc::from(self.name(name)),
            between: self.between,
            depth: self.depth + 1,
        })
    }
}
