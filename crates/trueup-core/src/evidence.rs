//! What a check saw, and on which tree.
//!
//! Evidence has two sides. Its *binding* says of what it is evidence: it is
//! recomputed each time someone asks, and decides whether the evidence is
//! valid. Its *conditions* say under what circumstances it was seen: they are
//! recorded, and decide only whether it may be reused without running again.

use crate::{
    approach::ErrorKind,
    criterion::{Check, Criterion, Network},
    digest::Digest,
    ground::Warmth,
    id::{CheckId, CriterionId, TreeId},
    signature::Signature,
};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
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
    pub saw: CheckOutcome,
    /// What the program wrote to its standard output.
    pub stdout: Body,
    /// What the program wrote to its standard error.
    pub stderr: Body,
    /// How long it took.
    pub took_ms: u64,
    /// What its report holds, where it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tally: Option<Tally>,
    /// Why tests failed, where that could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// The error it ended with, where its output tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorSeen>,
    /// How often it was executed, where once was not enough.
    #[serde(default, skip_serializing_if = "Runs::is_one")]
    pub runs: Runs,
    /// Files of the tree that the program wrote or took away while it ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub altered: Vec<String>,
}

/// What a report holds, in numbers; the report itself lies in a blob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u32,
    /// Tests that failed.
    pub failed: u32,
    /// Tests that were not run.
    pub skipped: u32,
    /// Tests that answer to the name the check asks for.
    #[serde(default, skip_serializing_if = "Named::is_none")]
    pub named: Named,
    /// Tests that it may have meant, where none answers to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// Faults that were found.
    pub findings: u32,
    /// Those of them that the base does not have.
    pub new_findings: u32,
    /// Lines that were asked about.
    pub lines: u32,
    /// Those of them that tests reached.
    pub reached: u32,
    /// The report, as it was understood.
    pub list: Body,
}

/// The tests that answer to one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Those that passed.
    pub passed: u32,
    /// Those that failed.
    pub failed: u32,
    /// Those that were not run.
    pub skipped: u32,
}

impl Named {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Why tests failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// Something was not as it was asserted to be.
    Assertion,
    /// Something that they use is not there.
    Missing,
    /// The tests themselves are broken; how, in a sentence.
    Broken(String),
}

/// The error that a red check's output tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorSeen {
    /// By what it is known again.
    pub signature: Signature,
    /// Of which kind it is.
    pub kind: ErrorKind,
}

/// How often a check was executed on one tree, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// How often it passed.
    pub green: u32,
    /// How often it did not.
    pub red: u32,
}

impl Runs {
    /// Whether nothing but one execution is known.
    pub fn is_one(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the same check gave two answers on the same tree.
    pub const fn is_flaky(self) -> bool {
        self.green > 0 && self.red > 0
    }

    /// These and others together.
    pub const fn and(self, other: Self) -> Self {
        Self {
            green: self.green.saturating_add(other.green),
            red: self.red.saturating_add(other.red),
        }
    }
}

/// What was seen. Only one of these is a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// It held.
    Passed,
    /// It did not hold.
    Failed {
        /// The program's exit code, where a program ran.
        exit: Option<i32>,
        /// Why, where the exit code does not tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// It was killed at its time limit.
    TimedOut,
    /// It could not be executed, so nothing was seen.
    CannotRun {
        /// Why, in a sentence.
        why: String,
    },
}

impl CheckOutcome {
    /// Red by its exit code, or by what the engine read.
    pub const fn red(exit: Option<i32>) -> Self {
        Self::Failed { exit, why: None }
    }

    /// What was seen, in a few words for people.
    pub fn words(&self) -> String {
        match self {
            Self::Passed => "passed".into(),
            Self::Failed { why: Some(why), .. } => why.clone(),
            Self::Failed { exit: Some(code), .. } => format!("exit {code}"),
            Self::Failed { exit: None, .. } => "does not hold".into(),
            Self::TimedOut => "reached its time limit".into(),
            Self::CannotRun { why } => format!("cannot be executed: {why}"),
        }
    }
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
        self.saw == CheckOutcome::Passed
    }

    /// Whether this is evidence of that check on that tree under today's
    /// rules. A pure comparison: no time passes, no flag is cleared.
    pub fn is_valid_for(&self, binding: &Binding) -> bool {
        self.binding == *binding && self.key == binding.key()
    }
}
