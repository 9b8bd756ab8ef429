//! What became of runs: the facts that lie outside of their events, gathered
//! for all that are shown together.

use crate::{exit::Failure, foreground::wait, project::Project};
use std::collections::BTreeMap;
use trueup_core::{
    fate::{self, Aftermath, Driven, Fate, LaterRuns, Whereabouts},
    id::{CommitId, RunId, TaskId},
    report::Headline,
    run::{Position, Run},
};
use trueup_engine::durable::{Desk, DeskError, Hold, Summary};

/// A run of a task, beside the others.
#[derive(Clone)]
pub(crate) struct TaskRun {
    /// Its name.
    pub(crate) run: RunId,
    /// What there is to say about it in one line.
    pub(crate) headline: Headline,
    /// Whether somebody drives it.
    pub(crate) hold: Hold,
    /// The branch it delivers.
    pub(crate) branch: String,
    /// What became of it.
    pub(crate) fate: Option<Fate>,
}

/// As much of a run as decides what became of it.
pub(crate) struct Seen<'a> {
    pub(crate) position: &'a Position,
    pub(crate) hold: Hold,
    pub(crate) later: LaterRuns,
}

/// What became of each of these runs. Git is asked only where one of them has
/// delivered something.
pub(crate) fn of(project: &Project, runs: &[Seen<'_>]) -> Result<Vec<Option<Fate>>, Failure> {
    let delivered = runs.iter().filter_map(|run| run.position.delivered().cloned());
    let delivered: Vec<CommitId> = delivered.collect();
    let places = match delivered.is_empty() {
        true => BTreeMap::new(),
        false => project.workspaces()?.whereabouts(&delivered, &project.config.base)?,
    };
    let became = runs.iter().map(|run| {
        let place = run.position.delivered().and_then(|commit| places.get(commit));
        let now = Aftermath {
            driver: match run.hold {
                Hold::Driven => Driven::Now,
                Hold::Free => Driven::Not,
                Hold::Never => Driven::Never,
            },
            later: run.later,
            commit: place.copied().unwrap_or(Whereabouts::Nowhere),
        };
        fate::of(run.position, now)
    });
    Ok(became.collect())
}

/// Every run of a task, the last one first.
pub(crate) fn of_task(project: &Project, task: &TaskId) -> Result<Vec<TaskRun>, Failure> {
    let mut runs = all(project, task)?;
    let mut later = LaterRuns::None;
    let mut seen = Vec::new();
    for run in &runs {
        let position = &run.headline.position;
        seen.push(Seen {
            position,
            hold: run.hold,
            later,
        });
        if later != LaterRuns::Delivered {
            later = match position.delivered() {
                Some(_) => LaterRuns::Delivered,
                None => LaterRuns::Undelivered,
            };
        }
    }
    let became = of(project, &seen)?;
    for (run, fate) in runs.iter_mut().zip(became) {
        run.fate = fate;
    }
    Ok(runs)
}

/// The last run of the task that delivered something, where its very last run
/// has not: that work is still there to be taken.
pub(crate) fn delivered_before(project: &Project, last: &Summary) -> Result<Option<TaskRun>, Failure> {
    if last.headline.position.delivered().is_some() {
        return Ok(None);
    }
    for number in (1..number(&last.run)).rev() {
        let run = of_number(project, &last.task, number)?;
        if let Some(run) = run.filter(|run| run.headline.position.delivered().is_some()) {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

fn all(project: &Project, task: &TaskId) -> Result<Vec<TaskRun>, Failure> {
    let Some(last) = wait(project.desk()?.runs_of(task))??.last else {
        return Ok(Vec::new());
    };
    let mut runs = Vec::new();
    for number in (1..=number(&last)).rev() {
        runs.extend(of_number(project, task, number)?);
    }
    Ok(runs)
}

/// A run by its number; nothing where a repaired journal has lost it.
fn of_number(project: &Project, task: &TaskId, number: u32) -> Result<Option<TaskRun>, Failure> {
    let desk = project.desk()?;
    let run = RunId::new(format!("{task}.{number}"));
    let events = match wait(desk.history(&run, 0))? {
        Ok(events) => events,
        Err(DeskError::Unknown(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let state = Run::replay(&events).map_err(Failure::unexpected)?;
    Ok(Some(TaskRun {
        headline: Headline::of_run(&state),
        hold: wait(desk.hold(&run))??,
        branch: state.opening().branch.clone(),
        fate: None,
        run,
    }))
}

/// Which run of its task one is, counted from one.
fn number(run: &RunId) -> u32 {
    let (_, number) = run.as_str().rsplit_once('.').unwrap_or_default();
    number.parse().unwrap_or(0)
}
