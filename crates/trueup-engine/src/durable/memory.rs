//! A journal in memory: the twin of the one on disk, for simulation and tests.
//!
//! Every clone of a [`Memory`] is another process looking at the same disk.
//! Dropping a claimed [`Journal`] is the death of the process that held it.

use super::{
    Claimed, Desk, DeskError, Durable, Filter, Hold, Lease, Lost, Query, Ready, Received, Renewed, Request, RunPage,
    Summary, TaskRuns, format,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId, TaskId, Timestamp},
    report::Headline,
    run::{Position, Run, Step},
    schedule::Readiness,
};

/// Journals and desk in memory, shared by every clone.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    runs: Runs,
}

/// The journal of one run, in memory.
#[derive(Debug)]
pub struct Journal {
    runs: Runs,
    lease: Lease,
}

#[derive(Clone, Debug, Default)]
struct Runs(Arc<Mutex<Vec<Kept>>>);

/// All that is kept of one run.
#[derive(Debug)]
struct Kept {
    run: RunId,
    task: TaskId,
    opened_by: Request,
    epoch: u64,
    /// Every request by which it was claimed; the last one holds it, if any does.
    claims: Vec<Request>,
    /// The epoch of the living holder.
    holder: Option<u64>,
    /// The epoch whose holder was asked to stop.
    stop: Option<u64>,
    events: Vec<(Option<EffectId>, Event)>,
    mail: Vec<(&'static str, Event)>,
    /// Every request that was answered since it was opened.
    answered: Vec<Request>,
}

impl Memory {
    /// Lets the lease of a run lapse, though its holder may live on: the case
    /// for which epochs exist.
    pub fn lapse(&self, run: &RunId) -> Result<(), DeskError> {
        self.runs.with(run, |kept| {
            kept.holder = None;
            Ok(())
        })
    }
}

impl Runs {
    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        // Nothing here leaves a run half changed, so a panic elsewhere in a
        // test does not make the rest unusable.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, run: &RunId, act: impl FnOnce(&mut Kept) -> Result<T, DeskError>) -> Result<T, DeskError> {
        let mut runs = self.lock();
        let kept = runs.iter_mut().find(|kept| kept.run == *run);
        act(kept.ok_or_else(|| DeskError::Unknown(run.clone()))?)
    }
}

impl Desk for Memory {
    type Journal = Journal;

    async fn open(&self, request: &Request, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        let task = format::opening(run, opening)?.task.id.clone();
        let mut runs = self.runs.lock();
        match runs.iter().find(|kept| kept.run == *run) {
            Some(kept) if kept.opened_by == *request => return Ok(()),
            Some(_) => return Err(DeskError::Exists(run.clone())),
            None => {}
        }
        runs.push(Kept {
            run: run.clone(),
            task,
            opened_by: request.clone(),
            epoch: 0,
            claims: Vec::new(),
            holder: None,
            stop: None,
            events: vec![(None, opening.clone())],
            mail: Vec::new(),
            answered: Vec::new(),
        });
        Ok(())
    }

    async fn claim(&self, request: &Request, run: &RunId) -> Result<Claimed<Journal>, DeskError> {
        self.runs.with(run, |kept| {
            match kept.holder {
                Some(_) if kept.claims.last() == Some(request) => {}
                // A claim that was answered before and arrives again is nobody's.
                None if !kept.claims.contains(request) => {
                    kept.epoch += 1;
                    kept.holder = Some(kept.epoch);
                    kept.claims.push(request.clone());
                }
                Some(_) | None => return Err(DeskError::Driven(run.clone())),
            }
            let lease = Lease {
                run: run.clone(),
                epoch: kept.epoch,
            };
            let journal = Journal {
                runs: self.runs.clone(),
                lease: lease.clone(),
            };
            Ok(Claimed {
                journal,
                lease,
                events: kept.history(0),
            })
        })
    }

    async fn renew(&self, lease: &Lease) -> Result<Renewed, Lost> {
        self.runs.fenced(lease, |kept| {
            if kept.stop == Some(lease.epoch) {
                Renewed::StopAsked
            } else {
                Renewed::GoOn
            }
        })
    }

    async fn release(&self, journal: Journal) -> Result<(), DeskError> {
        drop(journal);
        Ok(())
    }

    async fn post(&self, request: &Request, run: &RunId, event: &Event) -> Result<(), DeskError> {
        let signal = format::signal_name(format::signal(event)?);
        self.runs.with(run, |kept| {
            let is_new = kept.is_new(request);
            if is_new && kept.mail.iter().all(|(waiting, _)| *waiting != signal) {
                kept.mail.push((signal, event.clone()));
            }
            Ok(())
        })
    }

    async fn ask_to_stop(&self, request: &Request, run: &RunId) -> Result<Hold, DeskError> {
        self.runs.with(run, |kept| {
            if kept.is_new(request) {
                kept.stop = kept.holder.or(kept.stop);
            }
            Ok(kept.hold())
        })
    }

    async fn history(&self, run: &RunId, from: u64) -> Result<Vec<Event>, DeskError> {
        self.runs.with(run, |kept| Ok(kept.history(from)))
    }

    async fn headlines(&self, query: &Query) -> Result<RunPage, DeskError> {
        let runs = self.runs.lock();
        let after = query.after.as_ref().map(|cursor| cursor.as_str());
        let listed: Vec<&Kept> = match query.filter {
            Filter::LastOfEachTask => {
                let last: BTreeMap<&str, &Kept> = runs.iter().map(|kept| (kept.task.as_str(), kept)).collect();
                let behind = last
                    .into_iter()
                    .filter(|(task, _)| after.is_none_or(|after| *task > after));
                behind.map(|(_, kept)| kept).collect()
            }
            Filter::All | Filter::Unfinished => {
                let position = |after| runs.iter().position(|kept| kept.run.as_str() == after);
                let before = after.map_or(runs.len(), |after| position(after).unwrap_or(0));
                runs.iter().take(before).rev().collect()
            }
        };
        let mut summaries = Vec::new();
        for kept in listed {
            let summary = kept.summary()?;
            let is_over = matches!(summary.headline.position, Position::Done(_));
            if query.filter != Filter::Unfinished || !is_over {
                summaries.push(summary);
            }
            if summaries.len() > query.limit {
                break;
            }
        }
        Ok(RunPage::of(query, summaries))
    }

    async fn runs_of(&self, task: &TaskId) -> Result<TaskRuns, DeskError> {
        let runs = self.runs.lock();
        let of_task = runs.iter().filter(|kept| kept.task == *task);
        Ok(of_task.fold(TaskRuns::default(), |known, kept| TaskRuns {
            count: known.count + 1,
            last: Some(kept.run.clone()),
        }))
    }

    async fn hold(&self, run: &RunId) -> Result<Hold, DeskError> {
        self.runs.with(run, |kept| Ok(kept.hold()))
    }

    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Ready, DeskError> {
        let mut ready = Ready::default();
        for kept in self.runs.lock().iter() {
            let step = kept.fold()?.next();
            if let Step::Await(Signal::Time(due)) = step
                && due > now
            {
                ready.next = Some(ready.next.map_or(due, |next| next.min(due)));
            }
            if let Some(readiness) = kept.readiness(&step, now).filter(|_| ready.runs.len() < limit) {
                ready.runs.push((kept.run.clone(), readiness));
            }
        }
        Ok(ready)
    }
}

impl Kept {
    fn history(&self, from: u64) -> Vec<Event> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        self.events.iter().skip(from).map(|(_, event)| event.clone()).collect()
    }

    fn fold(&self) -> Result<Run, DeskError> {
        let events = self.events.iter().map(|(_, event)| event);
        Run::replay(events).map_err(|error| DeskError::Journal(error.to_string()))
    }

    fn summary(&self) -> Result<Summary, DeskError> {
        Ok(Summary {
            run: self.run.clone(),
            task: self.task.clone(),
            headline: Headline::of_run(&self.fold()?),
            hold: self.hold(),
        })
    }

    /// Whether a request was never answered before; from here on it was.
    fn is_new(&mut self, request: &Request) -> bool {
        let is_new = !self.answered.contains(request);
        if is_new {
            self.answered.push(request.clone());
        }
        is_new
    }

    fn hold(&self) -> Hold {
        match (self.holder, self.epoch) {
            (Some(_), _) => Hold::Driven,
            (None, 0) => Hold::Never,
            (None, _) => Hold::Free,
        }
    }

    fn readiness(&self, step: &Step, now: Timestamp) -> Option<Readiness> {
        match step {
            _ if self.holder.is_some() => None,
            Step::Done(_) => None,
            Step::Do(_) if self.epoch == 0 => Some(Readiness::Queued),
            Step::Do(_) => Some(Readiness::Abandoned),
            Step::Await(Signal::Time(due)) if *due <= now => Some(Readiness::Due),
            Step::Await(signal) => {
                let heard = format::heard_as(*signal);
                let came = self.mail.iter().any(|(came, _)| heard.contains(came));
                came.then_some(Readiness::Answered)
            }
        }
    }

    fn of_effect(&self, effect: &EffectId) -> Option<Event> {
        let mut events = self.events.iter();
        let found = events.find(|(id, _)| id.as_ref() == Some(effect));
        found.map(|(_, event)| event.clone())
    }

    fn keep(&mut self, id: &EffectId, event: Event) -> Event {
        self.of_effect(id).unwrap_or_else(|| {
            self.events.push((Some(id.clone()), event.clone()));
            event
        })
    }
}

impl Durable for Journal {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event> + Send) -> Result<Event, Lost> {
        if let Some(event) = self.runs.fenced(&self.lease, |kept| kept.of_effect(&effect.id))? {
            return Ok(event);
        }
        let event = perform.await;
        self.runs.fenced(&self.lease, |kept| kept.keep(&effect.id, event))
    }

    async fn keep(&mut self, id: &EffectId, event: &Event) -> Result<Event, Lost> {
        self.runs.fenced(&self.lease, |kept| kept.keep(id, event.clone()))
    }

    async fn receive(&mut self, signal: &Signal, known: u64) -> Result<Received, Lost> {
        self.runs.fenced(&self.lease, |kept| {
            if let Some(event) = kept.history(known).into_iter().next() {
                return Received::Event(event);
            }
            let wanted = format::heard_as(*signal);
            let oldest = kept.mail.iter().position(|(came, _)| wanted.contains(came));
            oldest.map_or(Received::Parked, |oldest| {
                let (_, event) = kept.mail.remove(oldest);
                kept.events.push((None, event.clone()));
                Received::Event(event)
            })
        })
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        let freed = self.runs.with(&self.lease.run, |kept| {
            // Another may hold the run by now; only one's own hold ends here.
            if kept.holder == Some(self.lease.epoch) {
                kept.holder = None;
            }
            Ok(())
        });
        // A run is never removed, so there is always one to free.
        debug_assert!(freed.is_ok());
    }
}

impl Runs {
    fn fenced<T>(&self, lease: &Lease, act: impl FnOnce(&mut Kept) -> T) -> Result<T, Lost> {
        self.with(&lease.run, |kept| {
            Ok(if kept.epoch == lease.epoch {
                Ok(act(kept))
            } else {
                Err(Lost::Fenced)
            })
        })?
    }
}
