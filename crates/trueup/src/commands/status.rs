//! `trueup status`: what runs, waits and is done.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    render,
    task::TaskFile,
};
use std::collections::BTreeMap;
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
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for file in TaskFile::all(project)? {
        let task = file.id();
        rows.insert(task.clone(), Row { task, last: None });
    }
    for (entry, headline) in desk.latest()? {
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
        rows.insert(task.clone(), Row { task, last });
    }
    let rows: Vec<Row> = rows.into_values().collect();
    if global.json {
        render::status_json(&rows)?;
    } else {
        render::status_lines(&rows);
    }
    Ok(Exit::Verified)
}
