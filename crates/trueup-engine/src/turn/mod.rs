//! One turn of an agent: its workspace is laid, it answers, what it left is
//! stored, the outcome is spooled.
//!
//! Each stage is a type that holds just what is known then, and each step
//! takes one stage and gives the next. A turn is finished when its outcome is
//! spooled; until then a redo starts again from the recorded tree.

mod call;
mod in_progress;
mod lay;
mod prompt;
mod stage;
mod store;
mod turn_result;
mod unspooled;

pub use self::{in_progress::live_transcript, unspooled::Unspooled};

use self::{
    in_progress::InProgress,
    stage::{Requested, Turn},
};
use crate::{
    blocking::blocking,
    failure::EffectFailure,
    fault::{self, Fault},
    local::Local,
};
use std::sync::Arc;
use trueup_core::{
    effect,
    event::{Event, TurnEnded},
    id::EffectId,
    turn::TurnOutcome,
};

impl Local {
    /// Has the agent take a turn, unless its outcome is known.
    pub(crate) async fn turn(&self, id: &EffectId, wish: &effect::Turn) -> Result<Event, EffectFailure> {
        let (world, effect) = (self.clone(), id.clone());
        let outcome = match blocking(move || world.spooled_turn(&effect)).await? {
            Some(outcome) => outcome,
            None => {
                let turn = Turn {
                    id: id.clone(),
                    wish: Arc::new(wish.clone()),
                    stage: Requested,
                };
                self.take_turn(turn).await?
            }
        };
        Ok(Event::TurnEnded(TurnEnded {
            turn: wish.number,
            outcome: Box::new(outcome),
            at: self.clock.now(),
        }))
    }

    fn spooled_turn(&self, id: &EffectId) -> Result<Option<TurnOutcome>, EffectFailure> {
        let spooled: Option<TurnOutcome> = self.ports.spool.get(id.as_str());
        let spooled = spooled.filter(|_| !fault::planted(Fault::TurnTwice));
        if spooled.is_some() {
            // A kill between the two leaves word of a turn that was not broken off.
            InProgress::forget(&*self.ports.spool)?;
        }
        Ok(spooled)
    }

    async fn take_turn(&self, turn: Turn<Requested>) -> Result<TurnOutcome, EffectFailure> {
        if let Some(by) = self.stop.raised() {
            return Err(EffectFailure::stopped(by));
        }
        self.require_space().await?;
        let ended = match self.unspooled.take(turn.wish.number) {
            Some(ended) => ended,
            None => self.call_agent(self.lay(turn).await?).await?.into(),
        };
        let world = self.clone();
        blocking(move || world.spool_turn(ended)).await
    }
}
