//! What tests of Rust compare answers with.

use crate::code::syntax::{Parsed, below, children};
use tree_sitter::Node;

/// What may stand round a literal without making it a question.
const ROUND: [&str; 8] = ["Some", "Ok", "Err", "vec", "String", "from", "to_string", "to_owned"];

/// Each literal that `assert_eq!` compares something with. What lies between its
/// brackets is but a row of tokens, so that each stands for itself.
pub(super) fn comparisons<'t>(parsed: &Parsed<'_>, body: Node<'t>) -> Vec<Vec<Node<'t>>> {
    let all = sides(parsed, body).into_iter();
    let literals = all.filter_map(|sides| literals(parsed, &sides)).flatten();
    literals.map(|literal| vec![literal]).collect()
}

/// The sides of each `assert_eq!` that are but a name.
pub(super) fn compared_names<'t>(parsed: &Parsed<'_>, body: Node<'t>) -> Vec<Vec<Node<'t>>> {
    let name = |side: &Vec<Node<'t>>| match side.as_slice() {
        [name] => Some(*name),
        [sign, name] if matches!(sign.kind(), "&" | "*") => Some(*name),
        _ => None,
    };
    let names = |sides: [Vec<Node<'t>>; 2]| sides.iter().filter_map(name).collect();
    sides(parsed, body).into_iter().map(names).collect()
}

/// The tokens of both sides of each `assert_eq!`.
fn sides<'t>(parsed: &Parsed<'_>, body: Node<'t>) -> Vec<[Vec<Node<'t>>; 2]> {
    let is_comparison = |node: &Node<'_>| {
        let name = parsed.field(*node, "macro");
        node.kind() == "macro_invocation" && (name == "assert_eq" || name.ends_with("::assert_eq"))
    };
    let macros = below(body, |_| false).into_iter().filter(is_comparison);
    macros.filter_map(both_sides).collect()
}

fn both_sides(invocation: Node<'_>) -> Option<[Vec<Node<'_>>; 2]> {
    let tokens = children(invocation)
        .into_iter()
        .find(|node| node.kind() == "token_tree")?;
    let tokens = children(tokens);
    let inner = tokens.get(1..tokens.len().checked_sub(1)?)?;
    let mut sides = inner.split(|token| token.kind() == ",").map(<[Node<'_>]>::to_vec);
    let both = [sides.next()?, sides.next()?];
    let message = sides.next().unwrap_or_default();
    // A comma between the brackets of a type divides nothing.
    let is_message = message.first().is_none_or(|token| token.kind() == "string_literal");
    is_message.then_some(both)
}

/// The literals of the only side that is written down as it is.
fn literals<'t>(parsed: &Parsed<'_>, sides: &[Vec<Node<'t>>; 2]) -> Option<Vec<Node<'t>>> {
    let mut plain = sides
        .iter()
        .filter(|side| side.iter().all(|token| is_plain(parsed, *token)));
    let (Some(only), None) = (plain.next(), plain.next()) else {
        return None;
    };
    let nodes = only.iter().flat_map(|token| below(*token, is_literal));
    Some(nodes.filter(|node| is_literal(*node)).collect())
}

/// Whether a token is a literal, or belongs to what may stand round one.
fn is_plain(parsed: &Parsed<'_>, token: Node<'_>) -> bool {
    let tokens = below(token, is_literal).into_iter();
    let mut leaves = tokens.filter(|token| token.kind() != "token_tree");
    leaves.all(|token| match token.kind() {
        "identifier" => ROUND.contains(&parsed.text(token)),
        _ if is_literal(token) => true,
        other => matches!(other, "-" | "&" | "." | "!" | "::" | "," | "(" | ")" | "[" | "]"),
    })
}

fn is_literal(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "integer_literal" | "float_literal" | "string_literal" | "raw_string_literal" | "boolean_literal"
    )
}
