//! Facts that make a run wait, and the one that ends the waiting.

use super::{Position, Reason, Run, Work};
use crate::event::{Interrupted, Resumed, Troubled};

impl Run {
    pub(super) fn on_interrupted(&mut self, event: &Interrupted) -> Option<()> {
        let work = self.working()?;
        if work == Work::Turn {
            self.rescue.clone_from(&event.rescue);
        }
        self.position = Position::Paused(work, Reason::Stopped(event.by));
        Some(())
    }

    pub(super) fn on_troubled(&mut self, event: &Troubled) -> Option<()> {
        let work = self.working()?;
        self.position = Position::Paused(work, Reason::Trouble(event.what.clone()));
        Some(())
    }

    /// The work that was broken off is wanted again, under a new id: what the
    /// old id stands for was kept as broken off.
    pub(super) fn on_resumed(&mut self, _event: &Resumed) -> Option<()> {
        match self.position {
            Position::Paused(work, _) => {
                self.position = Position::Working(work);
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
