//! The workspace a turn begins in.

use super::{
    in_progress::{InProgress, live_transcript},
    stage::{LaidOut, Requested, Turn},
};
use crate::{agent::prompt::Rescued, blocking::blocking, crash, failure::EffectFailure, local::Local};
use trueup_core::{turn::TurnOutcome, usage::Usage};

impl Local {
    /// Makes sure that the workspace shows the tree the turn starts from.
    pub(super) async fn lay(&self, turn: Turn<Requested>) -> Result<Turn<LaidOut>, EffectFailure> {
        let world = self.clone();
        blocking(move || {
            let laid = world.lay_workspace(&turn)?;
            Ok(turn.step(|Requested| laid))
        })
        .await
    }

    /// A clone in which a turn was broken off is saved to a rescue ref and laid
    /// anew, so that no agent meets edits that are gone.
    fn lay_workspace(&self, Turn { id, wish, .. }: &Turn<Requested>) -> Result<LaidOut, EffectFailure> {
        let run = &self.opening.run;
        let spool = &*self.ports.spool;
        let broken_off = InProgress::find(spool);
        let mut rescue = wish.rescue.clone();
        // What a stopped try left was saved when it stopped, and the turn names
        // it. A try that was killed could save nothing, whatever came before it.
        let killed = broken_off.as_ref().is_some_and(|broken_off| broken_off.id == *id);
        if killed || (broken_off.is_some() && rescue.is_none()) {
            let left = self.workspaces.rescue(run, id)?;
            rescue = left.filter(|left| *left != wish.from).or(rescue);
        }
        if broken_off.is_some() || !self.workspaces.exists(run) {
            self.workspaces
                .lay(run, &self.opening.base, &wish.from, rescue.as_ref())?;
        }
        crash::point("workspace.laid");
        let lost = broken_off.map_or_else(Usage::default, |broken_off| self.lost_with(&broken_off, wish.number));
        let live = live_transcript(&self.state, &self.opening, wish.number);
        InProgress::begin(id, wish.number, &live, lost).note(spool)?;
        let rescued = match rescue {
            Some(_) => Rescued::Yes,
            None => Rescued::No,
        };
        Ok(LaidOut { rescued, lost })
    }

    /// What a try at this turn cost that was broken off. One whose outcome is
    /// spooled was not, whatever is remembered of it.
    fn lost_with(&self, broken_off: &InProgress, turn: u32) -> Usage {
        let ended = self.ports.spool.get::<TurnOutcome>(broken_off.id.as_str()).is_some();
        if broken_off.turn != turn || ended {
            return Usage::default();
        }
        broken_off.cost(&live_transcript(&self.state, &self.opening, turn))
    }
}
