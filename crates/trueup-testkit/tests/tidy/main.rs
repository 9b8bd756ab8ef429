//! The house rules, kept by a program instead of by reviewers.
//!
//! Each rule is a function from the whole repository to findings. Beside it
//! stand two tests: this house has no finding, and a house that is known to be
//! bad has one. A rule that could not fail would be decoration.

mod arrows;
mod capabilities;
mod children;
mod circles;
mod graph;
mod house;
mod meanings;
mod names;
mod papers;
mod ports;
mod root;
mod sizes;
mod source;

use house::House;
use std::{path::Path, sync::LazyLock};

/// A rule: what is wrong with a house, each as `path: what`.
type Rule = fn(&House) -> Vec<String>;

static THIS: LazyLock<Result<House, String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    House::read(&root).map_err(|error| format!("{}: {error}", root.display()))
});

/// This house keeps the rule.
#[track_caller]
fn holds(rule: Rule) {
    let findings = match &*THIS {
        Ok(house) => rule(house),
        Err(error) => vec![error.clone()],
    };
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}

/// A house of these papers alone breaks the rule once, in these words.
#[track_caller]
fn breaks(rule: Rule, papers: &[(&str, &str)], words: &str) {
    let findings = rule(&House::of(papers));
    let told = findings.iter().any(|finding| finding.contains(words));
    assert!(told, "no finding says {words:?}: {findings:#?}");
    assert_eq!(findings.len(), 1, "more than one finding: {findings:#?}");
}

/// A house of these papers alone keeps the rule.
#[track_caller]
fn keeps(rule: Rule, papers: &[(&str, &str)]) {
    let findings = rule(&House::of(papers));
    assert!(findings.is_empty(), "a finding where none is due: {findings:#?}");
}
