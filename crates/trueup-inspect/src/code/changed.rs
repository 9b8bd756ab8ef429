//! Which functions of a file a change wrote.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::items::{ItemKind, SyntaxItem, found};
use super::syntax::{Parsed, below, named};
use super::touched::test_parts;
use super::{is_test_path, tokens};

/// What a change did to a file's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The functions, no tests among them, that are new or differ.
    pub functions: Vec<String>,
    /// Whether something else differs that runs.
    pub elsewhere: TopLevelChange,
}

/// Whether code outside of functions and tests differs. Imports, constants
/// and declarations of types do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopLevelChange {
    /// Something differs.
    Yes,
    /// Nothing does.
    No,
}

/// What a change did to the code of a file, comments and white space aside;
/// nothing if one of the two does not parse. Files of tests have no code.
pub fn changed(path: &str, before: Option<&str>, after: &str) -> Option<Changed> {
    let before = Code::of(path, before.unwrap_or_default())?;
    let after = Code::of(path, after)?;
    if is_test_path(path) {
        return Some(Changed {
            functions: Vec::new(),
            elsewhere: TopLevelChange::No,
        });
    }
    let mut functions = Vec::new();
    for (name, keys) in &after.functions {
        let known = before.functions.get(name).map_or(&[][..], Vec::as_slice);
        if keys.iter().any(|key| !known.contains(key)) {
            functions.push(name.clone());
        }
    }
    let elsewhere = if before.rest == after.rest {
        TopLevelChange::No
    } else {
        TopLevelChange::Yes
    };
    Some(Changed { functions, elsewhere })
}

/// The code of a file as far as it can be compared.
struct Code {
    /// By name: two functions may have the same, in different `impl` blocks.
    functions: BTreeMap<String, Vec<String>>,
    rest: String,
}

impl Code {
    fn of(path: &str, source: &str) -> Option<Self> {
        let parsed = Parsed::read(path, source)?;
        let found = found(path, &parsed)?;
        let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for item in found.iter().filter(|found| found.sort == ItemKind::Function) {
            let key = tokens::untyped_key(&parsed, item.whole);
            functions.entry(item.name.clone()).or_default().push(key);
        }
        Some(Self {
            functions,
            rest: rest(&parsed, &found),
        })
    }
}

/// Ranges in order, none inside another.
struct Spans(Vec<Range<usize>>);

impl Spans {
    fn of(mut ranges: Vec<Range<usize>>) -> Self {
        ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        let mut outermost: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            if outermost.last().is_none_or(|last| last.end < range.end) {
                outermost.push(range);
            }
        }
        Self(outermost)
    }

    fn hold(&self, node: Node<'_>) -> bool {
        let after = self.0.partition_point(|span| span.start <= node.start_byte());
        after
            .checked_sub(1)
            .and_then(|at| self.0.get(at))
            .is_some_and(|span| node.end_byte() <= span.end)
    }
}

/// What runs outside of functions and tests.
fn rest(parsed: &Parsed<'_>, found: &[SyntaxItem<'_>]) -> String {
    let mut ranges: Vec<Range<usize>> = found.iter().map(|found| found.span.clone()).collect();
    ranges.extend(test_parts(parsed).into_iter().map(|part| part.range));
    let spans = Spans::of(ranges);
    let mut rest = String::new();
    let mut next = vec![parsed.root()];
    while let Some(node) = next.pop() {
        if let Some(inside) = inside(node) {
            next.extend(named(inside).into_iter().rev());
        } else if !spans.hold(node) && !is_inert(node, &spans) {
            rest.push_str(&tokens::key(parsed, node, |node| spans.hold(node)));
            rest.push('\n');
        }
    }
    rest
}

/// What only holds other things: its own words declare, they do not run.
fn inside(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "module" | "program" | "source_file" => Some(node),
        "decorated_definition" => node
            .child_by_field_name("definition")
            .filter(|definition| definition.kind() == "class_definition")?
            .child_by_field_name("body"),
        "class_definition"
        | "class_declaration"
        | "abstract_class_declaration"
        | "impl_item"
        | "trait_item"
        | "mod_item" => node.child_by_field_name("body"),
        "export_statement" => node.child_by_field_name("declaration").is_some().then_some(node),
        _ => None,
    }
}

/// Whether it can make no test green by itself.
fn is_inert(node: Node<'_>, spans: &Spans) -> bool {
    match node.kind() {
        "import_statement"
        | "import_from_statement"
        | "future_import_statement"
        | "pass_statement"
        | "type_alias_statement"
        | "interface_declaration"
        | "type_alias_declaration"
        | "ambient_declaration"
        | "function_signature"
        | "abstract_method_signature"
        | "method_signature"
        | "empty_statement"
        | "decorator"
        | "use_declaration"
        | "extern_crate_declaration"
        | "const_item"
        | "mod_item"
        | "type_item"
        | "struct_item"
        | "enum_item"
        | "union_item"
        | "attribute_item"
        | "inner_attribute_item"
        | "function_signature_item"
        | "associated_type"
        | "package_clause"
        | "import_declaration"
        | "const_declaration"
        | "type_declaration" => true,
        // Without a declaration or a value it only lists names.
        "export_statement" => node.child_by_field_name("value").is_none(),
        "expression_statement"
        | "lexical_declaration"
        | "variable_declaration"
        | "public_field_definition"
        | "field_definition"
        | "enum_declaration"
        | "static_item"
        | "var_declaration" => is_constant(node, spans),
        _ => false,
    }
}

/// Whether nothing in it is called, apart from what is an item itself.
fn is_constant(node: Node<'_>, spans: &Spans) -> bool {
    below(node, |node| spans.hold(node)).into_iter().all(|node| {
        spans.hold(node)
            || !(node.is_named()
                && matches!(
                    node.kind(),
                    "call"
                        | "call_expression"
                        | "new_expression"
                        | "lambda"
                        | "arrow_function"
                        | "function_expression"
                        | "func_literal"
                        | "closure_expression"
                        | "await"
                        | "await_expression"
                        | "macro_invocation"
                        | "list_comprehension"
                        | "set_comprehension"
                        | "dictionary_comprehension"
                        | "generator_expression"
                ))
    })
}
