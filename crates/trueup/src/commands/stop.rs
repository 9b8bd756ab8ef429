//! `trueup stop`: ask a running run to stop.

use crate::{
    args::{Global, OneTask},
    exit::{Exit, Failure},
    foreground::wait,
    project::Project,
    render,
    runs::{history, meant},
};
use trueup_engine::durable::{Desk, Hold, Request};

/// Asks whoever drives the run to stop.
pub(crate) fn stop(project: &Project, task: &OneTask, global: &Global) -> Result<Exit, Failure> {
    let (run, _) = history(project, &meant(project, Some(&task.task))?)?;
    let desk = project.desk()?;
    if wait(desk.ask_to_stop(&Request::fresh(), &run))?? != Hold::Driven {
        let what = format!("{run} is not running, so there is nothing to stop");
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
