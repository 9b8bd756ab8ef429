//! What an engine must offer a run: a journal that keeps, and a desk that
//! hands out. Implementations pass one conformance suite; none of what they
//! offer names a file, a lock or a process, so that a desk may lie elsewhere.

mod format;
mod listing;
pub mod memory;
mod request;
pub mod sqlite;

pub use listing::{Cursor, Filter, Query, Readiness, Ready, RunPage, Summary, TaskRuns};
pub use request::Request;

use crate::state::StateRoot;
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId, TaskId, Timestamp},
};

/// The desk of one machine: the one place that says what it keeps its rows in.
pub type LocalDesk = sqlite::Sqlite;

/// Opens the desk of a state root, making it if there is none. One that a
/// newer trueup has written is refused and left as it is.
pub fn local_desk(root: &StateRoot) -> Result<LocalDesk, DeskError> {
    sqlite::Sqlite::open(root)
}

/// The journal of one run, held by the one who drives it.
pub trait Durable: Send {
    /// Performs the effect unless its event is already kept, keeps the event,
    /// then answers it.
    fn record(
        &mut self,
        effect: &Effect,
        perform: impl Future<Output = Event> + Send,
    ) -> impl Future<Output = Result<Event, Lost>> + Send;

    /// Keeps a fact of the driver's own under this id, unless one is kept
    /// under it already; answers the one that is kept.
    fn keep(&mut self, id: &EffectId, event: &Event) -> impl Future<Output = Result<Event, Lost>> + Send;

    /// The signal's event if it has come after the first `known` events;
    /// otherwise the run is parked and costs nothing. Whoever lost the answer
    /// asks again, and gets the same event.
    fn receive(&mut self, signal: &Signal, known: u64) -> impl Future<Output = Result<Received, Lost>> + Send;
}

/// Knows which runs there are and hands each to one driver.
///
/// What changes something carries a [`Request`]. Asked again under the same
/// one, the desk answers as before and does nothing twice: whoever lost an
/// answer asks again.
pub trait Desk: Send + Sync {
    /// The journal it hands out.
    type Journal: Durable;

    /// Opens a run: keeps its first event. Refused if the run exists.
    fn open(
        &self,
        request: &Request,
        run: &RunId,
        opening: &Event,
    ) -> impl Future<Output = Result<(), DeskError>> + Send;

    /// Hands a run to the caller alone, fenced by a new epoch: whoever held it
    /// before can keep nothing more. Refused while the holder lives.
    fn claim(
        &self,
        request: &Request,
        run: &RunId,
    ) -> impl Future<Output = Result<Claimed<Self::Journal>, DeskError>> + Send;

    /// Says that the holder of this lease lives, and learns whether it was
    /// asked to stop; [`Lost::Fenced`] if another holds the run by now.
    fn renew(&self, lease: &Lease) -> impl Future<Output = Result<Renewed, Lost>> + Send;

    /// Gives a run back. Whoever dies without it loses the run as well, as
    /// soon as its death is noticed.
    fn release(&self, journal: Self::Journal) -> impl Future<Output = Result<(), DeskError>> + Send;

    /// Puts a signal's event into a run's mailbox, from where
    /// [`Durable::receive`] takes it exactly once. Posting what already waits
    /// there changes nothing.
    fn post(&self, request: &Request, run: &RunId, event: &Event)
    -> impl Future<Output = Result<(), DeskError>> + Send;

    /// Asks whoever drives the run to stop; [`Hold::Free`] if nobody does.
    fn ask_to_stop(&self, request: &Request, run: &RunId) -> impl Future<Output = Result<Hold, DeskError>> + Send;

    /// What is kept of a run after its first `from` events, in order. Takes no
    /// lock.
    fn history(&self, run: &RunId, from: u64) -> impl Future<Output = Result<Vec<Event>, DeskError>> + Send;

    /// One page of the runs that pass a filter.
    fn headlines(&self, query: &Query) -> impl Future<Output = Result<RunPage, DeskError>> + Send;

    /// How often a task was run, and its last run.
    fn runs_of(&self, task: &TaskId) -> impl Future<Output = Result<TaskRuns, DeskError>> + Send;

    /// Whether somebody drives the run now.
    fn hold(&self, run: &RunId) -> impl Future<Output = Result<Hold, DeskError>> + Send;

    /// Which runs could be driven on now, at most so many, and when the next
    /// one will be due.
    fn ready(&self, now: Timestamp, limit: usize) -> impl Future<Output = Result<Ready, DeskError>> + Send;
}

/// A run that was handed out.
#[derive(Debug)]
pub struct Claimed<J> {
    /// Its journal.
    pub journal: J,
    /// What says that it is held.
    pub lease: Lease,
    /// Everything kept of it so far.
    pub events: Vec<Event>,
}

/// The hold of one driver on one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The run.
    pub run: RunId,
    /// The number of the hold; an older one keeps nothing.
    pub epoch: u64,
}

/// What the holder of a lease learns by renewing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewed {
    /// Nobody asked for anything.
    GoOn,
    /// Somebody asked it to stop.
    StopAsked,
}

/// Whether somebody drives a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
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
            | DeskError::Journal(_) => Self::Journal(refused.to_string()),
        }
    }
}
