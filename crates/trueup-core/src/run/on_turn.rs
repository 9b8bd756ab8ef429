//! Facts about turns.

use super::{Position, Reason, Run, Work};
use crate::{event::TurnEnded, turn::Ending};

impl Run {
    pub(super) fn on_turn_ended(&mut self, event: &TurnEnded) -> Option<()> {
        if self.position != Position::Working(Work::Turn) || event.turn != self.spend.turns + 1 {
            return None;
        }
        let outcome = &event.outcome;
        if let Ending::Unusable { why } = &outcome.ending {
            // Nothing was tried, so no turn is spent; a person has to mend the agent.
            self.position = Position::Paused(Work::Turn, Reason::AgentUnusable(why.clone()));
            return Some(());
        }
        self.spend.turns += 1;
        self.spend.time_ms = self.spend.time_ms.saturating_add(outcome.took_ms);
        self.spend.tokens = self.spend.tokens.saturating_add(outcome.usage.tokens.unwrap_or(0));
        self.spend.millicents = self
            .spend
            .millicents
            .saturating_add(outcome.usage.millicents.unwrap_or(0));
        self.turns_behind = self.turns_behind.min(outcome.isolation);
        self.tree = outcome.tree.clone();
        self.findings.clone_from(&outcome.findings);
        self.rescue = None;
        if self.is_worth_checking() {
            self.move_to(Position::Working(Work::Verify));
        } else {
            self.another_turn();
        }
        Some(())
    }

    /// A tree is checked unless its verdict is known: the base's, or that of
    /// the tree checked last.
    fn is_worth_checking(&self) -> bool {
        let known = self.checked.as_ref().is_some_and(|(tree, _)| *tree == self.tree);
        self.tree != self.opening.base.tree && !known
    }
}
