//! What a driver has of the run it drives.

use trueup_core::{event::Event, id::RunId};

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
    /// Nobody does, and nobody ever did.
    Never,
}

/// What came of waiting for a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// It came.
    Event(Event),
    /// It has not come; the run rests until it does.
    Parked,
}
