//! One call of an agent, from start to end, seen from outside.

use crate::{
    criterion::Network,
    ending::Ending,
    evidence::{Body, Evidence, Isolation},
    id::{CriterionId, SessionId, TaskId, TreeId},
    ladder::Rung,
    memory::{Claim, Recap, TurnSummary},
    patience::Patience,
    phase::Rights,
    task::Size,
    usage::Usage,
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// How many bytes of one turn's output are kept; the rest is counted and dropped.
pub const TURN_OUTPUT_LIMIT: u64 = 8 * 1024 * 1024;

/// What an agent is told. The words are chosen by the engine, which also reads
/// the bodies behind the evidence; what may be told is decided here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brief {
    /// The task.
    pub task: TaskId,
    /// How large its author thinks it is.
    pub size: Size,
    /// The task's title.
    pub title: String,
    /// The task's prose.
    pub text: String,
    /// Which phase this is.
    pub phase: String,
    /// What of the tree may be changed in it.
    pub rights: Rights,
    /// Which turn this is, and how many there may be.
    pub turn: u32,
    /// The most turns this run may take.
    pub turn_limit: u32,
    /// Why this turn is taken.
    pub rung: Rung,
    /// What it tries, where that is another approach: the name of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approach: Option<String>,
    /// The names of those that were tried before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<String>,
    /// Every criterion and where it stands.
    pub criteria: Vec<CriterionBrief>,
    /// What the engine found wrong with the last tree itself.
    pub findings: Vec<Finding>,
    /// The turn before, in short.
    pub last: Option<TurnSummary>,
    /// The turns before, where the agent's own memory does not serve.
    pub so_far: Option<Recap>,
}

/// What an agent is told of one criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriterionBrief {
    /// Its id.
    pub id: CriterionId,
    /// Its statement.
    pub text: String,
    /// The checks it may know, as the author wrote them.
    pub checks: Vec<String>,
    /// Where it stands on the tree the turn starts from.
    pub standing: crate::gate::Standing,
    /// What its failing open checks saw. Hidden checks never appear here.
    pub failures: Vec<Evidence>,
}

/// What a turn may do, computed here and applied by the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// How long it may take.
    pub time_limit_ms: u64,
    /// How many bytes of output are kept.
    pub output_limit: u64,
    /// Whether it may reach the network.
    pub network: Network,
    /// What it may do without being asked.
    pub permission: Permission,
    /// How long anything is waited for.
    pub patience: Patience,
    /// Tokens it may still use, if they are limited.
    pub tokens_left: Option<u64>,
    /// Money it may still use, if that is limited, in thousandths of a cent.
    pub millicents_left: Option<u64>,
}

impl Policy {
    /// The policy of a try after others at the same turn were broken off,
    /// which cost this.
    #[must_use]
    pub fn after(mut self, lost: &Usage) -> Self {
        let less = |left: Option<u64>, lost: Option<u64>| left.map(|left| left.saturating_sub(lost.unwrap_or(0)));
        self.tokens_left = less(self.tokens_left, lost.tokens);
        self.millicents_left = less(self.millicents_left, lost.millicents);
        self
    }
}

/// What an agent may do without being asked. What it asks for beyond that is
/// denied and reported: nobody is there to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Everything its wall allows.
    #[default]
    Everything,
    /// To change files, and to run nothing.
    Edits,
    /// To read.
    Nothing,
}

impl Permission {
    /// Whether it is what every agent has unless its person said otherwise.
    pub const fn is_everything(&self) -> bool {
        matches!(self, Self::Everything)
    }
}

/// What came of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnOutcome {
    /// How the agent ended.
    pub ending: Ending,
    /// The tree it left; the tree it started from where it left none.
    pub tree: TreeId,
    /// What the engine found wrong with that tree.
    pub findings: Vec<Finding>,
    /// What the agent printed, as one transcript.
    pub transcript: Body,
    /// What it cost, as far as the agent said.
    pub usage: Usage,
    /// How long it took.
    pub took_ms: u64,
    /// The wall round it.
    #[serde(default, skip_serializing_if = "Isolation::is_bubblewrap")]
    pub isolation: Isolation,
    /// Its conversation as it was when it ended, to go on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// What it says of its work.
    #[serde(default, skip_serializing_if = "Claim::is_none")]
    pub claim: Claim,
    /// The agent's own version, as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What the agent was told; older journals do not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Body>,
}

/// Something the engine saw that is wrong with a tree as such.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Where.
    pub path: String,
    /// What, in a sentence an agent can act on.
    pub what: String,
}
