//! Carries out one task from a program of your own: `embed CHECKOUT TASK_FILE TRUEUP AGENT`.

use std::{env, error::Error, fs, io, io::Write, path::Path, sync::Arc};
use trueup_core::{event::Event, patience::Patience, run::Run, settings::AgentKind};
use trueup_engine::{
    agent::spec::AgentSpec,
    driver::{Driver, Resume, Stopping, Watcher, next_run},
    durable::local_desk,
    machine::Machine,
    opening::NewRun,
    sandbox::Setup,
    state::StateRoot,
    workspace::Workspaces,
};
use trueup_inspect::task_file::{Context, read};

/// Prints each fact as it is kept.
struct Facts;

impl Watcher for Facts {
    fn event(&self, run: &Run, event: &Event) {
        // Nobody has to listen.
        drop(writeln!(io::stdout(), "{}: {}", run.opening().run, event.kind()));
    }
}

/// Drives a new run of a task until it rests.
pub(crate) async fn embed([checkout, file, trueup, agent]: [String; 4]) -> Result<Run, Box<dyn Error>> {
    let read = read(&fs::read(file)?, &Context::bare(60_000));
    let task = read.map_err(|wrong| format!("{wrong:?}"))?.task;
    let state = StateRoot::open(&Path::new(&checkout).with_extension("trueup"))?;
    let workspaces = Workspaces::open(&state, Path::new(&checkout))?;
    let wall = Setup::new(trueup.into(), env::vars().collect(), checkout.into(), &state);
    let mut machine = Machine::new(state.clone(), workspaces, wall);
    let agent = AgentSpec::usual(AgentKind::Command, &agent);
    machine.agents.insert("mine".into(), agent);
    let (desk, watcher) = (local_desk(&state)?, Arc::new(Facts) as Arc<dyn Watcher>);
    let run = next_run(&desk, &task.id).await?;
    let opening = machine.opening(NewRun {
        run: run.clone(),
        base: machine.workspaces.base("HEAD")?,
        agent: machine.agent_now("mine")?.0,
        patience: Patience::default(),
        ladder: None,
        task,
    })?;
    let stopping = Stopping::default();
    let driver = Driver::new(&desk, &machine, &stopping);
    driver.open(&run, &Event::Opened(Box::new(opening)), &*watcher).await?;
    Ok(driver.carry(&run, &Resume::as_it_is(), &watcher).await?.run)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words = words.try_into().map_err(|_| "embed CHECKOUT TASK_FILE TRUEUP AGENT")?;
    let run = embed(words).await?;
    Ok(writeln!(io::stdout(), "{:?}", run.position())?)
}
