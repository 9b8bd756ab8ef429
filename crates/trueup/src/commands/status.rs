//! `trueup status`: what runs, waits and is done.

use crate::{
    args::{Global, Status},
    exit::{Exit, Failure},
    foreground::wait,
    project::Project,
    render,
    task::TaskFile,
};
use std::collections::BTreeMap;
use trueup_engine::durable::{Cursor, Desk, Filter, Query, Summary};

/// One page of the list.
pub(crate) struct Listing {
    /// The tasks, by their names.
    pub(crate) rows: Vec<Row>,
    /// The task behind which the next page begins, if there is one.
    pub(crate) next: Option<String>,
}

/// One line of the list.
pub(crate) struct Row {
    /// The task.
    pub(crate) task: String,
    /// Its last run, if it was ever run.
    pub(crate) last: Option<Summary>,
}

/// Lists tasks with their last runs, a page at a time.
pub(crate) fn status(project: &Project, status: &Status, global: &Global) -> Result<Exit, Failure> {
    let listing = list(project, status)?;
    if global.json {
        render::status_json(&listing)?;
    } else {
        render::status_lines(&listing);
    }
    Ok(Exit::Verified)
}

fn list(project: &Project, status: &Status) -> Result<Listing, Failure> {
    let limit = usize::try_from(status.limit).unwrap_or(usize::MAX);
    let query = Query {
        filter: Filter::LastOfEachTask,
        after: status.after.clone().map(Cursor::behind),
        limit,
    };
    let page = wait(project.desk()?.headlines(&query))??;
    let mut rows: BTreeMap<String, Option<Summary>> = BTreeMap::new();
    // What was never run is known by its file alone, and only within this page.
    for file in TaskFile::all(project)? {
        let id = file.id();
        let follows = status.after.as_ref().is_none_or(|after| id > *after);
        let fits = page.next.as_ref().is_none_or(|last| id.as_str() <= last.as_str());
        if follows && fits {
            rows.insert(id, None);
        }
    }
    rows.extend(page.runs.into_iter().map(|run| (run.task.to_string(), Some(run))));
    let more = page.next.is_some() || rows.len() > limit;
    let rows = rows.into_iter().take(limit).map(|(task, last)| Row { task, last });
    let rows: Vec<Row> = rows.collect();
    let next = rows.last().filter(|_| more).map(|row| row.task.clone());
    Ok(Listing { rows, next })
}
