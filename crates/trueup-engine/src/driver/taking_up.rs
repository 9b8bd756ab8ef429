//! What whoever takes a run up keeps before it goes on: what an older opening
//! lacks, a turn that ended and was not kept, and what a person changed in the
//! task file or in the agent's configuration.

use super::{DriveError, Resume, Watcher, waiting::Waiting};
use crate::{
    durable::Durable,
    machine::{Machine, MachineError},
    travel::Ports,
    turn,
};
use trueup_core::{
    agent_change::{self, AgentChoice, AgentState},
    difference::Difference,
    event::{Event, OpeningCompleted},
    id::EffectId,
    run::{Position, Run, Step},
    task::Task,
    task_change::{TaskFileState, compare},
};

/// The name under which an older opening is completed; once for every run.
const COMPLETED: &str = "opening-completed";

/// A run that is being taken up, and who watches.
pub(super) struct TakenUp<'a, J> {
    pub(super) run: &'a mut Run,
    pub(super) journal: &'a mut J,
    pub(super) machine: &'a Machine,
    pub(super) waiting: &'a mut Waiting,
    pub(super) watcher: &'a dyn Watcher,
    /// Every event so far; what is kept here is added.
    pub(super) events: &'a mut Vec<Event>,
}

impl<J: Durable> TakenUp<'_, J> {
    /// Everything, in this order: an agent that a person names comes before the
    /// task file, because a new budget is for the new agent.
    pub(super) async fn take_in_all(&mut self, resume: &Resume) -> Result<(), DriveError> {
        self.complete().await?;
        self.keep_spooled().await?;
        let named = resume.agent.as_deref();
        if named.is_some() {
            self.take_in_agent(named).await?;
        }
        if let Some(task) = &resume.task {
            self.take_in(task).await?;
        }
        if named.is_none() {
            self.take_in_agent(named).await?;
        }
        Ok(())
    }

    /// What an older opening lacks is resolved from the configuration in force
    /// now, and holds from then on.
    async fn complete(&mut self) -> Result<(), DriveError> {
        if self.run.opening().settings.is_some() || matches!(self.run.position(), Position::Done(_)) {
            return Ok(());
        }
        let opening = self.run.opening();
        let settings = self.machine.settings(&opening.agent.name, &opening.task)?;
        let at = self.machine.clock.now();
        let event = Event::OpeningCompleted(Box::new(OpeningCompleted { settings, at }));
        self.keep(&EffectId::new(COMPLETED), &event).await
    }

    /// A turn that ended under the agent and the budget it was wished with is
    /// kept before either is changed.
    async fn keep_spooled(&mut self) -> Result<(), DriveError> {
        let Step::Do(effect) = self.run.next() else {
            return Ok(());
        };
        let opening = self.run.opening();
        let spool = Ports::in_folders(&self.machine.state, &opening.run)
            .map_err(MachineError::from)?
            .spool;
        let at = self.machine.clock.now();
        let Some(event) = turn::spooled(&*spool, &effect, at).map_err(MachineError::from)? else {
            return Ok(());
        };
        let (opened, _) = self.machine.as_opened(opening)?;
        let event = opened.wall.secrets.redact_event(event);
        self.keep(&effect.id, &event).await
    }

    /// What the task file says now is taken in, or the run does not go on.
    async fn take_in(&mut self, task: &Task) -> Result<(), DriveError> {
        if matches!(self.run.position(), Position::Done(_)) {
            return Ok(());
        }
        match compare(self.run, task, self.machine.clock.now()) {
            TaskFileState::Same => Ok(()),
            TaskFileState::Changed { differences, event } => {
                self.watcher.task_changed(&differences);
                let name = format!("task-changed-{}", self.run.task_changes() + 1);
                self.keep(&EffectId::new(name), &Event::TaskChanged(event)).await
            }
            TaskFileState::Refused(differences) => Err(DriveError::TaskChanged(differences)),
            TaskFileState::Unkept(refusal) => Err(DriveError::Unkept(refusal)),
        }
    }

    /// The agent as it is configured now is taken in where a person named it,
    /// or the one the run has cannot be started.
    async fn take_in_agent(&mut self, named: Option<&str>) -> Result<(), DriveError> {
        if matches!(self.run.position(), Position::Done(_)) {
            return Ok(());
        }
        let has = &self.run.opening().agent.name;
        let choice = match named {
            Some(_) => AgentChoice::ByName,
            None => AgentChoice::NotAsked,
        };
        let configured = match (self.machine.agent_now(named.unwrap_or(has)), choice) {
            (Ok(configured), _) => configured,
            (Err(error), AgentChoice::ByName) => return Err(error.into()),
            (Err(_), AgentChoice::NotAsked) => return Ok(()),
        };
        match agent_change::compare(self.run, configured, choice, self.machine.clock.now()) {
            AgentState::Same => Ok(()),
            AgentState::Left(differences) => {
                self.watcher.agent_left(self.run, &self.without_secrets(differences));
                Ok(())
            }
            AgentState::Changed { differences, event } => {
                self.watcher.agent_changed(&self.without_secrets(differences));
                // A run of another length is another moment, and may take in another change.
                let name = format!("agent-changed-at-{}", self.run.length());
                self.keep(&EffectId::new(name), &Event::AgentChanged(event)).await
            }
            AgentState::Unkept(refusal) => Err(DriveError::Unkept(refusal)),
        }
    }

    /// What a person is shown of a configuration: they may have written a secret
    /// into a command.
    fn without_secrets(&self, differences: Vec<Difference>) -> Vec<Difference> {
        let secrets = &self.machine.wall.secrets;
        let clear = differences.into_iter().map(|one| Difference {
            field: one.field,
            was: secrets.redact_text(&one.was),
            now: secrets.redact_text(&one.now),
        });
        clear.collect()
    }

    async fn keep(&mut self, id: &EffectId, event: &Event) -> Result<(), DriveError> {
        let kept = loop {
            match self.journal.keep(id, event).await {
                Ok(kept) => break kept,
                Err(lost) => self.waiting.out_loss(lost, self.watcher).await?,
            }
        };
        self.run.apply(&kept)?;
        self.watcher.event(self.run, &kept);
        self.events.push(kept);
        Ok(())
    }
}
