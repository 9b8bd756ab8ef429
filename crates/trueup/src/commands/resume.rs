//! `trueup resume`: go on with a run that was stopped or killed.

use super::show::named;
use crate::{
    args::{Global, Resume},
    exit::{Exit, Failure},
    project::Project,
    render,
    session::{Going, Rested, Word, drive_run, find_run, is_unfinished, tidy_up},
    stopping::Stopping,
    task::TaskFile,
};
use trueup_core::{id::RunId, run::Run};
use trueup_engine::durable::{Desk, sqlite::Sqlite};

/// Goes on with a run, from exactly where its journal stands.
pub(crate) fn resume(project: &Project, resume: &Resume, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let stopping = Stopping::begin()?;
    let desk = project.desk()?;
    let run = match &resume.task {
        Some(task) => {
            let name = named(project, task);
            find_run(&desk, &name)?.ok_or_else(|| {
                Failure::new(Exit::Usage, format!("`{name}` was never run")).next(format!("trueup run {name}"))
            })?
        }
        None => last_unfinished(&desk)?
            .ok_or_else(|| Failure::new(Exit::NothingToDo, "no run is unfinished").next("trueup status"))?,
    };
    let state = Run::replay(&desk.history(&run)?).map_err(Failure::unexpected)?;
    let rested = if is_unfinished(state.position()) {
        let going = Going {
            global,
            stopping: &stopping,
            word: if resume.now { Word::Now } else { Word::GoOn },
        };
        drive_run(project, &desk, &run, going)?
    } else {
        tidy_up(project, &project.workspaces()?, &state);
        Rested {
            run: state,
            stopped: None,
        }
    };
    told(project, &rested, global)
}

/// Says where a run came to rest.
pub(super) fn told(project: &Project, rested: &Rested, global: &Global) -> Result<Exit, Failure> {
    let task = rested.run.opening().task.id.as_str();
    let file = TaskFile::find(project, task).map_or_else(|_| task.to_owned(), |file| file.name);
    render::rest(rested, &file, global)?;
    Ok(rested.exit())
}

fn last_unfinished(desk: &Sqlite) -> Result<Option<RunId>, Failure> {
    for entry in desk.runs()?.into_iter().rev() {
        let state = Run::replay(&desk.history(&entry.run)?).map_err(Failure::unexpected)?;
        if is_unfinished(state.position()) {
            return Ok(Some(entry.run));
        }
    }
    Ok(None)
}
