//! A tree with its verdict, from which a run can go on.

use crate::{budget::Spend, gate::Verdict, id::TreeId};
use serde::{Deserialize, Serialize};

/// A tree with its verdict. Every kept verification is one; nothing else is
/// needed to go on, because a run is a fold over its events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The tree.
    pub tree: TreeId,
    /// Where every criterion stood on it.
    pub verdict: Verdict,
    /// What the run had cost by then.
    pub spend: Spend,
}
