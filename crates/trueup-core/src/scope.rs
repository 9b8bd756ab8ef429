//! Where a change may reach.

use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Where a change may reach. Empty means anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Globs, one of which every changed path must match.
    pub touch: Vec<String>,
    /// Globs that no changed path may match.
    pub never: Vec<String>,
    /// How many lines the change may add.
    pub max_new_lines: Option<u32>,
}

impl Scope {
    /// Whether the author limited anything at all.
    pub const fn is_unlimited(&self) -> bool {
        self.touch.is_empty() && self.never.is_empty() && self.max_new_lines.is_none()
    }
}
