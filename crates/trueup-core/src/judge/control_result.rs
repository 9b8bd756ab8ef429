//! What came of one way to sabotage a tree, before it is said of a check.

use super::trial::Trial;
use crate::{
    control::{Control, Reaction, Sabotage},
    criterion::Check,
    digest::Digest,
    evidence::Body,
    objection::Objection,
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What came of one way to sabotage a tree, before it is said of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlResult {
    /// To what it was done.
    pub about: String,
    /// What the check did.
    pub turned: Reaction,
    /// What the program wrote.
    pub output: Body,
    /// How long it took.
    pub took_ms: u64,
}

/// What a probe showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeResult {
    /// What each check did.
    pub controls: Vec<Control>,
    /// What a person must know that only this showed.
    pub objections: Vec<Objection>,
}

impl From<Vec<Control>> for ProbeResult {
    fn from(controls: Vec<Control>) -> Self {
        let objections = Vec::new();
        Self { controls, objections }
    }
}

impl From<Vec<Objection>> for ProbeResult {
    fn from(objections: Vec<Objection>) -> Self {
        let controls = Vec::new();
        Self { controls, objections }
    }
}

impl ControlResult {
    /// What an execution showed.
    pub fn of(about: String, turned: Reaction, trial: &Trial) -> Self {
        Self {
            about,
            turned,
            output: trial.output.clone(),
            took_ms: trial.took_ms,
        }
    }

    /// Nothing was executed.
    pub fn untried(turned: Reaction) -> Self {
        let output = Body {
            digest: Digest::of(b""),
            bytes: 0,
        };
        Self {
            about: String::new(),
            turned,
            output,
            took_ms: 0,
        }
    }

    /// Whether it turned red by what was laid.
    pub const fn is_red(&self) -> bool {
        matches!(self.turned, Reaction::Red { .. })
    }

    /// As it is kept of a check.
    pub fn control(self, sabotage: Sabotage, check: &Check) -> Control {
        Control {
            check: check.id.clone(),
            sabotage,
            about: self.about,
            turned: self.turned,
            output: self.output,
            took_ms: self.took_ms,
        }
    }

    /// As it is kept of each of these checks.
    pub fn controls(&self, sabotage: Sabotage, checks: &[&Check]) -> Vec<Control> {
        let checks = checks.iter();
        checks.map(|check| self.clone().control(sabotage, check)).collect()
    }
}

/// The one of two that tells more, with the time of both. Red is what is looked
/// for; staying green says more than another failure.
pub fn better(one: Option<ControlResult>, other: Option<ControlResult>) -> Option<ControlResult> {
    let (Some(one), Some(other)) = (&one, &other) else {
        return one.or(other);
    };
    let worth = |result: &ControlResult| match result.turned {
        Reaction::Red { .. } => 3,
        Reaction::Green => 2,
        Reaction::Otherwise { .. } => 1,
        Reaction::NotLaid { .. } | Reaction::Nothing { .. } => 0,
    };
    let best = if worth(other) > worth(one) { other } else { one };
    Some(ControlResult {
        took_ms: one.took_ms + other.took_ms,
        ..best.clone()
    })
}
