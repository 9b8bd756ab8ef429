//! What survives a death: everything the simulated world made durable.

use std::collections::BTreeMap;
use trueup_core::{
    evidence::CheckOutcome,
    id::{CheckId, CommitId, EffectId},
    turn,
};

/// What survives a death.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    /// Finished turns whose event may not be kept yet.
    pub(super) spool: BTreeMap<EffectId, turn::TurnOutcome>,
    /// How often each turn's agent was started, and how often it finished.
    pub(super) started: BTreeMap<EffectId, u32>,
    pub(super) finished: BTreeMap<EffectId, u32>,
    /// Commits that exist.
    pub(super) commits: Vec<CommitId>,
    /// Every place the branch was moved to.
    pub(super) moves: Vec<CommitId>,
    /// What each check saw last, for the world that answers from memory.
    pub(super) last_saw: BTreeMap<CheckId, CheckOutcome>,
    /// How often this process died.
    pub(super) deaths: u32,
    /// How often the world asked for a pause of its own accord.
    pub(super) pauses: u32,
}
