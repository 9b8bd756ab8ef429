//! What the base says about a task, before any agent starts.

use super::valid;
use crate::{
    control::{Control, Reaction, Sabotage},
    criterion::{Check, CheckMethod, Role},
    evidence::{CheckOutcome, Evidence},
    id::{CheckId, TreeId},
    task::Task,
};
use alloc::{format, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

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
        .checks()
        .any(|check| check.role == Role::Goal && !check.is_manual());
    if !has_goal && refusals.is_empty() {
        refusals.push(Refusal {
            line: task.criteria.first().map_or(1, |criterion| criterion.line),
            about: format!("{}", task.id),
            why: "it has no goal, so there is nothing to work towards; add a `- verify:` line that can be executed and is red today".into(),
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
        if check.is_manual() {
            continue;
        }
        let seen = valid(&rules, criterion, check, base, evidence);
        let flaky = seen.is_some_and(|evidence| evidence.runs.is_flaky());
        let seen = seen.map(|evidence| &evidence.saw);
        goals += usize::from(check.role == Role::Goal);
        match (check.role, seen) {
            (_, None) => refusals.push(refusal(check, "it was not executed on the base".into())),
            (_, Some(CheckOutcome::CannotRun { why })) => {
                refusals.push(refusal(check, format!("it cannot be executed: {why}")));
            }
            (Role::Goal, Some(CheckOutcome::Failed { .. } | CheckOutcome::TimedOut))
            | (Role::Guard, Some(CheckOutcome::Passed)) => {}
            (Role::Goal, Some(CheckOutcome::Passed)) => green.push(check),
            (Role::Guard, Some(CheckOutcome::Failed { .. } | CheckOutcome::TimedOut)) if flaky => {
                refusals.push(refusal(
                    check,
                    "the guard is flaky on the base: it passed and failed on the same tree; make it reliable first"
                        .into(),
                ))
            }
            (Role::Guard, Some(saw @ (CheckOutcome::Failed { .. } | CheckOutcome::TimedOut))) => {
                let why = format!(
                    "the guard is red on the base ({}); make it green first, or write it as `verify:` if it is the goal",
                    saw.words()
                );
                refusals.push(refusal(check, why));
            }
        }
    }
    // Without a goal there is a refusal already.
    if refusals.is_empty() && green.len() == goals {
        return Baseline::NothingToDo;
    }
    refusals.extend(green.into_iter().map(|check| {
        let mut why = String::from(
            "the goal is already green on the base, so passing it would prove nothing; \
             write it as `guard:` if it must stay green",
        );
        if let CheckMethod::Test { name, .. } = &check.how {
            why += &format!(", or `verify: test {name} of this run` if the run shall change this test");
        }
        refusal(check, why)
    }));
    refusals.sort_by_key(|refusal| refusal.line);
    if refusals.is_empty() {
        Baseline::Ready
    } else {
        Baseline::Refused(refusals)
    }
}

/// Guards that stayed green on the base though something was laid there that
/// must turn them red. It may be that they look elsewhere, so that a run can
/// still lay it where they do; if not, they prove nothing in the end.
pub fn blind_guards(task: &Task, controls: &[Control]) -> Vec<Refusal> {
    let guards = task.checks().filter(|check| check.role == Role::Guard);
    let blind = guards.filter_map(|check| {
        let mut green = controls.iter().filter(|control| control.turned == Reaction::Green);
        let control = green.find(|control| control.check == check.id)?;
        let laid = match control.sabotage {
            Sabotage::Violation => "a fault of its kind",
            Sabotage::Canary
            | Sabotage::Failing
            | Sabotage::Defaulting
            | Sabotage::AsBefore
            | Sabotage::OverBase
            | Sabotage::RunTestsOverBase
            | Sabotage::FormerTests => "a failing test",
        };
        let why = format!(
            "it stayed green on the base though {laid} was laid ({}); if it stays so after the work, it proves nothing \
             and the run asks you. Make sure that it fails when a test fails",
            control.about
        );
        Some(refusal(check, why))
    });
    blind.collect()
}

/// Goals that are red on the base for what the machine lacks, as far as their
/// output tells: the work would not turn them green, so they show none.
pub fn red_for_the_machine(task: &Task, stranded: &[CheckId]) -> Vec<Refusal> {
    let goals = task.checks().filter(|check| check.role == Role::Goal);
    let red = goals.filter(|check| stranded.contains(&check.id)).map(|check| {
        let why = "the goal is red, but for the environment and not for missing work; mend that first, or start the run \
                   all the same if that is the task";
        refusal(check, why.into())
    });
    red.collect()
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
