//! Facts about what is handed over: the commit and the branch.

use super::{Outcome, Position, Reason, Run, Work};
use crate::event::{Committed, PublishRefused, Published};

impl Run {
    pub(super) fn on_committed(&mut self, event: &Committed) -> Option<()> {
        if self.position != Position::Working(Work::Commit) {
            return None;
        }
        self.move_to(Position::Working(Work::Publish(event.commit.clone())));
        Some(())
    }

    pub(super) fn on_published(&mut self, event: &Published) -> Option<()> {
        if self.position != Position::Working(Work::Publish(event.commit.clone())) {
            return None;
        }
        let (tree, commit) = (self.tree.clone(), event.commit.clone());
        self.move_to(Position::Done(match self.waiver() {
            Some(_) => Outcome::Waived { tree, commit },
            None => Outcome::Verified { tree, commit },
        }));
        Some(())
    }

    pub(super) fn on_publish_refused(&mut self, event: &PublishRefused) -> Option<()> {
        let Position::Working(work @ Work::Publish(_)) = &self.position else {
            return None;
        };
        self.position = Position::Paused(work.clone(), Reason::BranchConflict(event.why.clone()));
        Some(())
    }
}
