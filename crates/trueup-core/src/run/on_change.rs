//! Facts of whoever drives: what an older opening lacked, and what a person
//! changed in the task file.

use super::{Position, Reason, Run};
use crate::event::{OpeningCompleted, TaskChanged};
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
        task.allow = event.allow.clone();
        self.task_changes += 1;
        if event.budget != *self.budget() {
            self.budget_set = Some(event.budget);
            if let Position::Paused(work, Reason::BudgetSpent(_)) = &self.position {
                self.take_up_again(work.clone());
            }
        }
        Some(())
    }

    const fn is_over(&self) -> bool {
        matches!(self.position, Position::Done(_))
    }
}
