//! What a run knows that only means something together.

use crate::{
    control::Control,
    evidence::Evidence,
    id::{SessionId, Timestamp, TreeId},
    ladder::Standstill,
    objection::Objection,
    usage::Headroom,
};
use alloc::{string::String, vec, vec::Vec};

/// Where a run is in its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PhaseStart {
    /// Which phase of the plan it is in.
    pub(super) index: usize,
    /// The tree that phase began with.
    pub(super) tree: TreeId,
    /// The turns the run had taken by then.
    pub(super) turns: u32,
}

/// A tree that was checked, with everything that was seen on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CheckedTree {
    pub(super) tree: TreeId,
    pub(super) evidence: Vec<Evidence>,
    /// What a person must know of it.
    pub(super) objections: Vec<Objection>,
    /// When the last of that was seen; a commit of the tree carries this date.
    pub(super) at: Timestamp,
}

impl CheckedTree {
    /// Takes in what only sabotage showed, once each.
    pub(super) fn object(&mut self, more: &[Objection]) {
        for objection in more {
            if !self.objections.iter().any(|known| known.digest == objection.digest) {
                self.objections.push(objection.clone());
            }
        }
    }
}

/// A tree that was sabotaged on purpose, with what its checks did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChallengedTree {
    pub(super) tree: TreeId,
    /// What a person must know that only this showed.
    pub(super) objections: Vec<Objection>,
    pub(super) controls: Vec<Control>,
}

/// A tree that was proved, with everything that proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProvedTree {
    pub(super) checked: CheckedTree,
    pub(super) controls: Vec<Control>,
}

/// The agent's conversation at the end of the last kept turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conversation {
    /// How the agent names it; nothing where it cannot be gone on with.
    pub(super) session: Option<SessionId>,
    /// How much room the model's window had left by then.
    pub(super) room: Headroom,
}

impl Conversation {
    /// Before anything was said.
    pub(super) const fn new() -> Self {
        Self {
            session: None,
            room: Headroom::Plenty,
        }
    }

    /// The work is handed to one that remembers nothing: it is full, or another
    /// agent takes over.
    pub(super) fn hand_over(&mut self) {
        self.session = None;
        self.room = Headroom::None;
    }
}

/// How often in a row the agent failed for a cause outside of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ExternalFailures {
    /// In all.
    pub(super) count: u32,
    /// While the agent was at work.
    pub(super) at_work: u32,
}

/// A person's word that what proves too little on one tree is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waiver {
    pub(super) tree: TreeId,
    pub(super) why: String,
}

/// Whether turns still bring something new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// The base, and every tree that a turn left, in order.
    left: Vec<TreeId>,
    /// How many turns in a row brought nothing although they were told what is missing.
    idle: u32,
    /// What the last of them did.
    by: Standstill,
}

/// Whether a turn was told what the one before it lacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It is the first of its phase.
    Nothing,
    /// It was.
    WhatIsMissing,
}

impl Progress {
    /// Nothing was tried yet.
    pub(super) fn from(base: &TreeId) -> Self {
        Self {
            left: vec![base.clone()],
            idle: 0,
            by: Standstill::Unchanged,
        }
    }

    /// A turn left this tree.
    pub(super) fn note(&mut self, tree: &TreeId, heard: Heard) {
        if self.left.last() == Some(tree) {
            self.by = Standstill::Unchanged;
            self.idle = self.idle.saturating_add(u32::from(heard == Heard::WhatIsMissing));
        } else if self.left.contains(tree) {
            // Whoever goes in circles is not made wiser by one more round.
            self.by = Standstill::Returned;
            self.idle = u32::MAX;
        } else {
            self.idle = 0;
        }
        self.left.push(tree.clone());
    }

    /// Something was seen that the last turn could not know of.
    pub(super) const fn learn(&mut self) {
        if matches!(self.by, Standstill::Unchanged) {
            self.idle = 0;
        }
    }

    /// A person had their say, or another phase begins: what was tried before
    /// may be tried again.
    pub(super) fn begin_anew(&mut self) {
        self.idle = 0;
        let last = self.left.pop();
        self.left = last.into_iter().collect();
    }

    /// What the last turn did, if so many in a row brought nothing.
    pub(super) fn standstill(&self, turns: u32) -> Option<Standstill> {
        (self.idle >= turns).then_some(self.by)
    }
}
