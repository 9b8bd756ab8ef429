//! Letters that new code names one by one.
//!
//! A table of just the letters that tests use is right for them and for no
//! others. Letters of ASCII stand in all code, and say nothing.

use super::names::is_name;
use crate::code::edit::Edit;
use crate::code::syntax::{Parsed, below, is_comment};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Others that may stand in the place of a letter.
const OTHERS: &str = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿ";

/// The longest piece of code that names letters; in a longer one they are prose.
const MOST_TEXT: usize = 80;

/// The pieces that code is made of, comments apart.
fn pieces<'t>(parsed: &'t Parsed<'_>) -> impl Iterator<Item = Node<'t>> {
    let all = below(parsed.root(), is_comment).into_iter();
    all.filter(|node| node.child_count() == 0 && !is_comment(*node))
}

/// The letters that these pieces of a source name, each as a small one.
pub(super) fn letters_of(parsed: &Parsed<'_>, is_meant: impl Fn(&Node<'_>) -> bool) -> BTreeSet<char> {
    let texts = pieces(parsed).filter(is_meant).map(|node| parsed.text(node));
    let texts = texts.filter(|text| !text.is_ascii() && text.len() <= MOST_TEXT);
    let letters = texts.flat_map(str::chars).flat_map(char::to_lowercase);
    letters
        .filter(|letter| letter.is_alphabetic() && !letter.is_ascii())
        .collect()
}

/// The places of tests in which these letters stand, each with others there;
/// names of tests stay.
pub(super) fn edits<'t>(
    parsed: &'t Parsed<'_>,
    letters: &BTreeSet<char>,
    nth: usize,
    is_of_tests: impl Fn(&Node<'_>) -> bool,
) -> Vec<(Node<'t>, Edit, BTreeSet<char>)> {
    let meant = pieces(parsed).filter(is_of_tests).filter(|node| {
        let is_of_name = |above: Node<'_>| is_name(parsed, above);
        !node.parent().is_some_and(is_of_name) && !is_name(parsed, *node)
    });
    let changed = meant.filter_map(|node| {
        let text = parsed.text(node);
        let named: BTreeSet<char> = text
            .chars()
            .flat_map(char::to_lowercase)
            .filter(|letter| letters.contains(letter))
            .collect();
        if named.is_empty() {
            return None;
        }
        let others = text.chars().map(|letter| other(letter, letters, nth).unwrap_or(letter));
        let edit = Edit {
            range: node.byte_range(),
            text: others.collect(),
        };
        Some((node, edit, named))
    });
    changed.collect()
}

/// The nth letter that stands in the place of one of these, in its own case.
fn other(letter: char, letters: &BTreeSet<char>, nth: usize) -> Option<char> {
    let small = letter.to_lowercase().next().filter(|small| letters.contains(small))?;
    let at = letters.iter().position(|one| *one == small)?;
    let unnamed: Vec<char> = OTHERS.chars().filter(|one| !letters.contains(one)).collect();
    let other = *unnamed.get((at + nth * letters.len()).checked_rem(unnamed.len())?)?;
    match letter == small {
        true => Some(other),
        false => other.to_uppercase().next(),
    }
}
