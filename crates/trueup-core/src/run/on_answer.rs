//! What a person says to what they are asked.

use super::{Position, Reason, Run};
use crate::event::{Answered, PersonAnswer};

impl Run {
    pub(super) fn on_answered(&mut self, event: &Answered) -> Option<()> {
        let Position::Paused(_, Reason::Asks(asked)) = &self.position else {
            return None;
        };
        match &event.answer {
            PersonAnswer::Approved(names) => {
                // Only what was asked can be answered.
                if names.is_empty() || !names.iter().all(|name| asked.iter().any(|asked| asked.digest == *name)) {
                    return None;
                }
                self.approved.extend(names.iter().cloned());
                self.toward_delivery();
            }
            PersonAnswer::Rejected(why) => {
                self.rejected = Some(why.clone());
                self.another_turn();
            }
        }
        Some(())
    }
}
