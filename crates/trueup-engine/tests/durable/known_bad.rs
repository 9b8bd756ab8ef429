//! A journal that is broken on purpose, in one way at a time.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId},
};
use trueup_engine::durable::{
    Desk, DeskError, Durable, Entry, Held, Lost, Received,
    memory::{self, Memory},
};
use trueup_testkit::conformance::Subject;

/// The ways to be broken.
pub(crate) struct Fault;

impl Fault {
    pub(crate) const NONE: u8 = 0;
    pub(crate) const PERFORMS_AGAIN: u8 = 1;
    pub(crate) const KEEPS_TWICE: u8 = 2;
    pub(crate) const IGNORES_THE_EPOCH: u8 = 3;
    pub(crate) const RECEIVES_TWICE: u8 = 4;
    pub(crate) const HANDS_OUT_TWICE: u8 = 5;
    pub(crate) const OPENS_TWICE: u8 = 6;
    pub(crate) const LISTS_BY_NAME: u8 = 7;
    pub(crate) const STOPS_FOR_EVER: u8 = 8;
    pub(crate) const FORGETS_THE_LAST: u8 = 9;
}

/// A good journal in memory behind a bad desk.
#[derive(Clone, Default)]
pub(crate) struct Bad<const FAULT: u8> {
    good: Memory,
    asked: Arc<Mutex<BTreeSet<RunId>>>,
}

pub(crate) struct BadJournal<const FAULT: u8> {
    desk: Bad<FAULT>,
    run: RunId,
    good: memory::Journal,
}

impl<const FAULT: u8> Bad<FAULT> {
    fn asked(&self) -> std::sync::MutexGuard<'_, BTreeSet<RunId>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<const FAULT: u8> Subject for Bad<FAULT> {
    type Desk = Self;

    fn fresh() -> Self {
        Self::default()
    }

    fn desk(&self) -> Self {
        self.clone()
    }

    fn presume_dead(&self, run: &RunId) {
        assert!(self.good.presume_dead(run).is_ok());
    }

    fn stop_requested(journal: &BadJournal<FAULT>) -> Result<bool, Lost> {
        let requested = journal.good.stop_watch().stop_requested();
        if FAULT == Fault::STOPS_FOR_EVER && requested.is_ok() {
            return Ok(journal.desk.asked().contains(&journal.run));
        }
        requested
    }
}

impl<const FAULT: u8> Desk for Bad<FAULT> {
    type Journal = BadJournal<FAULT>;

    fn open(&self, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        match self.good.open(run, opening) {
            Err(DeskError::Exists(_)) if FAULT == Fault::OPENS_TWICE => Ok(()),
            answer => answer,
        }
    }

    fn claim(&self, run: &RunId) -> Result<(Self::Journal, Vec<Event>), DeskError> {
        if FAULT == Fault::HANDS_OUT_TWICE {
            self.good.presume_dead(run)?;
        }
        let (good, events) = self.good.claim(run)?;
        let journal = BadJournal {
            desk: self.clone(),
            run: run.clone(),
            good,
        };
        Ok((journal, events))
    }

    fn post(&self, run: &RunId, event: &Event) -> Result<(), DeskError> {
        self.good.post(run, event)
    }

    fn ask_to_stop(&self, run: &RunId) -> Result<bool, DeskError> {
        let reached = self.good.ask_to_stop(run)?;
        if reached {
            self.asked().insert(run.clone());
        }
        Ok(reached)
    }

    fn history(&self, run: &RunId) -> Result<Vec<Event>, DeskError> {
        let mut events = self.good.history(run)?;
        if FAULT == Fault::FORGETS_THE_LAST && events.len() > 2 {
            events.pop();
        }
        Ok(events)
    }

    fn runs(&self) -> Result<Vec<Entry>, DeskError> {
        let mut runs = self.good.runs()?;
        if FAULT == Fault::LISTS_BY_NAME {
            runs.sort_by(|one, other| one.run.cmp(&other.run));
        }
        Ok(runs)
    }

    fn held(&self, run: &RunId) -> Result<Held, DeskError> {
        self.good.held(run)
    }
}

impl<const FAULT: u8> BadJournal<FAULT> {
    /// Takes the run back, as if no epoch had passed.
    fn take_back(&mut self) -> Result<(), Lost> {
        self.desk.good.presume_dead(&self.run)?;
        self.good = self.desk.good.claim(&self.run)?.0;
        Ok(())
    }
}

impl<const FAULT: u8> Durable for BadJournal<FAULT> {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event>) -> Result<Event, Lost> {
        if FAULT == Fault::PERFORMS_AGAIN {
            let performed = perform.await;
            return self.good.record(effect, async { performed }).await;
        }
        let event = match self.good.record(effect, perform).await {
            Err(Lost::Fenced) if FAULT == Fault::IGNORES_THE_EPOCH => {
                self.take_back()?;
                let opening = self.desk.good.history(&self.run)?.remove(0);
                self.good.record(effect, async { opening }).await?
            }
            answer => answer?,
        };
        if FAULT == Fault::KEEPS_TWICE {
            let twin = Effect {
                id: EffectId::new(format!("{}-twin", effect.id)),
                ..effect.clone()
            };
            self.good.record(&twin, async { event.clone() }).await?;
        }
        Ok(event)
    }

    async fn receive(&mut self, signal: &Signal) -> Result<Received, Lost> {
        let received = match self.good.receive(signal).await {
            Err(Lost::Fenced) if FAULT == Fault::IGNORES_THE_EPOCH => {
                self.take_back()?;
                self.good.receive(signal).await?
            }
            answer => answer?,
        };
        if let (Fault::RECEIVES_TWICE, Received::Event(event)) = (FAULT, &received) {
            self.desk.good.post(&self.run, event)?;
        }
        Ok(received)
    }
}
