//! Driving one run from this process: the world round it, and the progress
//! that shows it.

use crate::{
    args::Global,
    config::AgentConfig,
    exit::{Exit, Failure},
    project::{Project, no_wall},
    render::progress::Progress,
    stopping::Stopping,
};
use std::{path::PathBuf, rc::Rc};
use trueup_core::{
    event::{Event, Opening, Resumed, Stop},
    id::RunId,
    run::{Outcome, Position, Reason, Run},
};
use trueup_engine::{
    agent::{Agent, command},
    check::Checks,
    drive::{Rest, drive},
    durable::{Desk, sqlite::Sqlite},
    spool::Spool,
    stop::StopToken,
    workspace::Workspaces,
    world::Local,
};

/// Drives a run from where its journal stands until it rests. One that was
/// paused goes on: only its one driver may say so, else a second `resume` that
/// came too late would leave word that wakes the run at its next pause.
pub(crate) fn drive_run(
    project: &Project,
    desk: &Sqlite,
    run: &RunId,
    global: &Global,
    stopping: &Stopping,
) -> Result<Run, Failure> {
    stopping.runtime().block_on(async {
        let (mut journal, events) = desk.claim(run)?;
        let mut state = Run::replay(&events).map_err(Failure::unexpected)?;
        if let Position::Paused(..) = state.position() {
            let at = project.clock.now();
            desk.post(run, &Event::Resumed(Resumed { at }))?;
        }
        stopping.watch(journal.stop_watch());
        let progress = Rc::new(Progress::new(global, &state, events.len()));
        let world = world(project, state.opening().clone(), stopping.token(), &progress).await?;
        let shown = Rc::clone(&progress);
        let rest = drive(&mut state, &world, &mut journal, |run, event| shown.event(run, event)).await;
        progress.finish();
        match rest.map_err(Failure::unexpected)? {
            Rest::Done(_) => tidy_up(project, &world.workspaces, &state),
            Rest::Parked => {}
        }
        Ok(state)
    })
}

/// A runtime whose workers hear signals while this thread is busy with git.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    Ok(builder.worker_threads(1).enable_all().build()?)
}

async fn world(
    project: &Project,
    opening: Opening,
    stop: StopToken,
    progress: &Rc<Progress>,
) -> Result<Local, Failure> {
    let workspaces = project.workspaces()?;
    let agent = agent(project, &opening.agent.name)?;
    let checks = checks(project, &workspaces, &opening.run, stop.clone()).await?;
    let live = Rc::clone(progress);
    Ok(Local {
        state: project.state.clone(),
        blobs: project.blobs(),
        spool: checks.spool.clone(),
        workspaces,
        checks,
        agent,
        opening,
        clock: project.clock,
        stop,
        live: Box::new(move |happening| live.live(happening)),
    })
}

/// The room of checks of one run, behind a wall that was just seen to work.
pub(crate) async fn checks(
    project: &Project,
    workspaces: &Workspaces,
    run: &RunId,
    stop: StopToken,
) -> Result<Checks, Failure> {
    let sandbox = project.sandbox()?;
    sandbox.probe().await.map_err(no_wall)?;
    let folder = project.state.run(run);
    Ok(Checks {
        run: run.clone(),
        workspaces: workspaces.clone(),
        sandbox,
        blobs: project.blobs(),
        spool: Spool::at(folder.join("spool"))?,
        alive: folder.join("alive"),
        stop,
    })
}

/// The agent of this name, ready to be called.
pub(crate) fn agent(project: &Project, name: &str) -> Result<Agent, Failure> {
    let config = project.config.agents.get(name).ok_or_else(|| {
        let what =
            format!("there is no agent `{name}` in the configuration; add an [agent.{name}] table to trueup.toml");
        Failure::new(Exit::AgentUnusable, what).next("trueup doctor")
    })?;
    let mut words = config.command.iter();
    let program = words.next().map(|word| program(project, word)).unwrap_or_default();
    Ok(Agent::Command(command::Command {
        program,
        arguments: words.cloned().collect(),
        variables: variables(project, config),
        read: config.read.clone(),
        write: config.write.clone(),
    }))
}

/// Where an agent's executable lies: a bare name on the PATH, anything else
/// relative to the checkout.
pub(crate) fn program(project: &Project, word: &str) -> PathBuf {
    if word.contains('/') {
        return project.checkout.join(word);
    }
    let path = project.environment.get("PATH").map(String::as_str).unwrap_or_default();
    let mut folders = std::env::split_paths(path);
    folders
        .find_map(|folder| Some(folder.join(word)).filter(|path| path.is_file()))
        .unwrap_or_else(|| PathBuf::from(word))
}

fn variables(project: &Project, config: &AgentConfig) -> std::collections::BTreeMap<String, String> {
    let passed = config.pass_env.iter().filter_map(|name| {
        let value = project.environment.get(name)?;
        Some((name.clone(), value.clone()))
    });
    passed.chain(config.env.clone()).collect()
}

/// A verified run's clone is of no more use; every other one is kept for a
/// person to look at. Whoever comes back to a run that was killed in between
/// calls this again.
pub(crate) fn tidy_up(project: &Project, workspaces: &Workspaces, run: &Run) {
    if matches!(
        run.position(),
        Position::Done(Outcome::Verified { .. } | Outcome::NothingToDo | Outcome::Refused(_))
    ) {
        // What cannot be removed now costs disk space, not correctness.
        drop(workspaces.remove_workspace(&run.opening().run));
        drop(std::fs::remove_dir_all(project.state.rooms(&run.opening().run)));
    }
}

/// The exit code a resting run ends the command with.
pub(crate) fn exit_of(position: &Position) -> Exit {
    match position {
        Position::Done(Outcome::Verified { .. }) => Exit::Verified,
        Position::Done(Outcome::Refused(_)) => Exit::NotVerified,
        Position::Done(Outcome::NothingToDo) => Exit::NothingToDo,
        Position::Done(Outcome::BudgetSpent(_)) => Exit::BudgetSpent,
        Position::Paused(_, Reason::Stopped(Stop::Keyboard)) => Exit::Interrupted,
        Position::Paused(_, Reason::Stopped(Stop::Request)) => Exit::Terminated,
        Position::Paused(_, Reason::AgentUnusable(_)) => Exit::AgentUnusable,
        Position::Paused(_, Reason::BranchConflict(_)) => Exit::Conflict,
        Position::Paused(_, Reason::Trouble(_)) => Exit::Waiting,
        Position::Working(_) => Exit::Unexpected,
    }
}

/// Whether a person could still go on with a run that stands here.
pub(crate) const fn is_unfinished(position: &Position) -> bool {
    !matches!(position, Position::Done(_))
}

/// The last run of a task, or the run itself if one was named.
pub(crate) fn find_run(desk: &Sqlite, name: &str) -> Result<Option<RunId>, Failure> {
    let runs = desk.runs()?;
    let found = runs
        .iter()
        .rev()
        .find(|entry| entry.run.as_str() == name || entry.task.as_str() == name);
    Ok(found.map(|entry| entry.run.clone()))
}

/// The events of the last run of a task, or of the run itself.
pub(crate) fn history(desk: &Sqlite, name: &str) -> Result<(RunId, Vec<Event>), Failure> {
    let run = find_run(desk, name)?.ok_or_else(|| {
        Failure::new(Exit::Usage, format!("`{name}` was never run")).next(format!("trueup run {name}"))
    })?;
    let events = desk.history(&run)?;
    Ok((run, events))
}
