//! `trueup approve` and `trueup reject`: answer what a run asks, and go on.

use super::{resume::told, show::named};
use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    session::{Going, Word, drive_run, history},
    stopping::Stopping,
};
use trueup_core::{event::Signal, run::Run, run::Step};

/// Answers what a run asks, and goes on with it.
pub(crate) fn answer(project: &Project, task: &str, word: Word, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let stopping = Stopping::begin()?;
    let desk = project.desk()?;
    let (run, events) = history(&desk, &named(project, task))?;
    let state = Run::replay(&events).map_err(Failure::unexpected)?;
    if state.next() != Step::Await(Signal::Answer) {
        let what = format!("{run} asks nothing, so there is nothing to answer");
        return Err(Failure::new(Exit::NothingToDo, what).next(format!("trueup show {task}")));
    }
    let going = Going {
        global,
        stopping: &stopping,
        word,
    };
    let rested = drive_run(project, &desk, &run, going)?;
    told(project, &rested, global)
}
