//! What happens when a criterion stays unmet.

use crate::ending::Ending;
use serde::{Deserialize, Serialize};

/// What a run does when a turn brings it nothing new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenIdle {
    /// It takes another turn while its budget lasts, as runs did that were
    /// opened before this was asked.
    #[default]
    GoOn,
    /// It asks a person.
    Ask,
}

impl WhenIdle {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    pub(crate) const fn goes_on(&self) -> bool {
        matches!(self, Self::GoOn)
    }
}

/// What a turn did that brought nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standstill {
    /// It left the files as they were.
    Unchanged,
    /// It put the files back to how an earlier turn had left them.
    Returned,
}

/// How many turns in a row may bring nothing before a person is asked, where
/// the last of them ended in this way. One that came to its end in good order
/// had its say; one that was ended may do better the next time.
pub(crate) const fn idle_turns(last: &Ending) -> u32 {
    match last {
        Ending::Finished | Ending::Exited { code: 0 } | Ending::Blocked { .. } | Ending::Refused { .. } => 1,
        Ending::Exited { .. }
        | Ending::Limited { .. }
        | Ending::Unreachable { .. }
        | Ending::NotSignedIn { .. }
        | Ending::ContextFull { .. }
        | Ending::Hung { .. }
        | Ending::Silent { .. }
        | Ending::Interrupted
        | Ending::Killed { .. }
        | Ending::Broken { .. }
        | Ending::TimedOut
        | Ending::Overran { .. }
        | Ending::Spent(_)
        | Ending::Unusable { .. } => 2,
    }
}

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
