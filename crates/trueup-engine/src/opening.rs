//! Opening a run: everything it will ever need to know, gathered once.

use crate::{
    machine::{Machine, MachineError},
    workspace::Workspaces,
};
use std::{cell::RefCell, collections::BTreeMap};
use trueup_core::{
    branch::{self, DeliveredBranch},
    criterion::CheckMethod,
    event::{Agent, Base, Opening},
    id::{RunId, TreeId},
    ladder::{Ladder, WhenIdle},
    patience::Patience,
    task::Task,
};
use trueup_inspect::rules;

/// A run that is to be opened.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// How it is called.
    pub run: RunId,
    /// The task, as its file tells it.
    pub task: Task,
    /// Where the work starts.
    pub base: Base,
    /// The agent that works.
    pub agent: Agent,
    /// How long anything is waited for.
    pub patience: Patience,
    /// What it tries by itself where a turn was not enough.
    pub ladder: Option<Ladder>,
}

impl Machine {
    /// What opens a run, with all of the configuration in force that drives it.
    pub fn opening(&self, new: NewRun) -> Result<Opening, MachineError> {
        let NewRun {
            run,
            task,
            base,
            agent,
            patience,
            ladder,
        } = new;
        if self.workspaces.branch("trueup")?.is_some() {
            return Err(MachineError::BranchInTheWay(branch::of_task(&task.id)));
        }
        let look = |name: &str| self.workspaces.tip(name, &task.id, &base.commit);
        let DeliveredBranch { name: branch, was } = branch::to_deliver(&task.id, &run, look)?;
        let task = on_base(&self.workspaces, task, &base.tree);
        let settings = self.settings(&agent.name, &task)?;
        Ok(Opening {
            run,
            branch,
            branch_was: was,
            task,
            base,
            agent,
            patience,
            settings: Some(Box::new(settings)),
            when_idle: WhenIdle::Ask,
            ladder,
            author: self.workspaces.author()?,
            at: self.clock.now(),
        })
    }
}

/// The task as it is carried out from a base: with its scope as a guard, and
/// with what each of its checks looks at, told by the base's own files. What
/// the candidate does to those files does not change it.
pub fn on_base(workspaces: &Workspaces, task: Task, base: &TreeId) -> Task {
    let known: RefCell<BTreeMap<String, Option<Vec<u8>>>> = RefCell::default();
    let files = |path: &str| {
        let mut known = known.borrow_mut();
        let read = || workspaces.read(base, path).ok().flatten();
        known.entry(path.to_owned()).or_insert_with(read).clone()
    };
    let mut task = task.on_base(base);
    for check in task.criteria.iter_mut().flat_map(|criterion| &mut criterion.checks) {
        let name = match &check.how {
            CheckMethod::Named { name, .. } => name.clone(),
            CheckMethod::Test { of, .. } | CheckMethod::RunTests { of, .. } => of.clone(),
            CheckMethod::Coverage { by, .. } => by.clone(),
            CheckMethod::Command(_) => String::new(),
            // The program is our own.
            CheckMethod::Http { .. } => continue,
            CheckMethod::FileExists { .. }
            | CheckMethod::FileHas { .. }
            | CheckMethod::NoneIn { .. }
            | CheckMethod::InScope { .. }
            | CheckMethod::Manual { .. } => continue,
        };
        if let Some(execution) = check.execution_mut() {
            execution.kind = rules::kind(&name, execution.parse, &execution.argv, &files);
        }
    }
    task
}
