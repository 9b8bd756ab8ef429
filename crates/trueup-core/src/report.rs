//! The only summary of a run; every view renders this one.

use crate::{
    budget::Spend,
    control::Control,
    criterion::Check,
    event::Event,
    evidence::{Evidence, Isolation},
    gate::{self, Origin, Proof, SinceBase, Standing},
    id::{CheckId, CommitId, RunId, TaskId, TreeId},
    objection::Objection,
    run::{Position, ReplayError, Run},
    task::Task,
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What there is to say about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The task.
    pub task: TaskId,
    /// Its title.
    pub title: String,
    /// The run.
    pub run: RunId,
    /// Where it stands.
    pub position: Position,
    /// The last checked tree; the delivered one in the end.
    pub tree: Option<TreeId>,
    /// The commit that carries it.
    pub commit: Option<CommitId>,
    /// The branch that is or will be delivered.
    pub branch: String,
    /// Turns taken.
    pub turns: u32,
    /// The most turns it may take.
    pub turn_limit: u32,
    /// What it has cost.
    pub spend: Spend,
    /// The weakest wall that anything ran behind on which the rest relies.
    pub isolation: Isolation,
    /// Every criterion with its evidence.
    pub criteria: Vec<Reported>,
    /// What a person must know of the last checked tree.
    pub objections: Vec<SettledObjection>,
    /// Why a person accepted that some of it proves too little.
    pub waiver: Option<String>,
    /// The criteria that nothing proves but tests of the run itself.
    pub self_tested: Vec<String>,
}

/// An objection, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettledObjection {
    /// What a person must know.
    pub objection: Objection,
    /// What became of it.
    pub settled: Settlement,
}

/// What became of an objection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// The task allowed it in advance.
    Allowed,
    /// A person approved it.
    Approved,
    /// Nobody has.
    Open,
    /// Nobody has to: a rule that asks nobody noted it.
    Noted,
}

/// The first line of a report: what a list of runs shows of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headline {
    /// The task's title.
    pub title: String,
    /// Where the run stands.
    pub position: Position,
    /// Turns taken.
    pub turns: u32,
    /// The most turns it may take.
    pub turn_limit: u32,
    /// The weakest wall that anything ran behind on which the rest relies.
    pub isolation: Isolation,
    /// The criteria that nothing proves but tests of the run itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub self_tested: Vec<String>,
}

impl Headline {
    /// The headline of a run that is at hand.
    pub fn of_run(run: &Run) -> Self {
        Self {
            title: run.opening().task.title.clone(),
            position: run.position().clone(),
            turns: run.spend().turns,
            turn_limit: run.turn_limit(),
            isolation: run.isolation(),
            self_tested: run.self_tested_criteria(),
        }
    }
}

/// What there is to say about one criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The criterion, as the run keeps it.
    pub criterion: crate::criterion::Criterion,
    /// Where it stands on the last checked tree; unproven before that.
    pub standing: Standing,
    /// What its checks saw on the base.
    pub base: Vec<Evidence>,
    /// What its checks saw on the last checked tree.
    pub evidence: Vec<Evidence>,
    /// What is known of each of its checks beyond that.
    pub judged: Vec<JudgedCheck>,
}

/// What is known of one check beyond what it saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedCheck {
    /// The check.
    pub check: CheckId,
    /// How it stands beside the base.
    pub since: Option<SinceBase>,
    /// Whether it was seen to fail when it had to.
    pub proof: Option<Proof>,
    /// Who wrote the test it asks for.
    pub origin: Option<Origin>,
    /// What it did on sabotaged trees.
    pub controls: Vec<Control>,
}

impl Report {
    /// The report of a run, from its events alone.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        Ok(Self::of_run(&Run::replay(events)?))
    }

    /// The report of a run that is at hand.
    pub fn of_run(run: &Run) -> Self {
        let opening = run.opening();
        Self {
            task: opening.task.id.clone(),
            title: opening.task.title.clone(),
            run: opening.run.clone(),
            position: run.position().clone(),
            tree: run.checked().map(|(tree, _)| tree.clone()),
            commit: run.commit().cloned(),
            branch: opening.branch.clone(),
            turns: run.spend().turns,
            turn_limit: run.turn_limit(),
            spend: *run.spend(),
            isolation: run.isolation(),
            criteria: reported(run),
            waiver: run.waiver().map(Into::into),
            self_tested: run.self_tested_criteria(),
            objections: run
                .objections()
                .iter()
                .chain(&run.self_tested())
                .map(|objection| settled(run, objection))
                .collect(),
        }
    }
}

fn settled(run: &Run, objection: &Objection) -> SettledObjection {
    let settled = if objection.allowed.is_some() {
        Settlement::Allowed
    } else if run.approved().contains(&objection.digest) {
        Settlement::Approved
    } else if !objection.asks() {
        Settlement::Noted
    } else {
        Settlement::Open
    };
    let objection = objection.clone();
    SettledObjection { objection, settled }
}

/// What is known of a check. Before it was tried on a sabotaged tree nothing
/// is said of its power to fail.
fn judged(run: &Run, check: &Check) -> JudgedCheck {
    let of = |evidence: &[Evidence]| evidence.iter().find(|evidence| evidence.check == check.id).cloned();
    let base = of(run.base_evidence());
    let now = run.checked().and_then(|(_, evidence)| of(evidence));
    let since = base.as_ref().zip(now.as_ref());
    let tried = !check.can_be_challenged() || run.was_challenged();
    JudgedCheck {
        check: check.id.clone(),
        since: since.map(|(base, now)| gate::since(check.role, base, now)),
        proof: tried.then(|| run.proof(check)),
        origin: base.as_ref().and_then(|base| gate::origin(check, base)),
        controls: run.controls_of(check).cloned().collect(),
    }
}

fn reported(run: &Run) -> Vec<Reported> {
    let verdict = run.verdict();
    let of = |criterion: &crate::criterion::Criterion, evidence: &[Evidence]| {
        evidence
            .iter()
            .filter(|evidence| evidence.criterion == criterion.id)
            .cloned()
            .collect()
    };
    run.opening()
        .task
        .criteria
        .iter()
        .map(|criterion| Reported {
            standing: verdict
                .as_ref()
                .and_then(|verdict| verdict.criteria.iter().find(|(id, _)| *id == criterion.id))
                .map_or(Standing::Unproven, |(_, standing)| *standing),
            base: of(criterion, run.base_evidence()),
            evidence: run
                .checked()
                .map(|(_, evidence)| of(criterion, evidence))
                .unwrap_or_default(),
            judged: criterion.checks.iter().map(|check| judged(run, check)).collect(),
            criterion: criterion.clone(),
        })
        .collect()
}

/// Whether a piece of evidence is valid for the task and tree as they are now.
/// Pure: nothing is run, and a reverted change makes it valid again.
pub fn is_valid(evidence: &Evidence, task: &Task, tree: &TreeId) -> bool {
    task.criteria.iter().any(|criterion| {
        criterion.checks.iter().any(|check| {
            let held = core::slice::from_ref(evidence);
            gate::valid(&task.rules(), criterion, check, tree, held).is_some()
        })
    })
}
