//! `trueup show`: a task's criteria with their evidence, and whether that
//! evidence is valid for the task and the tree as they are now.

use crate::{
    args::{Global, Show},
    exit::{Exit, Failure},
    fates,
    project::Project,
    render,
    runs::{history, is_driven, meant},
    task::TaskFile,
};
use std::sync::Arc;
use trueup_core::{
    event::Event,
    fate::Fate,
    id::{RunId, TreeId},
    report::{self, Report},
    run::Run,
    task::Task,
    time_spent::TimeSpent,
};
use trueup_engine::{opening::on_base, travel::Blobs};

/// A run as it stands beside the present.
pub(crate) struct RunView {
    /// The run.
    pub(crate) report: Report,
    /// Its task's file as messages print it, else the task's id.
    pub(crate) file: String,
    /// Whether its branch is there, with what it delivered.
    pub(crate) has_branch: bool,
    /// Whether somebody drives it right now.
    pub(crate) is_driven: bool,
    /// What became of it.
    pub(crate) fate: Option<Fate>,
    /// The last run of its task: this one, or one that came after it.
    pub(crate) last: RunId,
    /// Where its time went.
    pub(crate) time: TimeSpent,
    /// The task file as it is now, if it can be read.
    pub(crate) task_now: Option<Task>,
    /// The tree that stands for the run now: its branch's, or its last checked one.
    pub(crate) tree_now: Option<TreeId>,
    /// Where bodies lie, as far as they were not erased.
    pub(crate) blobs: Arc<dyn Blobs>,
}

impl RunView {
    /// What a person types to mean this run.
    pub(crate) fn name(&self) -> String {
        match self.last == self.report.run {
            true => self.report.task.to_string(),
            false => self.report.run.to_string(),
        }
    }

    /// Whether some of its evidence is of something else than what is there now.
    pub(crate) fn is_stale(&self) -> bool {
        let mut evidence = self.report.criteria.iter().flat_map(|reported| &reported.evidence);
        evidence.any(|evidence| !self.is_valid(evidence))
    }

    /// Whether a piece of evidence is valid now. Nothing is run to tell.
    pub(crate) fn is_valid(&self, evidence: &trueup_core::evidence::Evidence) -> bool {
        match (&self.task_now, &self.tree_now) {
            (Some(task), Some(tree)) => report::is_valid(evidence, task, tree),
            (None, _) | (_, None) => false,
        }
    }
}

/// Shows the last run of a task, or the run itself.
pub(crate) fn show(project: &Project, show: &Show, global: &Global) -> Result<Exit, Failure> {
    let (id, events) = history(project, &meant(project, show.of.task.as_deref())?)?;
    let shown = view(project, id, &events)?;
    if global.json {
        render::show_json(&shown)?;
    } else if show.time {
        render::time_lines(&shown);
    } else {
        render::show_lines(&shown);
    }
    Ok(Exit::Verified)
}

/// A run as it stands beside the present.
pub(super) fn view(project: &Project, id: RunId, events: &[Event]) -> Result<RunView, Failure> {
    let run = Run::replay(events).map_err(Failure::unexpected)?;
    let report = Report::of_run(&run);
    let task_now = task_now(project, &run)?;
    let branch = project.workspaces()?.branch(&report.branch)?;
    let runs = fates::of_task(project, &report.task)?;
    let fate = runs.iter().find(|other| other.run == id).and_then(|this| this.fate);
    // Whatever has that name otherwise is not what this run delivered.
    let is_its = report.position.delivered().is_some() && !matches!(fate, Some(Fate::Overtaken | Fate::Dropped));
    let has_branch = branch.is_some() && is_its;
    // Before delivery the branch is not this run's; afterwards it stands for it.
    let tree_now = match (&report.commit, branch) {
        (Some(_), Some((_, tree))) => Some(tree),
        (Some(_), None) | (None, _) => report.tree.clone(),
    };
    Ok(RunView {
        file: TaskFile::find(project, report.task.as_str()).map_or_else(|_| report.task.to_string(), |file| file.name),
        has_branch,
        is_driven: is_driven(project, &id)?,
        fate,
        last: runs.into_iter().next().map_or(id, |last| last.run),
        report,
        time: TimeSpent::of(events).map_err(Failure::unexpected)?,
        task_now,
        tree_now,
        blobs: project.blobs(),
    })
}

/// The task file as it is now. A file that cannot be read any more makes no
/// evidence valid.
fn task_now(project: &Project, run: &Run) -> Result<Option<Task>, Failure> {
    let opening = run.opening();
    let Ok(file) = TaskFile::find(project, opening.task.id.as_str()) else {
        return Ok(None);
    };
    let task = file.read(project)?.ok();
    match task {
        Some(task) => Ok(Some(on_base(&project.workspaces()?, task, &opening.base.tree))),
        None => Ok(None),
    }
}
