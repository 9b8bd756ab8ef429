//! `trueup diff`: what a run changed since its base.

use crate::{
    args::{Global, LastTask},
    exit::{Exit, Failure},
    project::Project,
    render,
    runs::{history, meant},
};
use trueup_core::{event::Event, id::TreeId, run::Run};

/// Prints the difference between the base and the tree the last turn left.
pub(crate) fn diff(project: &Project, of: &LastTask, global: &Global) -> Result<Exit, Failure> {
    let (_, events) = history(project, &meant(project, of.task.as_deref())?)?;
    let run = Run::replay(&events).map_err(Failure::unexpected)?;
    let (base, tree) = trees(&run, &events);
    let patch = project.workspaces()?.diff(base, tree)?;
    if global.json {
        let patch = String::from_utf8_lossy(&patch);
        render::json(&serde_json::json!({ "v": 1, "base": base, "tree": tree, "patch": patch }))?;
    } else {
        render::patch(&patch)?;
    }
    Ok(Exit::Verified)
}

/// The base of a run, and the tree its last turn left.
pub(super) fn trees<'a>(run: &'a Run, events: &'a [Event]) -> (&'a TreeId, &'a TreeId) {
    let base = &run.opening().base.tree;
    let last = events.iter().rev().find_map(Event::as_turn_ended);
    (base, last.map_or(base, |ended| &ended.outcome.tree))
}
