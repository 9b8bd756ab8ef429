//! What happens when a criterion stays unmet.

use crate::{approach::ErrorKind, ending::Ending};
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

/// Why one more turn would bring nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standstill {
    /// The last one left the files as they were.
    Unchanged,
    /// The last one put the files back to how an earlier turn had left them.
    Returned,
    /// Every attempt was made, and none of them helped.
    Exhausted,
    /// A check tells of something that no agent should weigh.
    Danger(ErrorKind),
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

/// Why a turn is taken: the rungs of the ladder, from the lowest to the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// Nothing was tried yet.
    First,
    /// A criterion was unmet after the last turn; the same conversation goes on.
    #[default]
    Retry,
    /// The same again did not help: a fresh conversation tries another approach.
    Pivot,
    /// Nor did that: a fresh conversation looks at related files before it tries.
    Research,
}

impl Rung {
    /// The rung on which a run stands after this many turns, if none of them
    /// made it climb.
    pub const fn after(turns: u32) -> Self {
        if turns == 0 { Self::First } else { Self::Retry }
    }

    /// Whether its turn remembers nothing of the ones before.
    pub const fn begins_anew(self) -> bool {
        match self {
            Self::Pivot | Self::Research => true,
            Self::First | Self::Retry => false,
        }
    }
}

/// How long a run goes on with one criterion by itself before a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ladder {
    /// Five attempts after the first turn: three retries, a pivot, a research.
    Standard,
    /// Eight: three retries, three pivots, two researches.
    Patient,
}

impl Ladder {
    /// The rung of each attempt, in order.
    pub const fn attempts(self) -> &'static [Rung] {
        match self {
            Self::Standard => &[Rung::Retry, Rung::Retry, Rung::Retry, Rung::Pivot, Rung::Research],
            Self::Patient => &[
                Rung::Retry,
                Rung::Retry,
                Rung::Retry,
                Rung::Pivot,
                Rung::Pivot,
                Rung::Pivot,
                Rung::Research,
                Rung::Research,
            ],
        }
    }

    /// The first attempt above the rung of this one; where there is none, the
    /// number of all attempts.
    pub(crate) fn above(self, attempt: usize) -> usize {
        let attempts = self.attempts();
        let Some(rung) = attempts.get(attempt) else {
            return attempts.len();
        };
        attempts.iter().position(|other| other > rung).unwrap_or(attempts.len())
    }
}

/// Whether a person is asked about such an error at once.
pub(crate) const fn is_danger(kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::Security | ErrorKind::DataLoss => true,
        ErrorKind::Import
        | ErrorKind::Type
        | ErrorKind::Test
        | ErrorKind::Syntax
        | ErrorKind::Lint
        | ErrorKind::Timeout
        | ErrorKind::Environment
        | ErrorKind::Unknown => false,
    }
}

/// How many turns in a row may end with the same error; the last of them makes
/// a run climb at once.
pub(crate) const SAME_ERROR: u32 = 3;
