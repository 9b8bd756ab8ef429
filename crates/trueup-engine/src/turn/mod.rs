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
    travel::Spool,
};
use std::{io, sync::Arc};
use trueup_core::{
    effect::{self, Effect, Wish},
    event::{Event, TurnEnded},
    id::{EffectId, Timestamp},
    turn::TurnOutcome,
};

/// The event of a turn whose outcome is spooled, if this effect is such a turn.
pub(crate) fn spooled(spool: &dyn Spool, effect: &Effect, at: Timestamp) -> io::Result<Option<Event>> {
    let Wish::Turn(wish) = &effect.wish else {
        return Ok(None);
    };
    let Some(outcome) = spooled_turn(spool, &effect.id)? else {
        return Ok(None);
    };
    Ok(Some(ended(wish, outcome, at)))
}

fn ended(wish: &effect::Turn, outcome: TurnOutcome, at: Timestamp) -> Event {
    Event::TurnEnded(TurnEnded {
        turn: wish.number,
        outcome: Box::new(outcome),
        at,
    })
}

fn spooled_turn(spool: &dyn Spool, id: &EffectId) -> io::Result<Option<TurnOutcome>> {
    let spooled: Option<TurnOutcome> = spool.get(id.as_str());
    let spooled = spooled.filter(|_| !fault::planted(Fault::TurnTwice));
    if spooled.is_some() {
        // A kill between the two leaves word of a turn that was not broken off.
        InProgress::forget(spool)?;
    }
    Ok(spooled)
}

impl Local {
    /// Has the agent take a turn, unless its outcome is known.
    pub(crate) async fn turn(&self, id: &EffectId, wish: &effect::Turn) -> Result<Event, EffectFailure> {
        let (world, effect) = (self.clone(), id.clone());
        let outcome = match blocking(move || spooled_turn(&*world.ports.spool, &effect)).await? {
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
        Ok(ended(wish, outcome, self.clock.now()))
    }

    async fn take_turn(&self, turn: Turn<Requested>) -> Result<TurnOutcome, EffectFailure> {
        if let Some(by) = self.stop.raised() {
            return Err(EffectFailure::stopped(by));
        }
        let short = self.require_space().await.err();
        let ended = match (self.unspooled.take(turn.wish.number), short) {
            (Some(ended), None) => ended,
            (Some(ended), Some(short)) => {
                self.unspooled.put(ended);
                return Err(short);
            }
            (None, None) => self.call_agent(self.lay(turn).await?).await?.into(),
            // What a try left that was killed may be what takes the space.
            (None, Some(short)) if InProgress::find(&*self.ports.spool).is_some() => {
                let laid = self.lay(turn).await?;
                self.checks.space.measure_again();
                self.require_space().await.map_err(|_| short)?;
                self.call_agent(laid).await?.into()
            }
            (None, Some(short)) => return Err(short),
        };
        let world = self.clone();
        blocking(move || world.spool_turn(ended)).await
    }
}
