//! Every wish to the outside, each with a deterministic id.

use crate::{
    criterion::{Check, Criterion},
    digest::Digest,
    event::Identity,
    evidence::Evidence,
    ground::{Caches, Preparation},
    id::{CheckId, CommitId, EffectId, Timestamp, TreeId},
    memory::Memory,
    phase::Rights,
    repeat::RepeatPolicy,
    task::{Allow, Task},
    turn::{Brief, Policy},
};
use alloc::{boxed::Box, collections::BTreeSet, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// A wish to the outside. The same state wishes the same effect with the same
/// id, so an adapter that is idempotent on the id makes recovery no code path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// Its name within the run.
    pub id: EffectId,
    /// What is wished.
    pub wish: Wish,
}

/// What is wished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wish {
    /// Execute these checks on this tree, in parallel.
    Verify(Box<Verify>),
    /// Execute them again on trees that are sabotaged on purpose.
    Challenge(Box<Challenge>),
    /// Let the agent work, once.
    Turn(Box<Turn>),
    /// Make the commit that will be delivered.
    Commit(Commit),
    /// Copy the finished branch into the person's repository.
    Publish(Publish),
}

impl Wish {
    /// The wish's name, as logs show it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Verify(_) => "verify",
            Self::Challenge(_) => "challenge",
            Self::Turn(_) => "turn",
            Self::Commit(_) => "commit",
            Self::Publish(_) => "publish",
        }
    }
}

/// Execute these checks on this tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verify {
    /// The tree.
    pub tree: TreeId,
    /// The criteria whose checks are executed.
    pub criteria: Vec<Criterion>,
    /// The digest of what sets the rules.
    pub protected: Digest,
    /// The tree the work starts from, which caches and shared layers are of.
    pub base: TreeId,
    /// What is prepared first.
    pub prepare: Vec<Preparation>,
    /// What is done with caches.
    pub caches: Caches,
    /// What a person allowed in advance.
    pub allow: Allow,
    /// What a person approved since, by the names of the objections. What asks
    /// for other packages than the base, and is in neither, is not installed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub approved: BTreeSet<Digest>,
    /// How often an answer is repeated before it is believed.
    pub repeat: RepeatPolicy,
    /// What may be taken from an earlier look at the same tree.
    pub earlier: Earlier,
    /// What the checks reported on the base, where this is another tree.
    pub before: Vec<ReportDigest>,
    /// The checks that are executed on a sabotaged tree at the same time: they
    /// take so long that the time is won, should they pass.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub ahead: BTreeSet<CheckId>,
}

/// What may be taken from an earlier look at the same tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Earlier {
    /// Everything: the look was broken off, and only the rest is executed.
    Everything,
    /// Everything, and what was seen on the base a short while ago, by whomever.
    Lately,
    /// What passed: the look is taken again, because what was red may be green.
    Passes,
}

/// A check's report, by digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportDigest {
    /// The check.
    pub check: CheckId,
    /// Its report, as it was understood.
    pub list: Digest,
}

impl ReportDigest {
    /// Every report that was read.
    pub fn of(evidence: &[Evidence]) -> Vec<Self> {
        let read = evidence.iter().filter_map(|evidence| {
            let list = evidence.tally.as_ref()?.list.digest.clone();
            let check = evidence.check.clone();
            Some(Self { check, list })
        });
        read.collect()
    }
}

/// Execute a task's checks again on trees that are sabotaged on purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// The tree that will be delivered, and how its checks are executed.
    pub verify: Verify,
    /// What they reported on it.
    pub seen: Vec<ReportDigest>,
}

impl Verify {
    /// Every check of every criterion, in their order.
    pub fn checks(&self) -> impl Iterator<Item = &Check> {
        self.criteria.iter().flat_map(|criterion| &criterion.checks)
    }

    /// All checks of a task, on a tree.
    pub fn of(task: &Task, base: &TreeId, tree: &TreeId, caches: Caches) -> Self {
        Self {
            tree: tree.clone(),
            criteria: task.criteria.clone(),
            protected: task.rules(),
            base: base.clone(),
            prepare: task.ground.prepare.clone(),
            caches,
            allow: task.allow.clone(),
            approved: BTreeSet::new(),
            repeat: RepeatPolicy::of(task),
            earlier: Earlier::Everything,
            before: Vec::new(),
            ahead: BTreeSet::new(),
        }
    }
}

/// Let the agent work, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Which turn of the run, from 1.
    pub number: u32,
    /// The tree it starts from.
    pub from: TreeId,
    /// What of the tree it may change.
    pub rights: Rights,
    /// The tree its phase began with, which rights are measured from.
    pub since: TreeId,
    /// What a broken-off try at this same turn left, for the agent to look at.
    pub rescue: Option<TreeId>,
    /// What is prepared for the agent, from the base.
    pub prepare: Vec<Preparation>,
    /// What it remembers.
    pub memory: Memory,
    /// What the agent is told.
    pub brief: Brief,
    /// What it may do.
    pub policy: Policy,
}

/// Make the commit that will be delivered. Everything that enters the commit's
/// id is here, so making it again makes the same commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Its tree.
    pub tree: TreeId,
    /// Its parent.
    pub parent: CommitId,
    /// Its message.
    pub message: String,
    /// Its author and committer.
    pub author: Identity,
    /// Its date.
    pub at: Timestamp,
}

/// Copy the finished branch into the person's repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Publish {
    /// The branch, without `refs/heads/`.
    pub branch: String,
    /// What it shall point to.
    pub commit: CommitId,
    /// What it pointed to when the run opened; it moves only from there.
    pub expected: Option<CommitId>,
}
