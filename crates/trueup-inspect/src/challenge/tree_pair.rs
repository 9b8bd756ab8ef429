//! The two trees that are compared.

use crate::changes::ChangedFile;
use trueup_core::{id::TreeId, task::Allow};

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
}
