//! Facts of whoever drives: what an older opening lacked, and what a person
//! changed in the task file or in the agent's configuration.

use super::{Position, Reason, Run, Work, parts::ExternalFailures};
use crate::event::{AgentChanged, BudgetFrom, OpeningCompleted, TaskChanged};
use alloc::boxed::Box;

impl Run {
    /// What is resolved once holds from then on, as if the run were opened with it.
    pub(super) fn on_opening_completed(&mut self, event: &OpeningCompleted) -> Option<()> {
        if self.is_over() || self.opening.settings.is_some() {
            return None;
        }
        self.opening.settings = Some(Box::new(event.settings.clone()));
        Some(())
    }

    /// The digest of the file stays that of the opening: evidence is bound to
    /// it, and criteria and checks are what they were.
    pub(super) fn on_task_changed(&mut self, event: &TaskChanged) -> Option<()> {
        if self.is_over() {
            return None;
        }
        let task = &mut self.opening.task;
        task.title.clone_from(&event.title);
        task.text.clone_from(&event.text);
        task.priority = event.priority;
        task.needs.clone_from(&event.needs);
        let is_allowed_more = task.allow != event.allow;
        task.allow = event.allow.clone();
        self.task_changes += 1;
        if let (Position::Paused(Work::Verify, Reason::Asks(_)), true) = (&self.position, is_allowed_more) {
            self.take_up_again(Work::Verify);
        }
        if event.budget != *self.budget() {
            self.budget_set = Some(event.budget);
            match (&self.position, self.limit()) {
                (Position::Paused(work, Reason::BudgetSpent(_)), _) => self.take_up_again(work.clone()),
                // The work is the same, so what its next try is called goes on counting.
                (Position::Working(Work::Turn), Some(limit)) if event.budget_from == BudgetFrom::Now => {
                    self.position = Position::Paused(Work::Turn, Reason::BudgetSpent(limit));
                }
                (Position::Working(_) | Position::Paused(..) | Position::Done(_), _) => {}
            }
        }
        Some(())
    }

    /// A pause that was the old agent's is over. Another agent knows nothing of
    /// what was said, and is told what was done.
    pub(super) fn on_agent_changed(&mut self, event: &AgentChanged) -> Option<()> {
        if self.is_over() || event.agent.unkept(self.budget()).is_some() {
            return None;
        }
        let settings = self.opening.settings.as_deref_mut()?;
        let is_other = event.agent.name != self.opening.agent.name || event.settings.kind != settings.agent.kind;
        settings.agent = event.settings.clone();
        self.opening.agent = event.agent.clone();
        if is_other && (!self.turns.is_empty() || self.conversation.session.is_some()) {
            self.conversation.hand_over();
        }
        self.failures = ExternalFailures::default();
        if let Position::Paused(work, Reason::AgentUnusable(_) | Reason::NotSignedIn(_) | Reason::External { .. }) =
            &self.position
        {
            self.take_up_again(work.clone());
        }
        Some(())
    }

    const fn is_over(&self) -> bool {
        matches!(self.position, Position::Done(_))
    }
}
