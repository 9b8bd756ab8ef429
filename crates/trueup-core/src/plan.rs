//! The phases of a run, in order.

use crate::{phase::Phase, task::Size};
use alloc::{vec, vec::Vec};
use serde::{Deserialize, Serialize};

/// The phases of a run, in order; never empty.
///
/// Every size walks the direct plan today. The orchestrated plans of sizes 3
/// to 5 (tests first, then the implementation) are further phases here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// In the order they are walked.
    pub phases: Vec<Phase>,
}

impl Plan {
    /// The plan for a task of this size.
    pub fn of(size: Size) -> Self {
        Self {
            phases: vec![Phase::implement(size)],
        }
    }
}
