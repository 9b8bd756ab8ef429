//! `trueup status`: what runs, waits and is done.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    render,
    task::TaskFile,
};
use std::collections::{BTreeSet, HashSet};
use trueup_core::{id::RunId, report::Headline, run::Position};
use trueup_engine::durable::Held;

/// One line of the list.
pub(crate) struct Row {
    /// The task.
    pub(crate) task: String,
    /// Its last run, with who holds it.
    pub(crate) last: Option<Last>,
}

/// The last run of a task.
pub(crate) struct Last {
    /// Which.
    pub(crate) run: RunId,
    /// What there is to say about it in one line.
    pub(crate) headline: Headline,
    /// Whether somebody drives it.
    pub(crate) held: Held,
}

/// Lists every task with its last run.
pub(crate) fn status(project: &Project, global: &Global) -> Result<Exit, Failure> {
    let desk = project.desk()?;
    let latest = desk.latest()?;
    let mut rows = Vec::with_capacity(latest.len());
    for (entry, headline) in latest {
        // Nobody drives what is over; ten thousand locks need not be looked at for that.
        let held = match headline.position {
            Position::Done(_) => Held::Free,
            Position::Working(_) | Position::Paused(..) => desk.held_now(&entry)?,
        };
        let task = entry.task.to_string();
        let last = Some(Last {
            run: entry.run,
            headline,
            held,
        });
        rows.push(Row { task, last });
    }
    let tasks: BTreeSet<String> = TaskFile::all(project)?.iter().map(TaskFile::id).collect();
    let known: HashSet<&str> = rows.iter().map(|row| row.task.as_str()).collect();
    let never = tasks.into_iter().filter(|task| !known.contains(task.as_str()));
    let never: Vec<Row> = never.map(|task| Row { task, last: None }).collect();
    rows.extend(never);
    rows.sort_by(|one, other| one.task.cmp(&other.task));
    if global.json {
        render::status_json(&rows)?;
    } else {
        render::status_lines(&rows);
    }
    Ok(Exit::Verified)
}
