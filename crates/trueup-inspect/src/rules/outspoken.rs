//! A command whose tests say what they compare, wherever they do.
//!
//! pytest tells both sides of an assertion where it stands in a file of tests,
//! and nothing of one in a module that those share.

use super::{
    equipped::{Equipped, with_plugin},
    selecting::direct_call,
};
use crate::code::{Language, is_test_path};
use std::collections::BTreeSet;
use trueup_core::kind::Runner;

/// How many modules are told of.
const MOST_MODULES: usize = 2000;

/// The command as it has assertions beside tests tell what they compare;
/// nothing where the runner need not, or cannot, be told. The word is one that
/// nothing in the tree is called by.
pub fn outspoken(runner: Runner, argv: &[String], word: &str, paths: &[String]) -> Option<Equipped> {
    let call = direct_call(argv).filter(|_| runner == Runner::Pytest)?;
    let support = paths
        .iter()
        .filter(|path| Language::of(path) == Some(Language::Python) && is_test_path(path));
    let modules: BTreeSet<String> = support.flat_map(|path| modules(path)).take(MOST_MODULES).collect();
    if modules.is_empty() {
        return None;
    }
    let modules: Vec<String> = modules.iter().map(|name| format!("\"{name}\"")).collect();
    let text = format!(
        "import pytest\n\npytest.register_assert_rewrite({})\n",
        modules.join(", ")
    );
    with_plugin(&call, argv, word, ("outspoken", text))
}

/// The names that a module may be imported by, as far as its folders may be
/// where imports begin.
fn modules(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let parts: Vec<&str> = stem.split('/').filter(|part| *part != "__init__").collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let names = (0..parts.len()).filter_map(|from| Some(parts.get(from..)?.join(".")));
    names.filter(|name| name.chars().all(is_word)).collect()
}
