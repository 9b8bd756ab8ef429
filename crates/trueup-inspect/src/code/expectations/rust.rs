//! What tests of Rust compare answers with.

use crate::code::syntax::{Parsed, below, children};
use tree_sitter::Node;

/// What may stand round a literal without making it a question.
const ROUND: [&str; 8] = ["Some", "Ok", "Err", "vec", "String", "from", "to_string", "to_owned"];

/// Each literal that `assert_eq!` compares something with. What lies between its
/// brackets is but a row of tokens, so that each stands for itself.
pub(super) fn comparisons<'t>(parsed: &Parsed<'_>, body: Node<'t>) -> Vec<Vec<Node<'t>>> {
    let is_comparison = |node: &Node<'_>| {
        let name = parsed.field(*node, "macro");
        node.kind() == "macro_invocation" && (name == "assert_eq" || name.ends_with("::assert_eq"))
    };
    let macros = below(body, |_| false).into_iter().filter(is_comparison);
    let literals = macros.filter_map(|one| literals(parsed, one)).flatten();
    literals.map(|literal| vec![literal]).collect()
}

/// The literals of the only side that is written down as it is.
fn literals<'t>(parsed: &Parsed<'_>, invocation: Node<'t>) -> Option<Vec<Node<'t>>> {
    let tokens = children(invocation)
        .into_iter()
        .find(|node| node.kind() == "token_tree")?;
    let tokens = children(tokens);
    let inner = tokens.get(1..tokens.len().checked_sub(1)?)?;
    let sides: Vec<&[Node<'t>]> = inner.split(|token| token.kind() == ",").collect();
    let is_message = |side: &&[Node<'_>]| side.first().is_none_or(|token| token.kind() == "string_literal");
    // A comma between the brackets of a type divides nothing.
    if sides.len() < 2 || !sides.get(2).is_none_or(is_message) {
        return None;
    }
    let sides = sides.into_iter().take(2);
    let mut plain = sides.filter(|side| side.iter().all(|token| is_plain(parsed, *token)));
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
