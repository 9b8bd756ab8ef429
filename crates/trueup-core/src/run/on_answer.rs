//! What a person says to what they are asked, or to a run that cannot go on.

use super::{Position, Reason, Run, Work, parts::Waiver};
use crate::event::{Answered, PersonAnswer};

impl Run {
    pub(super) fn on_answered(&mut self, event: &Answered) -> Option<()> {
        if !self.hears(&event.answer) {
            return None;
        }
        match &event.answer {
            PersonAnswer::Approved(names) => {
                self.approved.extend(names.iter().cloned());
                match &self.position {
                    Position::Paused(Work::Verify, _) => self.take_up_again(Work::Verify),
                    Position::Paused(..) | Position::Working(_) | Position::Done(_) => self.toward_delivery(),
                }
            }
            PersonAnswer::Rejected(why) => {
                self.rejected = Some(why.clone());
                self.begin_anew();
                self.another_turn();
            }
            PersonAnswer::Told(words) => {
                self.answers.push(words.clone());
                self.begin_anew();
                self.another_turn();
            }
            PersonAnswer::Waived(why) => {
                self.waiver = Some(Waiver {
                    tree: self.tree.clone(),
                    why: why.clone(),
                });
                self.toward_delivery();
            }
        }
        Some(())
    }

    /// Whether this answers what the run waits for.
    pub fn hears(&self, answer: &PersonAnswer) -> bool {
        let Position::Paused(_, reason) = &self.position else {
            return false;
        };
        match answer {
            PersonAnswer::Approved(names) => {
                let Reason::Asks(asked) = reason else {
                    return false;
                };
                // Only what was asked can be answered.
                !names.is_empty() && names.iter().all(|name| asked.iter().any(|asked| asked.digest == *name))
            }
            PersonAnswer::Rejected(_) => matches!(reason, Reason::Asks(_)),
            PersonAnswer::Told(_) => matches!(reason, Reason::Blocked(_) | Reason::Stuck(_)),
            PersonAnswer::Waived(_) => {
                let is_waiting = matches!(reason, Reason::Blocked(_) | Reason::Stuck(_) | Reason::BudgetSpent(_));
                is_waiting && self.can_be_waived()
            }
        }
    }

    /// Whether nothing keeps the last tree from its delivery but that some
    /// check was not seen to fail: a person may accept that, and no more.
    pub fn can_be_waived(&self) -> bool {
        let is_current = self.checked().is_some_and(|(tree, _)| *tree == self.tree);
        is_current && self.is_proved() && !self.unproven().is_empty()
    }
}
