//! The rule, and its answer on evidence.
//!
//! Nothing here is stored. Each answer is computed from the task and the
//! evidence at the moment somebody asks.

mod baseline;
mod first;
mod inside;
mod proof;
mod lately;
mod self_tested;
mod check_outcome;

pub use self::{
    baseline::{Baseline, Refusal, baseline, blind_guards, lint, red_for_the_machine},
    check_outcome::{Reading, is_absent, saw},
    first::{describes_what_was_there, unwritten},
    inside::seen_from_inside_alone,
    lately::{HOLDS_FOR_MS, still_holds},
    proof::{Origin, Proof, origin, proof},
    self_tested::{is_self_tested, self_tested, will_be_asked},
};

use crate::{
    criterion::{Check, Criterion, Role},
    digest::Digest,
    evidence::{Binding, CheckOutcome, Evidence},
    id::{CriterionId, TreeId},
    objection::{Objection, ObjectionKind},
    task::Task,
};
use alloc::{collections::BTreeSet, format, vec::Vec};
use serde::{Deserialize, Serialize};

/// Where a criterion stands on a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Every check passed on this tree, and showed on the base what it must.
    Met,
    /// The same of every check that can be executed; a person has still to look.
    Asked,
    /// A check did not pass.
    Unmet,
    /// A check has no valid evidence on this tree.
    Unproven,
}

/// Where every criterion stands on one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The tree.
    pub tree: TreeId,
    /// In the order of the task.
    pub criteria: Vec<(CriterionId, Standing)>,
}

impl Verdict {
    /// Whether every criterion is met. A task without criteria holds nothing.
    pub fn holds(&self) -> bool {
        !self.criteria.is_empty() && self.criteria.iter().all(|(_, standing)| *standing == Standing::Met)
    }

    /// Whether nothing is missing but what a person has to look at.
    pub fn holds_but_for_persons(&self) -> bool {
        let done = |standing: &Standing| matches!(standing, Standing::Met | Standing::Asked);
        !self.criteria.is_empty() && self.criteria.iter().all(|(_, standing)| done(standing))
    }
}

/// Judges a tree: every check of every criterion needs valid passing evidence
/// on exactly this tree, and its due colour on the base; where only a person
/// can judge, their word on exactly this tree.
pub fn judge(
    task: &Task,
    base: (&TreeId, &[Evidence]),
    tree: (&TreeId, &[Evidence]),
    approved: &BTreeSet<Digest>,
) -> Verdict {
    let criteria = task
        .criteria
        .iter()
        .map(|criterion| (criterion.id.clone(), standing(task, criterion, base, tree, approved)))
        .collect();
    Verdict {
        tree: tree.0.clone(),
        criteria,
    }
}

fn standing(
    task: &Task,
    criterion: &Criterion,
    base: (&TreeId, &[Evidence]),
    tree: (&TreeId, &[Evidence]),
    approved: &BTreeSet<Digest>,
) -> Standing {
    let of_check = |check: &Check| {
        if check.is_manual() {
            let key = Binding::of(tree.0, criterion, check, &task.rules()).key();
            return if approved.contains(&key) {
                Standing::Met
            } else {
                Standing::Asked
            };
        }
        let on = |(tree, evidence): (&TreeId, &[Evidence])| {
            valid(&task.rules(), criterion, check, tree, evidence).map(|evidence| evidence.saw.clone())
        };
        let due = match (check.role, on(base)) {
            (_, None | Some(CheckOutcome::CannotRun { .. })) => return Standing::Unproven,
            (Role::Goal, Some(CheckOutcome::Failed { .. } | CheckOutcome::TimedOut)) => true,
            (Role::Guard, Some(CheckOutcome::Passed)) => true,
            (Role::Goal, Some(CheckOutcome::Passed)) => false,
            (Role::Guard, Some(CheckOutcome::Failed { .. } | CheckOutcome::TimedOut)) => false,
        };
        match on(tree) {
            None => Standing::Unproven,
            Some(CheckOutcome::Passed) if due => Standing::Met,
            Some(
                CheckOutcome::Passed
                | CheckOutcome::Failed { .. }
                | CheckOutcome::TimedOut
                | CheckOutcome::CannotRun { .. },
            ) => Standing::Unmet,
        }
    };
    let mut worst = if criterion.checks.is_empty() {
        Standing::Unproven
    } else {
        Standing::Met
    };
    for check in &criterion.checks {
        match of_check(check) {
            Standing::Met => {}
            Standing::Asked if worst == Standing::Met => worst = Standing::Asked,
            Standing::Asked => {}
            Standing::Unmet => return Standing::Unmet,
            Standing::Unproven => worst = Standing::Unproven,
        }
    }
    worst
}

/// The evidence of a check that is valid on this tree, if there is exactly
/// one: two that might contradict each other prove nothing.
pub fn valid<'a>(
    protected: &Digest,
    criterion: &Criterion,
    check: &Check,
    tree: &TreeId,
    evidence: &'a [Evidence],
) -> Option<&'a Evidence> {
    let binding = Binding::of(tree, criterion, check, protected);
    let mut valid = evidence
        .iter()
        .filter(|evidence| evidence.check == check.id && evidence.is_valid_for(&binding));
    match (valid.next(), valid.next()) {
        (Some(only), None) => Some(only),
        (Some(_), Some(_)) | (None, _) => None,
    }
}

/// How a check stands beside what it saw on the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SinceBase {
    /// Red on the base, green now.
    Fixed,
    /// Red on the base, and still.
    StillFailing,
    /// Green on the base, red now.
    NewlyBroken,
    /// A guard that was red on the base already.
    AlreadyBroken,
    /// Green on both.
    Kept,
    /// Two answers on one tree.
    Flaky,
}

/// How a check stands beside what it saw on the base.
pub fn since(role: Role, base: &Evidence, now: &Evidence) -> SinceBase {
    if base.runs.is_flaky() || now.runs.is_flaky() {
        return SinceBase::Flaky;
    }
    match (base.passed(), now.passed(), role) {
        (false, true, _) => SinceBase::Fixed,
        (true, true, _) => SinceBase::Kept,
        (true, false, _) => SinceBase::NewlyBroken,
        (false, false, Role::Goal) => SinceBase::StillFailing,
        (false, false, Role::Guard) => SinceBase::AlreadyBroken,
    }
}

/// What a person has to look at on this tree, as far as they have not.
pub fn manual(task: &Task, tree: &TreeId, approved: &BTreeSet<Digest>) -> Vec<Objection> {
    let rules = task.rules();
    let mut open = Vec::new();
    for criterion in &task.criteria {
        for check in criterion.checks.iter().filter(|check| check.is_manual()) {
            let digest = Binding::of(tree, criterion, check, &rules).key();
            if !approved.contains(&digest) {
                open.push(Objection {
                    kind: ObjectionKind::Manual,
                    path: format!("{}", check.id),
                    what: check.source.clone(),
                    digest,
                    allowed: None,
                    rule: None,
                });
            }
        }
    }
    open
}
