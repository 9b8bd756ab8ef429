//! `trueup status`: what runs, waits and is done.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    render,
    task::TaskFile,
};
use std::collections::BTreeMap;
use trueup_core::{id::RunId, report::Report};
use trueup_engine::durable::{Desk, Held};

/// One line of the list.
pub(crate) struct Row {
    /// The task.
    pub(crate) task: String,
    /// Its last run, with who holds it.
    pub(crate) last: Option<(Report, Held)>,
}

/// Lists every task with its last run.
pub(crate) fn status(project: &Project, global: &Global) -> Result<Exit, Failure> {
    let desk = project.desk()?;
    let mut last: BTreeMap<String, RunId> = BTreeMap::new();
    for entry in desk.runs()? {
        last.insert(entry.task.to_string(), entry.run);
    }
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for file in TaskFile::all(project)? {
        let task = file.id();
        rows.insert(task.clone(), Row { task, last: None });
    }
    for (task, run) in last {
        let report = Report::of(&desk.history(&run)?).map_err(Failure::unexpected)?;
        rows.insert(
            task.clone(),
            Row {
                task,
                last: Some((report, desk.held(&run)?)),
            },
        );
    }
    let rows: Vec<Row> = rows.into_values().collect();
    if global.json {
        render::status_json(&rows)?;
    } else {
        render::status_lines(&rows);
    }
    Ok(Exit::Verified)
}
