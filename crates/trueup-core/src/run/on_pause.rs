//! Facts that make a run wait, and the one that ends the waiting.

use super::{Outcome, Position, Reason, Run, Work};
use crate::event::{Interrupted, Resumed, SpaceFreed, Troubled};

impl Run {
    pub(super) fn on_interrupted(&mut self, event: &Interrupted) -> Option<()> {
        let work = self.working()?;
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
        let work = self.working()?;
        let reason = match event.shortage {
            Some(shortage) => Reason::NoSpace(shortage),
            None => Reason::Trouble(event.what.clone()),
        };
        self.position = Position::Paused(work, reason);
        Some(())
    }

    /// Nobody has to say a word where only space was missing.
    pub(super) fn on_space_freed(&mut self, _event: &SpaceFreed) -> Option<()> {
        match self.position {
            Position::Paused(work, Reason::NoSpace(_)) => {
                self.position = Position::Working(work);
                self.again += 1;
                Some(())
            }
            Position::Paused(..) | Position::Working(_) | Position::Done(_) => None,
        }
    }

    /// The work that was broken off is wanted again, under a new id: what the
    /// old id stands for was kept as broken off.
    pub(super) fn on_resumed(&mut self, _event: &Resumed) -> Option<()> {
        match self.position {
            // A person's word makes no space on a disk.
            Position::Paused(_, Reason::NoSpace(_)) => None,
            Position::Paused(work, _) => {
                self.position = match self.limit() {
                    // The try that was broken off may have used up the time.
                    Some(limit) if work == Work::Turn => Position::Done(Outcome::BudgetSpent(limit)),
                    Some(_) | None => Position::Working(work),
                };
                self.again += 1;
                Some(())
            }
            Position::Working(_) | Position::Done(_) => None,
        }
    }

    const fn working(&self) -> Option<Work> {
        match self.position {
            Position::Working(work) => Some(work),
            Position::Paused(..) | Position::Done(_) => None,
        }
    }
}
