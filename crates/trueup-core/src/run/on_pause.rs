//! Facts that make a run wait, and the one that ends the waiting.

use super::{Position, Reason, Run, Work};
use crate::event::{BudgetSet, Due, Interrupted, Resumed, SpaceFreed, Troubled};

impl Run {
    pub(super) fn on_interrupted(&mut self, event: &Interrupted) -> Option<()> {
        let work = self.working()?.clone();
        // A try that was broken off before it left anything does not make the
        // files of an earlier try disappear.
        if work == Work::Turn && event.rescue.is_some() {
            self.rescue.clone_from(&event.rescue);
        }
        self.spend.time_ms = self.spend.time_ms.saturating_add(event.took_ms);
        self.position = Position::Paused(work, Reason::Stopped(event.by));
        Some(())
    }

    pub(super) fn on_troubled(&mut self, event: &Troubled) -> Option<()> {
        let work = self.working()?.clone();
        let reason = match event.shortage {
            Some(shortage) => Reason::NoSpace(shortage),
            None => Reason::Trouble(event.what.clone()),
        };
        self.position = Position::Paused(work, reason);
        Some(())
    }

    /// Nobody has to say a word where only space was missing.
    pub(super) fn on_space_freed(&mut self, _event: &SpaceFreed) -> Option<()> {
        match &self.position {
            Position::Paused(work, Reason::NoSpace(_)) => {
                self.position = Position::Working(work.clone());
                self.again += 1;
                Some(())
            }
            Position::Paused(..) | Position::Working(_) | Position::Done(_) => None,
        }
    }

    /// The work that was broken off is wanted again, under a new id: what the
    /// old id stands for was kept as broken off.
    pub(super) fn on_resumed(&mut self, _event: &Resumed) -> Option<()> {
        match &self.position {
            // A person's word makes no space on a disk, no money, and no answer.
            Position::Paused(_, Reason::NoSpace(_) | Reason::BudgetSpent(_) | Reason::Asks(_)) => None,
            Position::Paused(work, reason) => {
                let work = work.clone();
                // Whoever was only stopped stays on the rung where they were.
                match matches!(reason, Reason::Blocked(_) | Reason::Stuck(_)) {
                    true => self.begin_anew(),
                    false => self.progress.begin_anew(),
                }
                self.take_up_again(work);
                Some(())
            }
            Position::Working(_) | Position::Done(_) => None,
        }
    }

    /// The moment came for which the run waited.
    pub(super) fn on_due(&mut self, event: &Due) -> Option<()> {
        match &self.position {
            Position::Paused(work, Reason::External { until, .. }) if event.at >= *until => {
                self.take_up_again(work.clone());
                Some(())
            }
            Position::Paused(..) | Position::Working(_) | Position::Done(_) => None,
        }
    }

    /// What a run may cost can be changed while it waits because of that.
    pub(super) fn on_budget_set(&mut self, event: &BudgetSet) -> Option<()> {
        match &self.position {
            Position::Paused(work, Reason::BudgetSpent(_)) => {
                self.budget_set = Some(event.budget);
                self.take_up_again(work.clone());
                Some(())
            }
            Position::Paused(..) | Position::Working(_) | Position::Done(_) => None,
        }
    }

    /// The same work under a new id, if there is anything left to pay for it:
    /// the try that was broken off may have used it up.
    pub(super) fn take_up_again(&mut self, work: Work) {
        self.position = match self.limit() {
            Some(limit) if work == Work::Turn => Position::Paused(Work::Turn, Reason::BudgetSpent(limit)),
            Some(_) | None => Position::Working(work),
        };
        self.again += 1;
        if matches!(
            self.position,
            Position::Working(Work::Turn) | Position::Paused(Work::Turn, _)
        ) {
            self.retaken = self.again;
        }
    }

    const fn working(&self) -> Option<&Work> {
        match &self.position {
            Position::Working(work) => Some(work),
            Position::Paused(..) | Position::Done(_) => None,
        }
    }
}
