//! Finding runs by what a person calls them.

use crate::durable::{Desk, DeskError, Filter, Query, Summary};
use trueup_core::{
    event::Event,
    id::{RunId, TaskId},
};

/// How many runs are asked for at once where all are wanted.
const PAGE: usize = 500;

/// The last run of a task, or the run itself if one was named.
pub async fn find_run(desk: &impl Desk, name: &str) -> Result<Option<RunId>, DeskError> {
    let of_task = desk.runs_of(&TaskId::new(name)).await?;
    if of_task.last.is_some() {
        return Ok(of_task.last);
    }
    let run = RunId::new(name);
    match desk.hold(&run).await {
        Ok(_) => Ok(Some(run)),
        Err(DeskError::Unknown(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How the next run of a task is called.
pub async fn next_run(desk: &impl Desk, task: &TaskId) -> Result<RunId, DeskError> {
    let before = desk.runs_of(task).await?.count;
    Ok(RunId::new(format!("{task}.{}", before + 1)))
}

/// The events of the last run of a task, or of the run itself.
pub async fn history_of(desk: &impl Desk, name: &str) -> Result<Option<(RunId, Vec<Event>)>, DeskError> {
    let Some(run) = find_run(desk, name).await? else {
        return Ok(None);
    };
    let events = desk.history(&run, 0).await?;
    Ok(Some((run, events)))
}

/// Every run that passes a filter, for whoever really has to look at each.
pub async fn all_runs(desk: &impl Desk, filter: Filter) -> Result<Vec<Summary>, DeskError> {
    let mut query = Query::first(filter, PAGE);
    let mut runs = Vec::new();
    loop {
        let page = desk.headlines(&query).await?;
        runs.extend(page.runs);
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(runs),
        }
    }
}
