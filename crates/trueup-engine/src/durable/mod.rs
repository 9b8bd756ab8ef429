//! What an engine must offer a run: a journal that keeps, and a desk that
//! hands out. Two implementations ship beside each other and pass one
//! conformance suite.

mod format;
pub mod memory;
pub mod sqlite;

use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{RunId, TaskId},
};

/// The journal of one run, held by the one who drives it.
#[expect(
    async_fn_in_trait,
    reason = "a run is driven on the thread that owns it; no engine needs the future to be Send"
)]
pub trait Durable {
    /// Performs the effect unless its event is already kept, keeps the event,
    /// then answers it.
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event>) -> Result<Event, Lost>;

    /// The signal's event if it has come; otherwise the run is parked and
    /// costs nothing.
    async fn receive(&mut self, signal: &Signal) -> Result<Received, Lost>;
}

/// Knows which runs there are and hands each to one driver.
pub trait Desk {
    /// The journal it hands out.
    type Journal: Durable;

    /// Opens a run: keeps its first event. Refused if the run exists.
    fn open(&self, run: &RunId, opening: &Event) -> Result<(), DeskError>;

    /// Hands a run to the caller alone, fenced by a new epoch: whoever held it
    /// before can keep nothing more. Refused while the holder lives.
    fn claim(&self, run: &RunId) -> Result<(Self::Journal, Vec<Event>), DeskError>;

    /// Puts a signal's event into a run's mailbox, from where
    /// [`Durable::receive`] takes it exactly once. Posting what already waits
    /// there changes nothing.
    fn post(&self, run: &RunId, event: &Event) -> Result<(), DeskError>;

    /// Asks whoever drives the run to stop; `false` if nobody does.
    fn ask_to_stop(&self, run: &RunId) -> Result<bool, DeskError>;

    /// Everything kept of a run so far, in order. Takes no lock.
    fn history(&self, run: &RunId) -> Result<Vec<Event>, DeskError>;

    /// Every run, oldest first. Costs one read however many there are.
    fn runs(&self) -> Result<Vec<Entry>, DeskError>;

    /// Whether somebody drives the run now.
    fn held(&self, run: &RunId) -> Result<Held, DeskError>;
}

/// One run, as the desk lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The run.
    pub run: RunId,
    /// Its task.
    pub task: TaskId,
}

/// Whether somebody drives a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A living process drives it.
    Driven,
    /// Nobody does.
    Free,
}

/// What came of waiting for a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// It came.
    Event(Event),
    /// It has not come; the run rests until it does.
    Parked,
}

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
    /// The journal cannot be written or read.
    #[error("the journal failed: {0}")]
    Journal(String),
    /// There is no space to keep anything in.
    #[error("there is no space for the journal: {0}")]
    Full(String),
}

impl From<DeskError> for Lost {
    /// Whoever holds a journal can do nothing about a desk's refusal but stop,
    /// or wait where only space is missing.
    fn from(refused: DeskError) -> Self {
        match refused {
            DeskError::Full(why) => Self::Full(why),
            DeskError::Unknown(_)
            | DeskError::Exists(_)
            | DeskError::Driven(_)
            | DeskError::StillAlive(_)
            | DeskError::Newer { .. }
            | DeskError::Damaged { .. }
            | DeskError::Journal(_) => Self::Journal(refused.to_string()),
        }
    }
}
