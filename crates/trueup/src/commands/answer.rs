//! `trueup approve` and `trueup reject`: answer what a run asks, and go on.

use super::{
    resume::{task_now, told},
    show::named,
};
use crate::{
    args::Global,
    exit::{Exit, Failure},
    foreground::Foreground,
    project::Project,
    runs::history,
};
use trueup_core::{
    event::Signal,
    run::{Run, Step},
};
use trueup_engine::driver::{Decision, Resume};

/// Answers what a run asks, and goes on with it.
pub(crate) fn answer(project: &Project, task: &str, decision: Decision, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let foreground = Foreground::begin()?;
    let (run, events) = history(project, &named(project, task))?;
    let state = Run::replay(&events).map_err(Failure::unexpected)?;
    if state.next() != Step::Await(Signal::Answer) {
        let what = format!("{run} asks nothing, so there is nothing to answer");
        return Err(Failure::new(Exit::NothingToDo, what).next(format!("trueup show {task}")));
    }
    let task = task_now(project, &state)?;
    let resume = Resume {
        decision,
        task,
        agent: None,
    };
    let rested = foreground.drive(project, &run, &resume, global)?;
    told(project, &rested, global)
}
