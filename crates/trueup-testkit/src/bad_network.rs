//! A desk behind a network that loses, delays and repeats what is said, from
//! a seed.
//!
//! Whoever asks learns only that no answer came. What was asked may be done,
//! not done, done twice, or done later, when it is not wanted any more.

use crate::simulation::random::Random;
use std::{
    future::pending,
    mem,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::oneshot;
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId, TaskId, Timestamp},
};
use trueup_engine::durable::{
    Claimed, Desk, DeskError, Durable, Hold, Lease, Lost, Query, Ready, Received, Renewed, Request, RunPage, TaskRuns,
};

/// A desk behind a bad network.
#[derive(Clone, Debug)]
pub struct BadNetwork<D> {
    desk: D,
    network: Network,
    /// What is still on its way to the desk.
    late: Arc<Mutex<Vec<LateAsk>>>,
}

/// The journal of a run, behind a bad network.
#[derive(Debug)]
pub struct FarJournal<J> {
    journal: J,
    network: Network,
    late: Vec<LateWrite>,
}

#[derive(Clone, Debug)]
struct Network(Arc<Mutex<Random>>);

#[derive(Debug)]
enum LateAsk {
    Open(Request, RunId, Event),
    Claim(Request, RunId),
    Post(Request, RunId, Event),
    Stop(Request, RunId),
}

#[derive(Debug)]
enum LateWrite {
    Keep(EffectId, Event),
    Receive(Signal, u64),
}

/// What becomes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Fine,
    /// It never arrives.
    Lost,
    /// It is done, and its answer never arrives.
    AnswerLost,
    /// It arrives twice.
    Twice,
    /// It arrives when nobody waits for its answer any more.
    Late,
}

impl Network {
    fn random(&self, act: impl FnOnce(&mut Random) -> u64) -> u64 {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn fate(&self) -> Fate {
        match self.random(|random| random.below(10)) {
            0 => Fate::Lost,
            1 => Fate::AnswerLost,
            2 => Fate::Twice,
            3 => Fate::Late,
            _ => Fate::Fine,
        }
    }

    /// Whether what is late arrives now.
    fn arrives(&self) -> bool {
        self.random(|random| random.below(3)) == 0
    }
}

fn silence() -> String {
    "the network gave no answer".to_owned()
}

impl<D: Desk> BadNetwork<D> {
    /// Puts a desk behind the network of this seed.
    pub fn before(desk: D, seed: u64) -> Self {
        Self {
            desk,
            network: Network(Arc::new(Mutex::new(Random::of(seed)))),
            late: Arc::default(),
        }
    }

    /// The desk itself, for whoever sits beside it.
    pub const fn desk(&self) -> &D {
        &self.desk
    }

    /// Lets some of what is on its way arrive.
    async fn deliver(&self) {
        let asks = mem::take(&mut *self.late.lock().unwrap_or_else(PoisonError::into_inner));
        for ask in asks {
            if !self.network.arrives() {
                self.send_late(ask);
                continue;
            }
            // Nobody hears the answer.
            match ask {
                LateAsk::Open(request, run, event) => drop(self.desk.open(&request, &run, &event).await),
                LateAsk::Claim(request, run) => lose(self.desk.claim(&request, &run).await),
                LateAsk::Post(request, run, event) => drop(self.desk.post(&request, &run, &event).await),
                LateAsk::Stop(request, run) => drop(self.desk.ask_to_stop(&request, &run).await),
            }
        }
    }

    fn send_late(&self, ask: LateAsk) {
        let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        late.push(ask);
    }

    /// Carries a call to the desk and its answer back.
    async fn carry<T: Send, F: Future<Output = Result<T, DeskError>> + Send>(
        &self,
        ask: impl Fn() -> F + Send,
        late: impl FnOnce() -> LateAsk + Send,
    ) -> Result<T, DeskError> {
        self.deliver().await;
        match self.network.fate() {
            Fate::Fine => return ask().await,
            Fate::Twice => {
                mem::forget(ask().await);
                return ask().await;
            }
            Fate::AnswerLost => mem::forget(ask().await),
            Fate::Late => self.send_late(late()),
            Fate::Lost => {}
        }
        Err(DeskError::Unreachable(silence()))
    }

    /// Carries a question that changes nothing.
    async fn look<T>(&self, ask: impl Future<Output = Result<T, DeskError>>) -> Result<T, DeskError> {
        self.deliver().await;
        match self.network.fate() {
            Fate::Fine | Fate::Twice => ask.await,
            Fate::Lost | Fate::AnswerLost | Fate::Late => Err(DeskError::Unreachable(silence())),
        }
    }
}

/// Loses the answer to a claim. A journal that nobody holds is not given back.
fn lose<J>(claimed: Result<Claimed<J>, DeskError>) {
    if let Ok(claimed) = claimed {
        mem::forget(claimed.journal);
    }
}

impl<D: Desk> Desk for BadNetwork<D> {
    type Journal = FarJournal<D::Journal>;

    async fn open(&self, request: &Request, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        let late = || LateAsk::Open(request.clone(), run.clone(), opening.clone());
        self.carry(move || self.desk.open(request, run, opening), late).await
    }

    async fn claim(&self, request: &Request, run: &RunId) -> Result<Claimed<Self::Journal>, DeskError> {
        let late = || LateAsk::Claim(request.clone(), run.clone());
        let claimed = self.carry(move || self.desk.claim(request, run), late).await?;
        Ok(Claimed {
            journal: FarJournal {
                journal: claimed.journal,
                network: self.network.clone(),
                late: Vec::new(),
            },
            lease: claimed.lease,
            events: claimed.events,
        })
    }

    async fn renew(&self, lease: &Lease) -> Result<Renewed, Lost> {
        match self.network.fate() {
            Fate::Fine | Fate::Twice => self.desk.renew(lease).await,
            Fate::Lost | Fate::AnswerLost | Fate::Late => Err(Lost::Unreachable(silence())),
        }
    }

    /// A goodbye that is lost leaves the run to its lease, which lapses.
    async fn release(&self, journal: Self::Journal) -> Result<(), DeskError> {
        self.desk.release(journal.journal).await
    }

    async fn post(&self, request: &Request, run: &RunId, event: &Event) -> Result<(), DeskError> {
        let late = || LateAsk::Post(request.clone(), run.clone(), event.clone());
        self.carry(move || self.desk.post(request, run, event), late).await
    }

    async fn ask_to_stop(&self, request: &Request, run: &RunId) -> Result<Hold, DeskError> {
        let late = || LateAsk::Stop(request.clone(), run.clone());
        self.carry(move || self.desk.ask_to_stop(request, run), late).await
    }

    async fn history(&self, run: &RunId, from: u64) -> Result<Vec<Event>, DeskError> {
        self.look(self.desk.history(run, from)).await
    }

    async fn headlines(&self, query: &Query) -> Result<RunPage, DeskError> {
        self.look(self.desk.headlines(query)).await
    }

    async fn runs_of(&self, task: &TaskId) -> Result<TaskRuns, DeskError> {
        self.look(self.desk.runs_of(task)).await
    }

    async fn hold(&self, run: &RunId) -> Result<Hold, DeskError> {
        self.look(self.desk.hold(run)).await
    }

    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Ready, DeskError> {
        self.look(self.desk.ready(now, limit)).await
    }
}

impl<J: Durable> FarJournal<J> {
    async fn deliver(&mut self) {
        for write in mem::take(&mut self.late) {
            match write {
                write if !self.network.arrives() => self.late.push(write),
                LateWrite::Keep(id, event) => drop(self.journal.keep(&id, &event).await),
                LateWrite::Receive(signal, known) => drop(self.journal.receive(&signal, known).await),
            }
        }
    }

    /// Performs an effect that is not kept yet, and keeps nothing of it;
    /// answers its event.
    async fn perform_alone(
        &mut self,
        effect: &Effect,
        perform: impl Future<Output = Event> + Send,
    ) -> Result<Option<Event>, Lost> {
        let (performed, hears) = oneshot::channel();
        let never_kept = async {
            let event = perform.await;
            drop(performed.send(event));
            pending().await
        };
        tokio::select! {
            biased;
            kept = self.journal.record(effect, never_kept) => kept.map(|_| None),
            event = hears => event.map(Some).map_err(|_| Lost::Unreachable(silence())),
        }
    }
}

impl<J: Durable> Durable for FarJournal<J> {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event> + Send) -> Result<Event, Lost> {
        self.deliver().await;
        match self.network.fate() {
            Fate::Fine => return self.journal.record(effect, perform).await,
            Fate::Twice => {
                let event = self.journal.record(effect, perform).await?;
                return self.journal.keep(&effect.id, &event).await;
            }
            Fate::AnswerLost => {
                self.journal.record(effect, perform).await?;
            }
            Fate::Lost => {
                self.perform_alone(effect, perform).await?;
            }
            Fate::Late => {
                if let Some(event) = self.perform_alone(effect, perform).await? {
                    self.late.push(LateWrite::Keep(effect.id.clone(), event));
                }
            }
        }
        Err(Lost::Unreachable(silence()))
    }

    async fn keep(&mut self, id: &EffectId, event: &Event) -> Result<Event, Lost> {
        self.deliver().await;
        match self.network.fate() {
            Fate::Fine => return self.journal.keep(id, event).await,
            Fate::Twice => {
                self.journal.keep(id, event).await?;
                return self.journal.keep(id, event).await;
            }
            Fate::AnswerLost => {
                self.journal.keep(id, event).await?;
            }
            Fate::Late => self.late.push(LateWrite::Keep(id.clone(), event.clone())),
            Fate::Lost => {}
        }
        Err(Lost::Unreachable(silence()))
    }

    async fn receive(&mut self, signal: &Signal, known: u64) -> Result<Received, Lost> {
        self.deliver().await;
        match self.network.fate() {
            Fate::Fine => return self.journal.receive(signal, known).await,
            Fate::Twice => {
                self.journal.receive(signal, known).await?;
                return self.journal.receive(signal, known).await;
            }
            Fate::AnswerLost => {
                self.journal.receive(signal, known).await?;
            }
            Fate::Late => self.late.push(LateWrite::Receive(*signal, known)),
            Fate::Lost => {}
        }
        Err(Lost::Unreachable(silence()))
    }
}
