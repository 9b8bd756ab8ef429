//! What happens when a criterion stays unmet.

use serde::{Deserialize, Serialize};

/// Why a turn is taken.
///
/// The ladder has two rungs today: a first turn, and retries that carry what
/// the checks saw. Pivot, research and asking a person are further rungs here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// Nothing was tried yet.
    First,
    /// A criterion was unmet after the last turn.
    Retry,
}

impl Rung {
    /// The rung on which a run stands after this many turns.
    pub const fn after(turns: u32) -> Self {
        if turns == 0 { Self::First } else { Self::Retry }
    }
}
