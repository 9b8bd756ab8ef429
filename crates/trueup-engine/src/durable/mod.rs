//! What an engine must offer a run: a journal that keeps, and a desk that
//! hands out. Implementations pass one conformance suite; none of what they
//! offer names a file, a lock or a process, so that a desk may lie elsewhere.

mod request;
mod hold;
mod listing;
mod error;

mod format;
mod local;
pub mod sqlite;
pub mod memory;

pub use error::{DeskError, Lost};
pub use hold::{Claimed, Hold, Lease, Received, Renewed};
pub use listing::{Cursor, Filter, Query, Ready, RunPage, Summary, TaskRuns};
pub use local::{LocalDesk, Repaired, is_desk_whole, local_desk, repair_desk};
pub use request::Request;

use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId, TaskId, Timestamp},
};

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

    /// Asks whoever drives the run to stop; nothing is asked of a run that is
    /// not [`Hold::Driven`].
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
