//! A journal that is broken on purpose, in one way at a time.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId, TaskId, Timestamp},
    schedule::Readiness,
};
use trueup_engine::durable::{
    Claimed, Cursor, Desk, DeskError, Durable, Hold, Lease, Lost, Query, Ready, Received, Renewed, Request, RunPage,
    TaskRuns,
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
    pub(crate) const SKIPS_BETWEEN_PAGES: u8 = 10;
    pub(crate) const FORGETS_REQUESTS: u8 = 11;
    pub(crate) const IGNORES_WHAT_IS_KNOWN: u8 = 12;
    pub(crate) const OFFERS_WHAT_IS_DRIVEN: u8 = 13;
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

    /// The request, if it is remembered.
    fn request(request: &Request) -> Request {
        match FAULT {
            Fault::FORGETS_REQUESTS => Request::fresh(),
            _ => request.clone(),
        }
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
        assert!(self.good.lapse(run).is_ok());
    }

    fn lose(journal: BadJournal<FAULT>) {
        std::mem::forget(journal);
    }
}

impl<const FAULT: u8> Desk for Bad<FAULT> {
    type Journal = BadJournal<FAULT>;

    async fn open(&self, request: &Request, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        match self.good.open(&Self::request(request), run, opening).await {
            Err(DeskError::Exists(_)) if FAULT == Fault::OPENS_TWICE => Ok(()),
            answer => answer,
        }
    }

    async fn claim(&self, request: &Request, run: &RunId) -> Result<Claimed<Self::Journal>, DeskError> {
        if FAULT == Fault::HANDS_OUT_TWICE {
            self.good.lapse(run)?;
        }
        let claimed = self.good.claim(&Self::request(request), run).await?;
        let journal = BadJournal {
            desk: self.clone(),
            run: run.clone(),
            good: claimed.journal,
        };
        Ok(Claimed {
            journal,
            lease: claimed.lease,
            events: claimed.events,
        })
    }

    async fn renew(&self, lease: &Lease) -> Result<Renewed, Lost> {
        let renewed = self.good.renew(lease).await?;
        if FAULT == Fault::STOPS_FOR_EVER && self.asked().contains(&lease.run) {
            return Ok(Renewed::StopAsked);
        }
        Ok(renewed)
    }

    async fn release(&self, journal: BadJournal<FAULT>) -> Result<(), DeskError> {
        self.good.release(journal.good).await
    }

    async fn post(&self, request: &Request, run: &RunId, event: &Event) -> Result<(), DeskError> {
        self.good.post(&Self::request(request), run, event).await
    }

    async fn ask_to_stop(&self, request: &Request, run: &RunId) -> Result<Hold, DeskError> {
        let reached = self.good.ask_to_stop(&Self::request(request), run).await?;
        if reached == Hold::Driven {
            self.asked().insert(run.clone());
        }
        Ok(reached)
    }

    async fn history(&self, run: &RunId, from: u64) -> Result<Vec<Event>, DeskError> {
        let mut events = self.good.history(run, from).await?;
        if FAULT == Fault::FORGETS_THE_LAST && events.len() > 2 {
            events.pop();
        }
        Ok(events)
    }

    async fn headlines(&self, query: &Query) -> Result<RunPage, DeskError> {
        let mut page = self.good.headlines(query).await?;
        if FAULT == Fault::LISTS_BY_NAME {
            page.runs.sort_by(|one, other| one.run.cmp(&other.run));
        }
        if FAULT == Fault::SKIPS_BETWEEN_PAGES
            && let Some(next) = &page.next
        {
            let further = Query {
                after: Some(next.clone()),
                limit: 1,
                ..query.clone()
            };
            let skipped = self.good.headlines(&further).await?;
            page.next = skipped.next.or(Some(Cursor::behind("zzz")));
        }
        Ok(page)
    }

    async fn runs_of(&self, task: &TaskId) -> Result<TaskRuns, DeskError> {
        self.good.runs_of(task).await
    }

    async fn hold(&self, run: &RunId) -> Result<Hold, DeskError> {
        self.good.hold(run).await
    }

    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Ready, DeskError> {
        let mut ready = self.good.ready(now, limit).await?;
        let run = RunId::new("T-001.1");
        if FAULT == Fault::OFFERS_WHAT_IS_DRIVEN && self.good.hold(&run).await.is_ok_and(|hold| hold == Hold::Driven) {
            ready.runs.push((run, Readiness::Abandoned));
        }
        Ok(ready)
    }
}

impl<const FAULT: u8> BadJournal<FAULT> {
    /// Takes the run back, as if no epoch had passed.
    async fn take_back(&mut self) -> Result<(), Lost> {
        self.desk.good.lapse(&self.run)?;
        self.good = self.desk.good.claim(&Request::fresh(), &self.run).await?.journal;
        Ok(())
    }
}

impl<const FAULT: u8> Durable for BadJournal<FAULT> {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event> + Send) -> Result<Event, Lost> {
        if FAULT == Fault::PERFORMS_AGAIN {
            let performed = perform.await;
            return self.good.record(effect, async { performed }).await;
        }
        let event = match self.good.record(effect, perform).await {
            Err(Lost::Fenced) if FAULT == Fault::IGNORES_THE_EPOCH => {
                self.take_back().await?;
                let opening = self.desk.good.history(&self.run, 0).await?.remove(0);
                self.good.record(effect, async { opening }).await?
            }
            answer => answer?,
        };
        if FAULT == Fault::KEEPS_TWICE {
            let twin = EffectId::new(format!("{}-twin", effect.id));
            self.good.keep(&twin, &event).await?;
        }
        Ok(event)
    }

    async fn keep(&mut self, id: &EffectId, event: &Event) -> Result<Event, Lost> {
        self.good.keep(id, event).await
    }

    async fn receive(&mut self, signal: &Signal, known: u64) -> Result<Received, Lost> {
        let known = if FAULT == Fault::IGNORES_WHAT_IS_KNOWN {
            u64::MAX
        } else {
            known
        };
        let received = match self.good.receive(signal, known).await {
            Err(Lost::Fenced) if FAULT == Fault::IGNORES_THE_EPOCH => {
                self.take_back().await?;
                self.good.receive(signal, known).await?
            }
            answer => answer?,
        };
        if let (Fault::RECEIVES_TWICE, Received::Event(event)) = (FAULT, &received) {
            self.desk.good.post(&Request::fresh(), &self.run, event).await?;
        }
        Ok(received)
    }
}
