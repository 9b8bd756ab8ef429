//! What tests of Python compare answers with.

use crate::code::syntax::{Parsed, below, children, named};
use tree_sitter::Node;

/// The sides of each comparison.
pub(super) fn comparisons<'t>(parsed: &Parsed<'_>, body: Node<'t>) -> Vec<Vec<Node<'t>>> {
    // Where a failure is expected, nobody knows what is compared before it.
    let fails = |node: Node<'_>| {
        let head = node.named_child(0).map_or("", |items| parsed.text(items));
        node.kind() == "with_statement" && (head.contains("raises") || head.contains("Raises"))
    };
    let nodes = below(body, fails).into_iter();
    let all = nodes.flat_map(|node| match node.kind() {
        "assert_statement" => asserted(node),
        "call" => vec![by_method(parsed, node)],
        _ => Vec::new(),
    });
    let about = |side| about(parsed, side).unwrap_or(side);
    all.map(|sides| sides.into_iter().map(about).collect()).collect()
}

/// Both sides of every `==` and `is` of an assertion that is not turned round.
fn asserted(assertion: Node<'_>) -> Vec<Vec<Node<'_>>> {
    let is_turned_round = |node: Node<'_>| matches!(node.kind(), "not_operator" | "lambda");
    let condition = named(assertion).into_iter().next();
    let nodes = condition.into_iter().flat_map(|node| below(node, is_turned_round));
    let is_equality = |node: &Node<'_>| {
        let parts = children(*node).into_iter();
        let mut operators = parts.filter(|part| !part.is_named());
        node.kind() == "comparison_operator" && operators.all(|one| matches!(one.kind(), "==" | "is"))
    };
    nodes.filter(is_equality).map(named).collect()
}

/// The first two arguments of `self.assertEqual` and its kind.
fn by_method<'t>(parsed: &Parsed<'_>, call: Node<'t>) -> Vec<Node<'t>> {
    let Some(function) = call
        .child_by_field_name("function")
        .filter(|it| it.kind() == "attribute")
    else {
        return Vec::new();
    };
    let name = parsed.field(function, "attribute");
    let is_equality =
        name == "assertIs" || name.starts_with("assert") && (name.ends_with("Equal") || name.ends_with("Equals"));
    if !is_equality || name.contains("Not") {
        return Vec::new();
    }
    let arguments = call.child_by_field_name("arguments").map(named).unwrap_or_default();
    // What comes further may say how exact it is.
    let is_exact = arguments.len() == 2 || !name.contains("Almost");
    arguments.into_iter().take(2).filter(|_| is_exact).collect()
}

/// What a call is about that says how exact it is, in its own way: `approx(0.5)`.
fn about<'t>(parsed: &Parsed<'_>, call: Node<'t>) -> Option<Node<'t>> {
    let function = call.child_by_field_name("function").filter(|_| call.kind() == "call")?;
    let name = parsed.text(function).rsplit('.').next()?;
    let arguments = call.child_by_field_name("arguments")?;
    let arguments = named(arguments);
    (name == "approx" && arguments.len() == 1).then(|| arguments.first().copied())?
}

/// The values of a name in the tables of cases of a test.
pub(super) fn cases<'t>(parsed: &Parsed<'_>, test: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let decorators = children(test).into_iter().filter(|child| child.kind() == "decorator");
    decorators
        .filter_map(|one| column(parsed, one, name))
        .flatten()
        .collect()
}

/// The values of a name in `@pytest.mark.parametrize("a, b", [(1, 2), …])`.
fn column<'t>(parsed: &Parsed<'_>, decorator: Node<'t>, name: &str) -> Option<Vec<Node<'t>>> {
    let call = named(decorator).into_iter().find(|node| node.kind() == "call")?;
    if !parsed.field(call, "function").ends_with("parametrize") {
        return None;
    }
    let arguments = named(call.child_by_field_name("arguments")?);
    let (names, cases) = (arguments.first()?, arguments.get(1)?);
    let names = parsed.text(*names);
    let names: Vec<&str> = names
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|name| !name.is_empty())
        .collect();
    let at = names.iter().position(|one| *one == name)?;
    let cases = matches!(cases.kind(), "list" | "tuple").then(|| named(*cases))?;
    let cell = |case: Node<'t>| match case.kind() {
        _ if names.len() == 1 => Some(case),
        "tuple" | "list" => named(case).get(at).copied(),
        // `pytest.param(1, 2, id="…")`
        "call" => named(case.child_by_field_name("arguments")?).get(at).copied(),
        _ => None,
    };
    Some(cases.into_iter().filter_map(cell).collect())
}
