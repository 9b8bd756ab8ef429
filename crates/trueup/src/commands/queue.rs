//! `trueup queue`: open runs that `trueup up` carries on.

use super::run::{Chosen, open, unfinished};
use crate::{
    args::{Global, Queue, Run as RunArguments},
    exit::{Exit, Failure},
    foreground::Foreground,
    project::Project,
    render,
    task::TaskFile,
};
use trueup_core::{id::RunId, run::Run};

/// Opens a run of each task. One that cannot be opened holds up no other.
pub(crate) fn queue(project: &Project, queue: &Queue, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let foreground = Foreground::begin()?;
    let (mut queued, mut refused) = (Vec::new(), Vec::new());
    for name in &queue.tasks {
        let asked = RunArguments {
            task: Some(name.clone()),
            agent: queue.agent.clone(),
            with_changes: false,
            anew: queue.anew,
        };
        match queued_as(project, &foreground, name, &asked, global) {
            Ok(run) => queued.push(run),
            Err(failure) => refused.push((name.as_str(), failure)),
        }
    }
    render::queued(&queued, &refused, global)?;
    Ok(refused.first().map_or(Exit::Verified, |(_, failure)| failure.exit))
}

/// The run that waits for a driver: a new one, or the one that waits already.
fn queued_as(
    project: &Project,
    foreground: &Foreground,
    name: &str,
    asked: &RunArguments,
    global: &Global,
) -> Result<RunId, Failure> {
    let chosen = Chosen::of(project, TaskFile::find(project, name)?)?;
    match unfinished(project, &chosen.task, asked)? {
        None => {
            open(project, foreground, &chosen, asked, global)?;
            Ok(chosen.run)
        }
        Some(run) if was_never_driven(&run) => Ok(run.opening().run.clone()),
        Some(run) => {
            let (task, run) = (&chosen.task.id, &run.opening().run);
            let what = format!("{task} has an unfinished run, {run}");
            Err(Failure::new(Exit::Conflict, what)
                .next(format!("trueup show {task}"))
                .next(format!("trueup queue {task} --anew")))
        }
    }
}

/// Whether nothing happened to it since it was opened.
const fn was_never_driven(run: &Run) -> bool {
    run.length() == 1
}
