//! `trueup stop`: ask a running run to stop.

use super::show::named;
use crate::{
    args::{Global, OneTask},
    exit::{Exit, Failure},
    project::Project,
    render,
    session::history,
};
use trueup_engine::durable::Desk;

/// Asks whoever drives the run to stop.
pub(crate) fn stop(project: &Project, task: &OneTask, global: &Global) -> Result<Exit, Failure> {
    let desk = project.desk()?;
    let (run, _) = history(&desk, &named(project, &task.task))?;
    let asked = desk.ask_to_stop(&run)?;
    if !asked {
        let what = format!("nobody drives {run} now, so there is nothing to stop");
        return Err(Failure::new(Exit::NothingToDo, what).next("trueup status"));
    }
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "run": run, "asked": true }))?;
    } else {
        render::line(&format!("Asked {run} to stop. Go on later with:"));
        render::next(&[&format!("trueup resume {}", task.task)]);
    }
    Ok(Exit::Verified)
}
