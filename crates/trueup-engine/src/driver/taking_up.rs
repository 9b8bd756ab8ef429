//! What whoever takes a run up keeps before it goes on: what an older opening
//! lacks, and what a person changed in the task file or at the agent.

use super::{DriveError, Watcher, waiting::Waiting};
use crate::{durable::Durable, machine::Machine};
use trueup_core::{
    agent_change::{self, AgentChoice, AgentState},
    event::{Event, OpeningCompleted},
    id::EffectId,
    run::{Position, Run},
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
}

impl<J: Durable> TakenUp<'_, J> {
    /// What an older opening lacks is resolved from the configuration in force
    /// now, and holds from then on.
    pub(super) async fn complete(&mut self) -> Result<(), DriveError> {
        if self.run.opening().settings.is_some() || matches!(self.run.position(), Position::Done(_)) {
            return Ok(());
        }
        let opening = self.run.opening();
        let settings = self.machine.settings(&opening.agent.name, &opening.task)?;
        let at = self.machine.clock.now();
        let event = Event::OpeningCompleted(Box::new(OpeningCompleted { settings, at }));
        self.keep(&EffectId::new(COMPLETED), &event).await
    }

    /// What the task file says now is taken in, or the run does not go on.
    pub(super) async fn take_in(&mut self, task: &Task) -> Result<(), DriveError> {
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
    pub(super) async fn take_in_agent(&mut self, named: Option<&str>) -> Result<(), DriveError> {
        if matches!(self.run.position(), Position::Done(_)) {
            return Ok(());
        }
        let has = &self.run.opening().agent.name;
        let choice = match named {
            Some(_) => AgentChoice::ByName,
            None => AgentChoice::ByNobody,
        };
        let configured = match (self.machine.agent_now(named.unwrap_or(has)), choice) {
            (Ok(configured), _) => configured,
            (Err(error), AgentChoice::ByName) => return Err(error.into()),
            (Err(_), AgentChoice::ByNobody) => return Ok(()),
        };
        match agent_change::compare(self.run, configured, choice, self.machine.clock.now()) {
            AgentState::Same => Ok(()),
            AgentState::Left(differences) => {
                self.watcher.agent_left(self.run, &differences);
                Ok(())
            }
            AgentState::Changed { differences, event } => {
                self.watcher.agent_changed(&differences);
                // A run of another length is another moment, and may take in another change.
                let name = format!("agent-changed-at-{}", self.run.length());
                self.keep(&EffectId::new(name), &Event::AgentChanged(event)).await
            }
            AgentState::Unkept(refusal) => Err(DriveError::Unkept(refusal)),
        }
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
        Ok(())
    }
}
