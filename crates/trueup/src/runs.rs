//! Runs by the names a person gives them.

use crate::{
    exit::{Exit, Failure},
    foreground::wait,
    project::Project,
    task::TaskFile,
};
use trueup_core::{
    event::Event,
    id::{RunId, TaskId},
    run::{Position, Run},
    time_spent::TimeSpent,
};
use trueup_engine::{
    driver,
    durable::{Desk, Filter, Hold, Query, Summary},
};

/// Whether a person could still go on with a run that stands here.
pub(crate) const fn is_unfinished(position: &Position) -> bool {
    !matches!(position, Position::Done(_))
}

/// The last run of a task, or the run itself if one was named.
pub(crate) fn find_run(project: &Project, name: &str) -> Result<Option<RunId>, Failure> {
    let desk = project.desk()?;
    Ok(wait(driver::find_run(&desk, name))??)
}

/// The run as its events make it.
pub(crate) fn replay(project: &Project, run: &RunId) -> Result<Run, Failure> {
    let desk = project.desk()?;
    let events = wait(desk.history(run, 0))??;
    Run::replay(&events).map_err(Failure::unexpected)
}

/// The last run of a task, or the run itself, as its events make it.
pub(crate) fn last(project: &Project, name: &str) -> Result<Option<Run>, Failure> {
    let run = find_run(project, name)?;
    run.map(|run| replay(project, &run)).transpose()
}

/// The events of the last run of a task, or of the run itself.
pub(crate) fn history(project: &Project, name: &str) -> Result<(RunId, Vec<Event>), Failure> {
    let desk = project.desk()?;
    wait(driver::history_of(&desk, name))??.ok_or_else(|| never_run(project, name))
}

/// Nobody ever ran this, or there is no such thing.
pub(crate) fn never_run(project: &Project, name: &str) -> Failure {
    match TaskFile::find(project, name) {
        Ok(file) => {
            let id = file.id();
            Failure::new(Exit::Usage, format!("`{id}` was never run")).next(format!("trueup run {id}"))
        }
        Err(none) => none,
    }
}

/// What a person means by the name of a task, of its file or of a run: the id
/// where a task has it. Without a name it is the run that was opened last.
pub(crate) fn meant(project: &Project, name: Option<&str>) -> Result<String, Failure> {
    if let Some(name) = name {
        return Ok(TaskFile::find(project, name).map_or_else(|_| name.to_owned(), |file| file.id()));
    }
    let last = newest(project, 1)?.into_iter().next().map(|run| run.run.to_string());
    last.ok_or_else(|| Failure::new(Exit::Usage, "nothing was run here yet").next("trueup status"))
}

/// How long was worked on a run, by its agent and by trueup.
pub(crate) fn worked_ms(project: &Project, run: &RunId) -> Result<u64, Failure> {
    let desk = project.desk()?;
    let events = wait(desk.history(run, 0))??;
    Ok(TimeSpent::of(&events).map_err(Failure::unexpected)?.worked_ms())
}

/// Whether somebody drives a run right now.
pub(crate) fn is_driven(project: &Project, run: &RunId) -> Result<bool, Failure> {
    let desk = project.desk()?;
    Ok(wait(desk.hold(run))?? == Hold::Driven)
}

/// Refuses while somebody drives a run of this task, be it the last one or one
/// that was left behind; `mine` is the run that is asked about, if there is one.
pub(crate) fn refuse_driven(project: &Project, task: &TaskId, mine: Option<&RunId>) -> Result<(), Failure> {
    let unfinished = all(project, Filter::Unfinished)?;
    let mut others = unfinished
        .iter()
        .filter(|run| run.task == *task && Some(&run.run) != mine);
    let Some(Summary { run, .. }) = others.find(|run| run.hold == Hold::Driven) else {
        return Ok(());
    };
    let what = format!("somebody works on {task} right now, in run {run}");
    Err(Failure::new(Exit::Conflict, what)
        .next(format!("trueup log {run} -f"))
        .next(format!("trueup stop {run}")))
}

/// How the next run of a task is called.
pub(crate) fn next_run(project: &Project, task: &TaskId) -> Result<RunId, Failure> {
    let desk = project.desk()?;
    Ok(wait(driver::next_run(&desk, task))??)
}

/// The newest runs, at most so many.
pub(crate) fn newest(project: &Project, limit: usize) -> Result<Vec<Summary>, Failure> {
    let desk = project.desk()?;
    Ok(wait(desk.headlines(&Query::first(Filter::All, limit)))??.runs)
}

/// Every run that passes a filter.
pub(crate) fn all(project: &Project, filter: Filter) -> Result<Vec<Summary>, Failure> {
    let desk = project.desk()?;
    Ok(wait(driver::all_runs(&desk, filter))??)
}
