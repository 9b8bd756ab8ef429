//! Facts about trees: what checks saw.

use super::{Outcome, Position, Reason, Run, Work};
use crate::{
    budget::Limit,
    event::Checked,
    gate::{self, Baseline, Standing},
    ground::Warmth,
    memory::Says,
};

impl Run {
    pub(super) fn on_checked(&mut self, event: &Checked) -> Option<()> {
        match self.position {
            Position::Working(Work::Baseline) if event.tree == self.opening.base.tree => {
                self.base.clone_from(&event.evidence);
                self.after_baseline();
                Some(())
            }
            Position::Working(Work::Verify) if event.tree == self.tree => {
                self.checked = Some((event.tree.clone(), event.evidence.clone()));
                self.proved_at = event.at;
                self.after_verdict();
                Some(())
            }
            Position::Working(Work::Confirm) if event.tree == self.tree => {
                self.checked = Some((event.tree.clone(), event.evidence.clone()));
                self.proved_at = event.at;
                self.after_confirmation();
                Some(())
            }
            Position::Working(_) | Position::Paused(..) | Position::Done(_) => None,
        }
    }

    fn after_baseline(&mut self) {
        match gate::baseline(&self.opening.task, &self.opening.base.tree, &self.base) {
            Baseline::Ready => self.another_turn(),
            Baseline::NothingToDo => self.move_to(Position::Done(Outcome::NothingToDo)),
            Baseline::Refused(refusals) => self.move_to(Position::Done(Outcome::Refused(refusals))),
        }
    }

    /// The one place where a run turns towards its end: every criterion met,
    /// on a tree that differs from the base. What was seen with the help of a
    /// cache is seen once more without, unless the person said otherwise.
    fn after_verdict(&mut self) {
        self.note_unmet();
        if !self.is_proved() {
            self.after_failure();
        } else if self.seen_warm() && self.opening.task.ground.last == Warmth::Cold {
            self.move_to(Position::Working(Work::Confirm));
        } else {
            self.move_to(Position::Working(Work::Commit));
        }
    }

    fn after_confirmation(&mut self) {
        if self.is_proved() && !self.seen_warm() {
            self.move_to(Position::Working(Work::Commit));
        } else {
            self.note_unmet();
            self.after_failure();
        }
    }

    /// An agent that says it cannot go on, and did not get there, is believed
    /// so far that a person is asked.
    pub(super) fn after_failure(&mut self) {
        let last = self.past.last().map(|past| &past.claim.says);
        match last {
            Some(Says::Blocked(why)) => {
                let reason = Reason::Blocked(why.clone());
                self.move_to(Position::Paused(Work::Turn, reason));
            }
            Some(Says::Nothing | Says::Complete) | None => self.another_turn(),
        }
    }

    /// Writes down which criteria the last turn's tree does not meet.
    fn note_unmet(&mut self) {
        let unmet = self.verdict().map(|verdict| {
            let open = verdict.criteria.into_iter();
            open.filter(|(_, standing)| *standing != Standing::Met)
                .map(|(id, _)| id)
                .collect()
        });
        if let (Some(past), Some(unmet)) = (self.past.last_mut(), unmet) {
            past.unmet = unmet;
        }
    }

    fn is_proved(&self) -> bool {
        let holds = self.verdict().is_some_and(|verdict| verdict.holds());
        holds && self.tree != self.opening.base.tree
    }

    fn seen_warm(&self) -> bool {
        let mut seen = self.checked().into_iter().flat_map(|(_, evidence)| evidence);
        seen.any(|evidence| evidence.conditions.warmth == Warmth::Warm)
    }

    /// The limit that leaves no room for another turn, if one does.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.budget().reached(self.turn_limit(), &self.spend)
    }

    /// Another turn, if a limit leaves room for one.
    pub(super) fn another_turn(&mut self) {
        self.move_to(match self.limit() {
            Some(limit) => Position::Paused(Work::Turn, Reason::BudgetSpent(limit)),
            None => Position::Working(Work::Turn),
        });
    }
}
