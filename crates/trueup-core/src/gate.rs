//! The rule, and its answer on evidence.
//!
//! Nothing here is stored. Each answer is computed from the task and the
//! evidence at the moment somebody asks.

use crate::{
    criterion::{Check, Criterion, Role},
    digest::Digest,
    evidence::{Binding, Evidence, Saw},
    id::{CheckId, CriterionId, TreeId},
    task::Task,
};
use alloc::{format, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Where a criterion stands on a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Every check passed on this tree, and showed on the base what it must.
    Met,
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
}

/// Judges a tree: every check of every criterion needs valid passing evidence
/// on exactly this tree, and its due colour on the base.
pub fn judge(task: &Task, base: (&TreeId, &[Evidence]), tree: (&TreeId, &[Evidence])) -> Verdict {
    let criteria = task
        .criteria
        .iter()
        .map(|criterion| (criterion.id.clone(), standing(task, criterion, base, tree)))
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
) -> Standing {
    let of_check = |check: &Check| {
        let on = |(tree, evidence): (&TreeId, &[Evidence])| {
            valid(&task.rules(), criterion, check, tree, evidence).map(|evidence| evidence.saw.clone())
        };
        let due = match (check.role, on(base)) {
            (_, None | Some(Saw::CannotRun { .. })) => return Standing::Unproven,
            (Role::Goal, Some(Saw::Failed { .. } | Saw::TimedOut)) => true,
            (Role::Guard, Some(Saw::Passed)) => true,
            (Role::Goal, Some(Saw::Passed)) => false,
            (Role::Guard, Some(Saw::Failed { .. } | Saw::TimedOut)) => false,
        };
        match on(tree) {
            None => Standing::Unproven,
            Some(Saw::Passed) if due => Standing::Met,
            Some(Saw::Passed | Saw::Failed { .. } | Saw::TimedOut | Saw::CannotRun { .. }) => Standing::Unmet,
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

/// What the base says about a task, before any agent starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// Every goal is red and every guard green: there is work, and it can be proved.
    Ready,
    /// Every goal is green already.
    NothingToDo,
    /// The task cannot be carried out as it stands.
    Refused(Vec<Refusal>),
}

/// One reason why a task cannot be carried out as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The line of the task file.
    pub line: u32,
    /// The check or criterion, as printed.
    pub about: String,
    /// What is wrong, and what to do about it.
    pub why: String,
}

/// What can be refused without executing anything.
pub fn lint(task: &Task) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    for criterion in task.criteria.iter().filter(|criterion| criterion.checks.is_empty()) {
        refusals.push(Refusal {
            line: criterion.line,
            about: format!("{}", criterion.id),
            why: "it has no check, so it could never be proved; add a `- verify:` line under it".into(),
        });
    }
    let has_goal = task
        .criteria
        .iter()
        .flat_map(|criterion| &criterion.checks)
        .any(|check| check.role == Role::Goal);
    if !has_goal && refusals.is_empty() {
        refusals.push(Refusal {
            line: task.criteria.first().map_or(1, |criterion| criterion.line),
            about: format!("{}", task.id),
            why: "it has no goal, so there is nothing to work towards; add a `- verify:` line that is red today".into(),
        });
    }
    refusals
}

/// Judges the base: goals must be red by themselves, guards green.
pub fn baseline(task: &Task, base: &TreeId, evidence: &[Evidence]) -> Baseline {
    let rules = task.rules();
    let mut refusals = lint(task);
    let mut goals = 0_usize;
    let mut green = Vec::new();
    for (criterion, check) in task
        .criteria
        .iter()
        .flat_map(|c| c.checks.iter().map(move |check| (c, check)))
    {
        let seen = valid(&rules, criterion, check, base, evidence).map(|evidence| &evidence.saw);
        goals += usize::from(check.role == Role::Goal);
        match (check.role, seen) {
            (_, None) => refusals.push(refusal(check, "it was not executed on the base".into())),
            (_, Some(Saw::CannotRun { why })) => {
                refusals.push(refusal(check, format!("it cannot be executed: {why}")));
            }
            (Role::Goal, Some(Saw::Failed { .. } | Saw::TimedOut)) | (Role::Guard, Some(Saw::Passed)) => {}
            (Role::Goal, Some(Saw::Passed)) => green.push(check),
            (Role::Guard, Some(Saw::Failed { .. } | Saw::TimedOut)) => refusals.push(refusal(
                check,
                "the guard is red on the base; make it green first, or write it as `verify:` if it is the goal".into(),
            )),
        }
    }
    if refusals.is_empty() && goals > 0 && green.len() == goals {
        return Baseline::NothingToDo;
    }
    refusals.extend(green.into_iter().map(|check| {
        let why = "the goal is already green on the base, so passing it would prove nothing; write it as `guard:` if it must stay green";
        refusal(check, why.into())
    }));
    refusals.sort_by_key(|refusal| refusal.line);
    if refusals.is_empty() {
        Baseline::Ready
    } else {
        Baseline::Refused(refusals)
    }
}

fn refusal(check: &Check, why: String) -> Refusal {
    Refusal {
        line: check.line,
        about: describe(&check.id, &check.source),
        why,
    }
}

fn describe(id: &CheckId, source: &str) -> String {
    format!("{id} {source}")
}
