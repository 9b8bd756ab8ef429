//! What became of a run beyond what its events say: of its branch, its driver,
//! and by later runs of its task. Computed whenever somebody looks; kept nowhere.

use crate::{
    id::CommitId,
    run::{Outcome, Position},
};
use serde::Serialize;

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The branch a person works on, or the project's default branch, holds
    /// what it delivered.
    Merged,
    /// No branch holds what it delivered any more.
    Dropped,
    /// It was opened, and nobody drove it yet.
    Queued,
    /// It wants something done, and nobody drives it: its driver died.
    Killed,
    /// A later run of the task has taken its place.
    Overtaken,
}

/// What is known of a run now, beside its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aftermath {
    /// Who drives it.
    pub driver: Driven,
    /// What came after it.
    pub later: LaterRuns,
    /// Where the commit is that it delivered, if it did.
    pub commit: Whereabouts,
}

/// Whether somebody drives a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driven {
    /// Somebody does.
    Now,
    /// Nobody does.
    Not,
    /// Nobody does, and nobody ever did.
    Never,
}

/// The runs of the same task that were opened later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterRuns {
    /// There are none.
    None,
    /// None of them has delivered anything.
    Undelivered,
    /// One of them has delivered its work.
    Delivered,
}

/// Where a commit is in the person's repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// In the branch they work on, or in the default branch.
    Merged,
    /// In some other branch.
    OnBranch,
    /// In none.
    Nowhere,
}

impl Position {
    /// What a run that stands here has delivered, if it has.
    pub const fn delivered(&self) -> Option<&CommitId> {
        match self {
            Self::Done(Outcome::Verified { commit, .. } | Outcome::Waived { commit, .. }) => Some(commit),
            Self::Working(_) | Self::Paused(..) | Self::Done(Outcome::Refused(_) | Outcome::NothingToDo) => None,
        }
    }
}

/// What became of a run that stands here; nothing where its position says all.
pub const fn of(position: &Position, now: Aftermath) -> Option<Fate> {
    match (position, now.driver, now.later) {
        (Position::Working(_) | Position::Paused(..), Driven::Now, _) => None,
        (
            Position::Working(_) | Position::Paused(..),
            Driven::Not | Driven::Never,
            LaterRuns::Undelivered | LaterRuns::Delivered,
        ) => Some(Fate::Overtaken),
        (Position::Working(_), Driven::Never, LaterRuns::None) => Some(Fate::Queued),
        (Position::Working(_), Driven::Not, LaterRuns::None) => Some(Fate::Killed),
        (Position::Paused(..), Driven::Not | Driven::Never, LaterRuns::None) => None,
        (Position::Done(Outcome::Verified { .. } | Outcome::Waived { .. }), _, later) => match (now.commit, later) {
            (Whereabouts::Merged, _) => Some(Fate::Merged),
            (Whereabouts::OnBranch | Whereabouts::Nowhere, LaterRuns::Delivered) => Some(Fate::Overtaken),
            (Whereabouts::Nowhere, LaterRuns::None | LaterRuns::Undelivered) => Some(Fate::Dropped),
            (Whereabouts::OnBranch, LaterRuns::None | LaterRuns::Undelivered) => None,
        },
        (Position::Done(Outcome::Refused(_) | Outcome::NothingToDo), _, _) => None,
    }
}
