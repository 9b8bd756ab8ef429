//! `trueup resume`: go on with a run that was stopped or killed.

use crate::{
    args::{Global, Resume as ResumeArguments},
    exit::{Exit, Failure},
    foreground::{Foreground, wait},
    project::Project,
    render,
    runs::{find_run, is_unfinished, meant, never_run, refuse_driven, replay, worked_ms},
    task::TaskFile,
};
use trueup_core::{id::RunId, run::Run, task::Task};
use trueup_engine::{
    driver::{Decision, FarMoment, Rested, Resume},
    durable::{Desk, Filter, Query},
};

/// Goes on with a run, from exactly where its journal stands.
pub(crate) fn resume(project: &Project, arguments: &ResumeArguments, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let foreground = Foreground::begin()?;
    let run = match &arguments.task {
        Some(task) => {
            let name = meant(project, Some(task))?;
            find_run(project, &name)?.ok_or_else(|| never_run(project, &name))?
        }
        None => last_unfinished(project)?
            .ok_or_else(|| Failure::new(Exit::NothingToDo, "no run is unfinished").next("trueup status"))?,
    };
    let decision = match arguments.now {
        true => Decision::Now,
        false => Decision::Continue,
    };
    let far = match arguments.leave_moments {
        true => FarMoment::LeftToOthers,
        false => FarMoment::WaitedFor,
    };
    let how = GoOn {
        decision,
        agent: arguments.agent.clone(),
        far,
    };
    carry_on(project, &foreground, &run, &how, global)
}

/// How a run goes on.
#[derive(Default)]
pub(super) struct GoOn {
    /// What a person decided.
    decision: Decision,
    /// The agent that works from now on, if another one shall.
    agent: Option<String>,
    /// What becomes of it where it waits for a moment.
    far: FarMoment,
}

/// Carries a run on from where its journal stands, and says where it came to rest.
pub(super) fn carry_on(
    project: &Project,
    foreground: &Foreground,
    run: &RunId,
    how: &GoOn,
    global: &Global,
) -> Result<Exit, Failure> {
    let state = replay(project, run)?;
    let rested = if is_unfinished(state.position()) {
        refuse_driven(project, &state.opening().task.id, Some(run))?;
        let task = task_now(project, &state)?;
        let resume = Resume {
            decision: how.decision.clone(),
            task,
            agent: how.agent.clone(),
            far: how.far,
        };
        foreground.drive(project, run, &resume, global)?
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
    let worked_ms = worked_ms(project, &rested.run.opening().run)?;
    render::rest(rested, &file, worked_ms, global)?;
    Ok(Exit::of_rest(rested))
}

/// The task as its file tells it now. One that is gone says nothing, and the
/// run has all it needs; one that cannot be read says something else than before.
pub(super) fn task_now(project: &Project, run: &Run) -> Result<Option<Box<Task>>, Failure> {
    let task = &run.opening().task.id;
    let Ok(file) = TaskFile::find(project, task.as_str()) else {
        let what = format!("{task} has no task file any more; the run goes on with what it was opened with");
        render::note(&what);
        return Ok(None);
    };
    match file.read(project)? {
        Ok(read) => Ok(Some(Box::new(read))),
        Err(unreadable) => Err(unreadable.failure().next(format!("trueup check {task}"))),
    }
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
