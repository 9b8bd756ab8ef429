//! Driving one run from this process: the world round it, and the progress
//! that shows it.

use crate::{
    args::Global,
    config::{AgentConfig, Kind},
    exit::{Exit, Failure},
    project::Project,
    render::{self, progress::Progress},
    stopping::Stopping,
    task::TaskFile,
    waiting::{Waited, Waiting},
};
use std::{path::PathBuf, sync::Arc};
use trueup_core::{
    event::{Answered, BudgetSet, Event, Opening, PersonAnswer, Resumed, Signal, Stop},
    id::RunId,
    run::{Outcome, Position, Reason, Run, Step},
};
use trueup_engine::{
    agent::{
        Agent,
        claude_code::ClaudeCode,
        codex::Codex,
        command,
        prompt::Prompts,
        spoken::{Language, Person, Spoken},
    },
    check::Checks,
    drive::{Stranded, drive},
    durable::{
        Desk, DeskError, Lost,
        sqlite::{Patience, Sqlite},
    },
    layer::Layers,
    space::Space,
    spool::Spool,
    stop::StopToken,
    transcript::{Notebook, Transcripts},
    workspace::Workspaces,
    world::{Held, Local},
};

/// Where a run came to rest in this process.
pub(crate) struct Rested {
    /// The run.
    pub(crate) run: Run,
    /// Who asked it to stop while it waited for space, if somebody did.
    pub(crate) stopped: Option<Stop>,
}

/// How a person has a run go on.
#[derive(Clone)]
pub(crate) struct Going<'a> {
    /// What applies to every command.
    pub(crate) global: &'a Global,
    /// Who may ask it to stop.
    pub(crate) stopping: &'a Stopping,
    /// Whether what it waits for is waited for.
    pub(crate) word: Word,
}

/// What a person says by going on with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// That it goes on; it may wait for its moment.
    GoOn,
    /// That it asks its model now.
    Now,
    /// That what it asks about may stay.
    Approve,
    /// That it may not, and why.
    Reject(String),
}

/// Drives a run from where its journal stands until it rests. One that was
/// paused goes on: only its one driver may say so, else a second `resume` that
/// came too late would leave word that wakes the run at its next pause.
pub(crate) fn drive_run(project: &Project, desk: &Sqlite, run: &RunId, going: Going<'_>) -> Result<Rested, Failure> {
    let Going { global, stopping, word } = going;
    stopping.runtime().block_on(async {
        let mut waiting = Waiting::of(project, stopping);
        let (mut journal, events) = waiting.keep(|| desk.claim(run)).await?;
        let mut state = Run::replay(&events).map_err(Failure::unexpected)?;
        if let Some(word) = word_of_the_person(project, &state, &word) {
            waiting.keep(|| desk.post(run, &word)).await?;
        }
        stopping.watch(journal.stop_watch());
        let space = make_space_to_begin(project);
        let progress = Arc::new(Progress::new(global, &state, events.len()));
        let world = world(project, state.opening().clone(), stopping.token(), &progress).await?;
        journal.wait_for_space(Patience {
            space,
            stop: stopping.token(),
            told: |shortage| render::waits_for_space(&shortage),
        });
        let pages = Notebook::open(transcripts(project, &world), run, &events);
        let stopped = loop {
            let shown = Arc::clone(&progress);
            let before = state.clone();
            let show = |run: &Run, event: &Event| {
                shown.event(run, event);
                pages.event(event);
            };
            let rest = drive(&mut state, &world, &mut journal, show).await;
            rest.map_err(stranded)?;
            if before.spend() != state.spend() {
                waiting.begin_anew();
            }
            let came = match waiting.out(state.position()).await {
                Waited::Came(event) => event,
                Waited::Stopped(by) => break Some(by),
                Waited::ForAPerson => break None,
            };
            waiting.keep(|| desk.post(run, &came)).await?;
        };
        progress.finish();
        pages.close();
        tidy_up(project, &world.workspaces, &state);
        Ok(Rested { run: state, stopped })
    })
}

/// What the person who goes on with a run says by that: go on, or what it may
/// cost now, where the task file says something else than before.
fn word_of_the_person(project: &Project, state: &Run, word: &Word) -> Option<Event> {
    let at = project.clock.now();
    match state.next() {
        Step::Await(Signal::Resume) => Some(Event::Resumed(Resumed { at })),
        Step::Await(Signal::Budget) => {
            let file = TaskFile::find(project, state.opening().task.id.as_str()).ok()?;
            let budget = file.read(project).ok()?.ok()?.budget;
            (budget != *state.budget()).then_some(Event::BudgetSet(BudgetSet { budget, at }))
        }
        Step::Await(Signal::Answer) => {
            let answer = answer(state, word)?;
            Some(Event::Answered(Answered { answer, at }))
        }
        Step::Await(Signal::Time(_)) if *word == Word::Now => Some(Event::Resumed(Resumed { at })),
        Step::Await(Signal::Space | Signal::Time(_)) | Step::Do(_) | Step::Done(_) => None,
    }
}

/// What a person's word answers to what they are asked; only an answer does.
fn answer(state: &Run, word: &Word) -> Option<PersonAnswer> {
    let Position::Paused(_, Reason::Asks(asked)) = state.position() else {
        return None;
    };
    match word {
        Word::Approve => {
            let names = asked.iter().map(|objection| objection.digest.clone());
            Some(PersonAnswer::Approved(names.collect()))
        }
        Word::Reject(why) => Some(PersonAnswer::Rejected(why.clone())),
        Word::GoOn | Word::Now => None,
    }
}

/// What is held back is given up where nothing could be begun without it, and
/// held back where there is plenty.
fn make_space_to_begin(project: &Project) -> Space {
    let space = project.space();
    if space.at_work().is_some() {
        space.give_up_reserve();
    } else {
        // Without a reserve a full disk is only told later.
        drop(space.hold_back());
    }
    space
}

/// A run that could not be driven further here.
fn stranded(stranded: Stranded) -> Failure {
    match stranded {
        Stranded::Lost(Lost::Full(why)) => DeskError::Full(why).into(),
        Stranded::Lost(Lost::Fenced | Lost::Journal(_)) | Stranded::Illegal(_) => Failure::unexpected(stranded),
    }
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
    progress: &Arc<Progress>,
) -> Result<Local, Failure> {
    let workspaces = project.workspaces()?;
    let agent = agent(project, &opening.agent.name)?;
    let checks = checks(project, &workspaces, &opening.run, stop.clone()).await?;
    let live = Arc::clone(progress);
    Ok(Local {
        state: project.state.clone(),
        blobs: project.blobs(),
        spool: checks.spool.clone(),
        workspaces,
        checks,
        agent,
        prompts: prompts(project)?,
        opening,
        clock: project.clock,
        stop,
        live: Box::new(move |happening| live.live(happening)),
        held: Held::default(),
    })
}

/// What agents are told, in the person's own words where there are some; a
/// fault in those is told with its place.
pub(crate) fn prompts(project: &Project) -> Result<Prompts, Failure> {
    let Some(folder) = &project.config.prompts else {
        return Ok(Prompts::embedded());
    };
    Prompts::with_overrides(folder).map_err(|mut flaw| {
        if let Ok(below) = flaw.file.strip_prefix(&project.checkout) {
            flaw.file = below.to_owned();
        }
        Failure::new(Exit::Usage, flaw.to_string())
    })
}

/// What writes the pages of its turns.
fn transcripts(project: &Project, world: &Local) -> Transcripts {
    Transcripts {
        state: project.state.clone(),
        blobs: project.blobs(),
        workspaces: world.workspaces.clone(),
        secrets: world.checks.sandbox.secrets().clone(),
    }
}

/// The room of checks of one run, behind a wall that was just seen to work.
pub(crate) async fn checks(
    project: &Project,
    workspaces: &Workspaces,
    run: &RunId,
    stop: StopToken,
) -> Result<Checks, Failure> {
    let sandbox = project.sandbox()?;
    let probed = sandbox.probe().await;
    probed.map_err(|error| project.no_wall(&error))?;
    let folder = project.state.run(run);
    let alive = folder.join("alive");
    let layers = Layers {
        state: project.state.clone(),
        workspaces: workspaces.clone(),
        sandbox: sandbox.clone(),
        environment: project.environment.clone(),
        run: run.clone(),
        alive: alive.clone(),
        stop: stop.clone(),
    };
    Ok(Checks {
        run: run.clone(),
        workspaces: workspaces.clone(),
        sandbox,
        layers,
        blobs: project.blobs(),
        spool: Spool::at(folder.join("spool"))?,
        alive,
        stop,
        space: project.space(),
        tasks: project.config.tasks.clone(),
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
    let arguments = words.cloned().collect();
    let variables = variables(project, config);
    let (read, write) = (config.read.clone(), config.write.clone());
    let model = config.model.clone();
    let language = match config.kind {
        Kind::Command => {
            return Ok(Agent::Command(command::Command {
                program,
                arguments,
                variables,
                read,
                write,
            }));
        }
        Kind::ClaudeCode => Language::ClaudeCode(ClaudeCode {
            program,
            model,
            arguments,
            variables,
        }),
        Kind::Codex => Language::Codex(Codex {
            program,
            model,
            arguments,
            variables,
        }),
    };
    Ok(Agent::Spoken(Spoken {
        language,
        read,
        write,
        person: Person {
            home: project.home()?,
            environment: project.environment.clone(),
        },
    }))
}

/// Where an agent's executable lies: a bare name on the PATH, anything else
/// relative to the checkout. `trueup` is this very binary, wherever it lies: the
/// agent that comes with it is then of the same version as the run it works for.
pub(crate) fn program(project: &Project, word: &str) -> PathBuf {
    if word == "trueup"
        && let Ok(ours) = std::env::current_exe()
    {
        return ours;
    }
    if word.contains('/') {
        return project.checkout.join(word);
    }
    let path = project.environment.get("PATH").map(String::as_str).unwrap_or_default();
    let mut folders = std::env::split_paths(path);
    folders
        .find_map(|folder| Some(folder.join(word)).filter(|path| path.is_file()))
        .unwrap_or_else(|| PathBuf::from(word))
}

/// The variables of the person's own that an agent is given.
pub(crate) fn variables(project: &Project, config: &AgentConfig) -> std::collections::BTreeMap<String, String> {
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

impl Rested {
    /// The exit code a resting run ends the command with.
    pub(crate) fn exit(&self) -> Exit {
        match self.stopped {
            Some(Stop::Keyboard) => Exit::Interrupted,
            Some(Stop::Request) => Exit::Terminated,
            None => exit_of(self.run.position()),
        }
    }
}

fn exit_of(position: &Position) -> Exit {
    match position {
        Position::Done(Outcome::Verified { .. }) => Exit::Verified,
        Position::Done(Outcome::Refused(_)) => Exit::NotVerified,
        Position::Done(Outcome::NothingToDo) => Exit::NothingToDo,
        Position::Paused(_, Reason::BudgetSpent(_)) => Exit::BudgetSpent,
        Position::Paused(_, Reason::Stopped(Stop::Keyboard)) => Exit::Interrupted,
        Position::Paused(_, Reason::Stopped(Stop::Request)) => Exit::Terminated,
        Position::Paused(_, Reason::AgentUnusable(_) | Reason::NotSignedIn(_) | Reason::External { .. }) => {
            Exit::AgentUnusable
        }
        Position::Paused(_, Reason::BranchConflict(_)) => Exit::Conflict,
        Position::Paused(
            _,
            Reason::Trouble(_) | Reason::NoSpace(_) | Reason::Blocked(_) | Reason::Asks(_) | Reason::Flaky(_),
        ) => Exit::Waiting,
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
