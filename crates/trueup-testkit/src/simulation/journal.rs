//! A journal whose holder may die at every boundary.

use super::{
    Bug, Weather,
    world::{Dying, Simulated},
};
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::EffectId,
};
use trueup_engine::durable::{Durable, Lost, Received};

/// The most deaths of one run, so that every run ends.
const DEATHS: u32 = 12;

/// A journal whose holder may die before, in and after every effect.
pub(super) struct Mortal<'a, J> {
    journal: J,
    world: &'a Simulated<'a>,
    /// An event that was answered and, by a planted fault, not kept yet.
    late: Option<(Effect, Event)>,
}

/// Where a process dies.
enum Fate {
    BeforeEffect,
    InEffect,
    BeforeKeeping,
    AfterKeeping,
    Lives,
}

impl<'a, J: Durable> Mortal<'a, J> {
    pub(super) const fn new(journal: J, world: &'a Simulated<'a>) -> Self {
        Self {
            journal,
            world,
            late: None,
        }
    }

    fn fate(&self) -> Fate {
        let spared = self.world.weather() == Weather::Fair || self.world.deaths() >= DEATHS;
        if spared || !self.world.once_in(4) {
            return Fate::Lives;
        }
        match self.world.below(4) {
            0 => Fate::BeforeEffect,
            1 => Fate::InEffect,
            2 => Fate::BeforeKeeping,
            _ => Fate::AfterKeeping,
        }
    }

    async fn keep_late(&mut self) -> Result<(), Lost> {
        if let Some((effect, event)) = self.late.take() {
            self.journal.record(&effect, async { event }).await?;
        }
        Ok(())
    }
}

fn death<T>() -> Result<T, Lost> {
    Err(Lost::Journal("the process died".into()))
}

impl<J: Durable> Durable for Mortal<'_, J> {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event> + Send) -> Result<Event, Lost> {
        match self.fate() {
            Fate::BeforeEffect => return death(),
            Fate::InEffect => {
                self.world.set_dying(Dying::Yes);
                drop(perform.await);
                return death();
            }
            Fate::BeforeKeeping => {
                drop(perform.await);
                return death();
            }
            Fate::AfterKeeping => {
                self.keep_late().await?;
                self.journal.record(effect, perform).await?;
                return death();
            }
            Fate::Lives => {}
        }
        self.keep_late().await?;
        if self.world.bug() == Some(Bug::KeepsLate) {
            let event = perform.await;
            self.late = Some((effect.clone(), event.clone()));
            return Ok(event);
        }
        self.journal.record(effect, perform).await
    }

    async fn keep(&mut self, id: &EffectId, event: &Event) -> Result<Event, Lost> {
        self.journal.keep(id, event).await
    }

    async fn receive(&mut self, signal: &Signal, known: u64) -> Result<Received, Lost> {
        self.keep_late().await?;
        self.journal.receive(signal, known).await
    }
}
