//! The two trees that are compared.

use crate::changes::ChangedFile;
use trueup_core::{
    criterion::{Check, Criterion},
    id::TreeId,
    task::Allow,
};

/// What is known of the two trees.
#[derive(Clone, Debug)]
pub struct TreePair {
    /// The tree that will be delivered.
    pub tree: TreeId,
    /// What differs between it and the base.
    pub files: Vec<ChangedFile>,
    /// Every regular file of it.
    pub paths: Vec<String>,
    /// What the task allows in advance.
    pub allow: Allow,
    /// The names of tests that goals ask the run to change.
    pub to_change: Vec<String>,
}

/// The names of tests that goals ask the run to change.
pub fn to_change(criteria: &[Criterion]) -> Vec<String> {
    let checks = criteria.iter().flat_map(|criterion| &criterion.checks);
    let names = checks.filter(|check| check.is_of_run()).filter_map(Check::asked_test);
    names.map(str::to_owned).collect()
}
