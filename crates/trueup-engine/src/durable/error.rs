//! Why a journal kept nothing, and why a desk refused.

use trueup_core::id::RunId;

/// The journal kept nothing, and the run must not go on here.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// Somebody else holds the run now.
    #[error("somebody else took over this run")]
    Fenced,
    /// The journal cannot be written or read.
    #[error("the journal failed: {0}")]
    Journal(String),
    /// There is no space to keep anything in.
    #[error("there is no space for the journal: {0}")]
    Full(String),
    /// The desk did not answer. What was asked may be done or not: ask again.
    #[error("the desk did not answer: {0}")]
    Unreachable(String),
}

/// Why the desk refused.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// There is no such run.
    #[error("there is no run {0}")]
    Unknown(RunId),
    /// There is such a run already.
    #[error("there is a run {0} already")]
    Exists(RunId),
    /// A living process drives it.
    #[error("the run {0} is being driven by another process")]
    Driven(RunId),
    /// What an earlier driver started is still alive.
    #[error("a sandbox of run {0} is still alive; try again in a moment")]
    StillAlive(RunId),
    /// The journal was written by a newer trueup.
    #[error("the journal was written by a newer trueup (version {found}, this one reads up to {known})")]
    Newer {
        /// The version found.
        found: u32,
        /// The newest this binary knows.
        known: u32,
    },
    /// A row is not what was written.
    #[error("the journal of run {run} is damaged at event {seq}: {what}")]
    Damaged {
        /// The run.
        run: RunId,
        /// The first bad event.
        seq: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The journal's file is not what was written.
    #[error("the journal is damaged: {0}")]
    Unreadable(String),
    /// The journal cannot be written or read.
    #[error("the journal failed: {0}")]
    Journal(String),
    /// There is no space to keep anything in.
    #[error("there is no space for the journal: {0}")]
    Full(String),
    /// The desk did not answer. What was asked may be done or not: ask again
    /// under the same request.
    #[error("the desk did not answer: {0}")]
    Unreachable(String),
}

impl From<DeskError> for Lost {
    /// Whoever holds a journal can do nothing about a desk's refusal but stop,
    /// or wait where only space or an answer is missing.
    fn from(refused: DeskError) -> Self {
        match refused {
            DeskError::Full(why) => Self::Full(why),
            DeskError::Unreachable(why) => Self::Unreachable(why),
            DeskError::Unknown(_)
            | DeskError::Exists(_)
            | DeskError::Driven(_)
            | DeskError::StillAlive(_)
            | DeskError::Newer { .. }
            | DeskError::Damaged { .. }
            | DeskError::Unreadable(_)
            | DeskError::Journal(_) => Self::Journal(refused.to_string()),
        }
    }
}
