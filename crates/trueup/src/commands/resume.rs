//! `trueup resume`: go on with a run that was stopped or killed.

use super::show::named;
use crate::{
    args::{Global, Resume as ResumeArguments},
    exit::{Exit, Failure},
    foreground::{Foreground, wait},
    project::Project,
    render,
    runs::{find_run, is_unfinished, never_run, replay},
    task::TaskFile,
};
use trueup_core::{budget::Budget, id::RunId};
use trueup_engine::{
    driver::{Decision, Rested, Resume},
    durable::{Desk, Filter, Query},
};

/// Goes on with a run, from exactly where its journal stands.
pub(crate) fn resume(project: &Project, arguments: &ResumeArguments, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let foreground = Foreground::begin()?;
    let run = match &arguments.task {
        Some(task) => {
            let name = named(project, task);
            find_run(project, &name)?.ok_or_else(|| never_run(&name))?
        }
        None => last_unfinished(project)?
            .ok_or_else(|| Failure::new(Exit::NothingToDo, "no run is unfinished").next("trueup status"))?,
    };
    let state = replay(project, &run)?;
    let rested = if is_unfinished(state.position()) {
        let decision = match arguments.now {
            true => Decision::Now,
            false => Decision::Continue,
        };
        let budget = budget_now(project, state.opening().task.id.as_str());
        foreground.drive(project, &run, &Resume { decision, budget }, global)?
    } else {
        project.machine()?.tidy_up(&state);
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
    Ok(Exit::of_rest(rested))
}

/// What a task may cost by its file, as far as that can be read.
fn budget_now(project: &Project, task: &str) -> Option<Budget> {
    let file = TaskFile::find(project, task).ok()?;
    Some(file.read(project).ok()?.ok()?.budget)
}

fn last_unfinished(project: &Project) -> Result<Option<RunId>, Failure> {
    let desk = project.desk()?;
    let mut query = Query::first(Filter::Unfinished, 1);
    loop {
        let page = wait(desk.headlines(&query))??;
        let unfinished = page.runs.iter().find(|run| is_unfinished(&run.headline.position));
        match (unfinished, page.next) {
            (Some(run), _) => return Ok(Some(run.run.clone())),
            (None, None) => return Ok(None),
            (None, next) => query.after = next,
        }
    }
}
