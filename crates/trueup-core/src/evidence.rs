//! What a check saw, and on which tree.
//!
//! Evidence has two sides. Its *binding* says of what it is evidence: it is
//! recomputed each time someone asks, and decides whether the evidence is
//! valid. Its *conditions* say under what circumstances it was seen: they are
//! recorded, and decide only whether it may be reused without running again.

use crate::{
    criterion::{Check, Criterion, Network},
    digest::Digest,
    ground::Warmth,
    id::{CheckId, CriterionId, TreeId},
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Raised whenever the same check on the same tree may be judged differently
/// than before, so that older evidence is no longer valid.
pub const SEMANTICS: u32 = 1;

/// How many bytes of a check's output are kept, for each of its two streams.
pub const CHECK_OUTPUT_LIMIT: u64 = 4 * 1024 * 1024;

/// Of what something is evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The tree it was seen on.
    pub tree: TreeId,
    /// The statement.
    pub criterion: Digest,
    /// What was executed.
    pub argv: Vec<String>,
    /// The rest of the check's definition: role, limits, hidden files.
    pub definition: Digest,
    /// The files that set the rules: today the task file itself.
    pub protected: Digest,
    /// The version of the judge.
    pub semantics: u32,
}

impl Binding {
    /// The binding of a check on a tree, under today's rules.
    pub fn of(tree: &TreeId, criterion: &Criterion, check: &Check, protected: &Digest) -> Self {
        Self {
            tree: tree.clone(),
            criterion: criterion.digest(),
            argv: check.argv(),
            definition: check.definition(),
            protected: protected.clone(),
            semantics: SEMANTICS,
        }
    }

    /// The one name of everything in the binding: equal keys, equal bindings.
    pub fn key(&self) -> Digest {
        let semantics = self.semantics.to_be_bytes();
        let argv = Digest::of_fields(self.argv.iter().map(String::as_bytes));
        Digest::of_fields([
            self.tree.as_str().as_bytes(),
            self.criterion.as_str().as_bytes(),
            argv.as_str().as_bytes(),
            self.definition.as_str().as_bytes(),
            self.protected.as_str().as_bytes(),
            &semantics,
        ])
    }
}

/// Under what circumstances evidence was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The program that was resolved, if one was.
    pub program: Option<String>,
    /// The variables the check could see.
    pub variables: BTreeMap<String, String>,
    /// Whether it could reach the network.
    pub network: Network,
    /// The wall round it.
    pub isolation: Isolation,
    /// The machine's architecture.
    pub architecture: String,
    /// What was laid under the tree: preparations, each with the digest of
    /// what it was made from.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub layers: BTreeMap<String, Digest>,
    /// Whether it rests on what an earlier build of the base left.
    #[serde(default, skip_serializing_if = "Warmth::is_cold")]
    pub warmth: Warmth,
    /// The sockets of the machine it could reach: holes in the wall that a
    /// person allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sockets: Vec<String>,
}

/// The wall a check or an agent runs behind.
///
/// In order of strength: of two, the smaller one promises less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// None: a process of the machine like any other.
    None,
    /// A throw-away container that a person put round all of trueup.
    Outer,
    /// A bubblewrap sandbox.
    #[default]
    Bubblewrap,
    /// No program ran: the engine read the tree itself.
    Engine,
}

impl Isolation {
    /// The least of what is promised, where several ran: a proof is as strong
    /// as its weakest wall. Where nothing ran, nothing was weak.
    pub fn weakest(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().min().unwrap_or_default().min(Self::Bubblewrap)
    }

    /// Whether it is the wall that journals before modes took for granted.
    pub fn is_bubblewrap(&self) -> bool {
        *self == Self::Bubblewrap
    }
}

/// What a check saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Which criterion.
    pub criterion: CriterionId,
    /// Which check of it.
    pub check: CheckId,
    /// The binding's key when it was seen.
    pub key: Digest,
    /// Of what it is evidence.
    pub binding: Binding,
    /// Under what circumstances it was seen.
    pub conditions: Conditions,
    /// What was seen.
    pub saw: Saw,
    /// What the program wrote to its standard output.
    pub stdout: Body,
    /// What the program wrote to its standard error.
    pub stderr: Body,
    /// How long it took.
    pub took_ms: u64,
}

/// What was seen. Only one of these is a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Saw {
    /// It held.
    Passed,
    /// It did not hold.
    Failed {
        /// The program's exit code, where a program ran.
        exit: Option<i32>,
    },
    /// It was killed at its time limit.
    TimedOut,
    /// It could not be executed, so nothing was seen.
    CannotRun {
        /// Why, in a sentence.
        why: String,
    },
}

/// Output that lies in a blob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The digest of what was kept.
    pub digest: Digest,
    /// How many bytes were written in all; more than kept where it was cut.
    pub bytes: u64,
}

impl Evidence {
    /// Whether the check passed.
    pub fn passed(&self) -> bool {
        self.saw == Saw::Passed
    }

    /// Whether this is evidence of that check on that tree under today's
    /// rules. A pure comparison: no time passes, no flag is cleared.
    pub fn is_valid_for(&self, binding: &Binding) -> bool {
        self.binding == *binding && self.key == binding.key()
    }
}
