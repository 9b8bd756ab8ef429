//! This machine, as runs of one repository need it: what is constructed once
//! by whoever drives, and made into a world for each run.

use crate::{
    agent::{
        Agent,
        claude_code::ClaudeCode,
        codex::Codex,
        command,
        interactive::{InteractiveAgent, Language, Person},
        model_network::ModelNetwork,
        prompt::{Flaw, Prompts},
        spec::{AgentKind, AgentSpec, find_program},
    },
    check::Checks,
    clock::Clock,
    deep,
    layer::{BaseContents, Layers},
    local::{LiveUpdate, Local},
    sandbox::{self, Sandbox, Setup},
    space::Space,
    state::StateRoot,
    stop::StopToken,
    transcript::Transcripts,
    travel::{Blobs, FolderBlobs, Ports},
    turn::Unspooled,
    workspace::{self, Workspaces},
};
use std::{collections::BTreeMap, io, path::PathBuf, sync::Arc};
use trueup_core::{
    event::Opening,
    id::RunId,
    rule::Levels,
    run::{Outcome, Position, Run},
};
use trueup_inspect::rules::Catalogue;

/// What this machine offers the runs of one repository.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Where everything lies.
    pub state: StateRoot,
    /// Git.
    pub workspaces: Workspaces,
    /// What sandboxes are built from.
    pub wall: Setup,
    /// How many bytes the state root may hold.
    pub quota: Option<u64>,
    /// The time.
    pub clock: Clock,
    /// Agents by name.
    pub agents: BTreeMap<String, AgentSpec>,
    /// What preparations are given that nobody may keep, by their names.
    pub preparation_secrets: BTreeMap<String, BTreeMap<String, String>>,
    /// The folder with templates of the person's own.
    pub prompts: Option<PathBuf>,
    /// The folder of tasks, which nobody who carries one out may change.
    pub tasks: String,
    /// How much the person wants to be asked.
    pub levels: Arc<Levels>,
    /// The rules by which changes are looked at.
    pub rules: Arc<Catalogue>,
}

/// Why this machine cannot drive a run.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// Git could not do what was asked of it.
    #[error(transparent)]
    Workspace(#[from] workspace::Error),
    /// No wall can stand here.
    #[error(transparent)]
    NoWall(#[from] sandbox::Error),
    /// There is no such agent.
    #[error("there is no agent `{0}` in the configuration; add an [agent.{0}] table to trueup.toml")]
    NoAgent(String),
    /// A template has a fault.
    #[error(transparent)]
    Prompts(#[from] Flaw),
    /// A branch has the name of the folder in which branches are delivered.
    #[error("a branch named `trueup` is in the way of `{0}`, which would be delivered")]
    BranchInTheWay(String),
    /// Its opening lacks the configuration it was made under.
    #[error("the run was opened by an older trueup, and what its opening lacks was not completed")]
    Incomplete,
    /// This build reads other rules out of its task than the one that opened it.
    #[error("this trueup reads other rules out of the run's task than the one that opened it; finish it with that one")]
    OtherRules,
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
}

impl Machine {
    /// A machine of which nothing is configured: no agents, no templates of its
    /// own, no limit to its space.
    pub fn new(state: StateRoot, workspaces: Workspaces, wall: Setup) -> Self {
        Self {
            state,
            workspaces,
            wall,
            quota: None,
            clock: Clock::System,
            agents: BTreeMap::new(),
            preparation_secrets: BTreeMap::new(),
            prompts: None,
            tasks: "tasks".to_owned(),
            levels: Arc::default(),
            rules: Arc::default(),
        }
    }

    /// Bodies.
    pub fn blobs(&self) -> Arc<dyn Blobs> {
        Arc::new(FolderBlobs::at(self.state.blobs()))
    }

    /// Space for files.
    pub fn space(&self) -> Space {
        Space::of(self.state.path(), self.quota)
    }

    /// What is held back is given up where nothing could be begun without it,
    /// and held back where there is plenty.
    pub(crate) fn make_space_to_begin(&self) {
        let space = self.space();
        if space.at_work().is_some() {
            space.give_up_reserve();
        } else {
            // Without a reserve a full disk is only told later.
            drop(space.hold_back());
        }
    }

    /// What performs the effects of one run. It tells `live` what happens.
    pub async fn world(
        &self,
        opening: Opening,
        stop: StopToken,
        live: impl Fn(LiveUpdate<'_>) + Send + Sync + 'static,
    ) -> Result<Local, MachineError> {
        let (opened, prompts) = self.as_opened(&opening)?;
        let agent = opened.agent(&opening.agent.name)?;
        let checks = opened.checks(&opening.run, stop.clone()).await?;
        Ok(Local {
            state: self.state.clone(),
            ports: Ports::in_folders(&self.state, &opening.run)?,
            workspaces: self.workspaces.clone(),
            checks,
            agent,
            prompts,
            opening,
            clock: self.clock,
            stop,
            live: Arc::new(live),
            unspooled: Unspooled::default(),
        })
    }

    /// What agents are told, in the person's own words where there are some; a
    /// fault in those is told with its place.
    pub fn prompts(&self) -> Result<Prompts, Flaw> {
        match &self.prompts {
            Some(folder) => Prompts::with_overrides(folder),
            None => Ok(Prompts::embedded()),
        }
    }

    /// The room of checks of one run, behind a wall that was just seen to work.
    pub async fn checks(&self, run: &RunId, stop: StopToken) -> Result<Checks, MachineError> {
        let sandbox = Sandbox::new(self.wall.clone())?;
        sandbox.probe().await?;
        let ports = Ports::in_folders(&self.state, run)?;
        let alive = self.state.run(run).join("alive");
        let layers = Layers {
            state: self.state.clone(),
            workspaces: self.workspaces.clone(),
            sandbox: sandbox.clone(),
            environment: self.wall.environment.clone(),
            secrets: self.preparation_secrets.clone(),
            run: run.clone(),
            alive: alive.clone(),
            stop: stop.clone(),
            bases: BaseContents::beside(&self.tasks),
        };
        Ok(Checks {
            run: run.clone(),
            workspaces: self.workspaces.clone(),
            sandbox,
            layers,
            blobs: ports.blobs,
            spool: ports.spool,
            memo: ports.memo,
            alive,
            stop,
            space: self.space(),
            tasks: self.tasks.clone(),
            levels: self.levels.clone(),
            rules: Arc::clone(&self.rules),
        })
    }

    /// What writes the pages of a run's turns.
    pub(crate) fn transcripts(&self, world: &Local) -> Transcripts {
        Transcripts {
            state: self.state.clone(),
            blobs: self.blobs(),
            workspaces: self.workspaces.clone(),
            secrets: world.checks.sandbox.secrets().clone(),
        }
    }

    /// The agent of this name, ready to be called.
    pub fn agent(&self, name: &str) -> Result<Agent, MachineError> {
        let spec = self.agents.get(name);
        let spec = spec.ok_or_else(|| MachineError::NoAgent(name.to_owned()))?;
        let mut words = spec.command.iter();
        let program = words
            .next()
            .map(|word| find_program(&self.wall, word))
            .unwrap_or_default();
        let arguments = words.cloned().collect();
        let mut variables = spec.variables(&self.wall.environment);
        let network = ModelNetwork::of(spec, &mut variables, &self.wall.environment)?;
        let (read, write) = (spec.read.clone(), spec.write.clone());
        let model = spec.model.clone();
        let language = match spec.kind {
            AgentKind::Command => {
                return Ok(Agent::Command(command::Command {
                    program,
                    arguments,
                    variables,
                    read,
                    write,
                    network,
                }));
            }
            AgentKind::ClaudeCode => Language::ClaudeCode(ClaudeCode {
                program,
                model,
                arguments,
                variables,
            }),
            AgentKind::Codex => Language::Codex(Codex {
                program,
                model,
                arguments,
                variables,
            }),
        };
        Ok(Agent::Interactive(InteractiveAgent {
            language,
            read,
            write,
            person: Person {
                home: self.wall.home.clone(),
                environment: self.wall.environment.clone(),
            },
            network,
        }))
    }

    /// The clone of a run that is over is of no more use; every other one is
    /// kept for a person to look at. Whoever comes back to a run that was
    /// killed in between calls this again.
    pub fn tidy_up(&self, run: &Run) {
        if let Position::Done(
            Outcome::Verified { .. } | Outcome::Waived { .. } | Outcome::NothingToDo | Outcome::Refused(_),
        ) = run.position()
        {
            // What cannot be removed now costs disk space, not correctness.
            drop(self.workspaces.remove_workspace(&run.opening().run));
            drop(deep::remove(&self.state.rooms(&run.opening().run)));
        }
    }
}
