//! Which tests a name means.
//!
//! A name is a whole id, or the end of one from right after a separator. A
//! pytest node id is understood although reports spell it with dots, and a
//! name without a parameter means the test with every parameter. Where no test
//! is called so, it may be what tests stand in: a file, a class, a `describe`
//! block. Where a name means several tests it means all of them: that can only
//! make a verdict stricter.

use super::model::Report;
use crate::test_id::{block, holds, last_part, parts, without_parameters};
use std::collections::BTreeSet;
use trueup_core::test_results::Test;

const SEPARATORS: [&str; 6] = ["::", " > ", ".", "/", " ", "\\"];

/// How many tests are looked through for near names, and how long theirs may be.
const MOST_COMPARED: usize = 5_000;
const LONGEST_COMPARED: usize = 200;

/// How many near names are offered.
const MOST_NEAR: usize = 3;

impl Report {
    /// Every test that a name means.
    pub fn named<'a>(&'a self, name: &str) -> Vec<&'a Test> {
        let name = name.trim();
        let called = self.called(name);
        if !called.is_empty() || name.is_empty() {
            return called;
        }
        let block = block(name);
        let is_inside = |test: &&Test| {
            let parts = parts(without_parameters(&test.id));
            parts.split_last().is_some_and(|(_, around)| holds(around, &block))
        };
        self.tests.iter().filter(is_inside).collect()
    }

    /// Every test that is called so itself.
    pub fn called<'a>(&'a self, name: &str) -> Vec<&'a Test> {
        let name = name.trim();
        if name.is_empty() {
            return Vec::new();
        }
        let dotted = name.contains(".py::").then(|| dotted(name));
        let is_called = |test: &&Test| {
            means(&test.id, name) || dotted.as_ref().is_some_and(|name| means(&self::dotted(&test.id), name))
        };
        self.tests.iter().filter(is_called).collect()
    }

    /// What somebody may have meant by a name that means no test.
    pub fn near(&self, name: &str) -> Vec<String> {
        let wanted = last_part(name).to_lowercase();
        let words: BTreeSet<&str> = words(&wanted).collect();
        let mut near: Vec<(usize, &str)> = Vec::new();
        for test in self.tests.iter().take(MOST_COMPARED) {
            let known = last_part(&test.id).to_lowercase();
            // Titles may be whole pages, and comparing those takes as long as reading them many times.
            if known.len() > LONGEST_COMPARED || wanted.len() > LONGEST_COMPARED {
                continue;
            }
            let distance = strsim::damerau_levenshtein(&wanted, &known);
            let shared = self::words(&known).filter(|word| words.contains(word)).count();
            let is_part = |one: &str, other: &str| one.len() > 3 && other.contains(one);
            let is_near = is_part(&wanted, &known)
                || is_part(&known, &wanted)
                || distance <= (wanted.chars().count() / 3).max(1)
                || (shared > 0 && shared * 2 >= words.len());
            if is_near {
                near.push((distance, &test.id));
            }
        }
        near.sort_unstable();
        near.dedup();
        near.into_iter().take(MOST_NEAR).map(|(_, id)| id.to_owned()).collect()
    }
}

/// The words of a name that tell it from others.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| word.len() > 2 && *word != "test")
}

/// Whether a name means a test. A name that is made of values may end in a
/// space, which nobody sees and nobody types.
fn means(id: &str, name: &str) -> bool {
    let id = id.trim_end();
    ends_in(id, name)
        || (id.ends_with(']')
            && !name.ends_with(']')
            && id
                .find('[')
                .and_then(|at| id.get(..at))
                .is_some_and(|id| ends_in(id, name)))
}

fn ends_in(id: &str, name: &str) -> bool {
    id.strip_suffix(name)
        .is_some_and(|before| before.is_empty() || SEPARATORS.iter().any(|separator| before.ends_with(separator)))
}

/// A node id as reports spell it. What stands in brackets is left alone.
fn dotted(name: &str) -> String {
    let at = name.find('[').unwrap_or(name.len());
    let (path, parameter) = name.split_at_checked(at).unwrap_or((name, ""));
    let path = path.trim_start_matches("./").replace(".py::", ".");
    format!("{}{parameter}", path.replace("::", ".").replace(['/', '\\'], "."))
}
