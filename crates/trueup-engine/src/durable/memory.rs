//! A journal in memory: the twin of the one on disk, for simulation and tests.
//!
//! Every clone of a [`Memory`] is another process looking at the same disk.
//! Dropping a claimed [`Journal`] is the death of the process that held it.

use super::{Desk, DeskError, Durable, Entry, Held, Lost, Received, format};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId, TaskId},
};

/// Journals and desk in memory, shared by every clone.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    shelf: Shelf,
}

/// The journal of one run, in memory.
#[derive(Debug)]
pub struct Journal {
    watch: StopWatch,
}

/// Sees whether the holder of a run was asked to stop.
#[derive(Clone, Debug)]
pub struct StopWatch {
    shelf: Shelf,
    run: RunId,
    epoch: u64,
}

#[derive(Clone, Debug, Default)]
struct Shelf(Arc<Mutex<Vec<Kept>>>);

/// All that is kept of one run.
#[derive(Debug)]
struct Kept {
    run: RunId,
    task: TaskId,
    epoch: u64,
    /// The epoch of the living holder.
    holder: Option<u64>,
    /// The epoch whose holder was asked to stop.
    stop: Option<u64>,
    events: Vec<(Option<EffectId>, Event)>,
    mail: Vec<(&'static str, Event)>,
}

impl Memory {
    /// Lets the desk believe that the holder of a run is dead, though it lives
    /// on: the case for which epochs exist.
    pub fn presume_dead(&self, run: &RunId) -> Result<(), DeskError> {
        self.shelf.with(run, |kept| {
            kept.holder = None;
            Ok(())
        })
    }
}

impl Shelf {
    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        // Nothing here leaves a run half changed, so a panic elsewhere in a
        // test does not make the shelf unusable.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, run: &RunId, act: impl FnOnce(&mut Kept) -> Result<T, DeskError>) -> Result<T, DeskError> {
        let mut shelf = self.lock();
        let kept = shelf.iter_mut().find(|kept| kept.run == *run);
        act(kept.ok_or_else(|| DeskError::Unknown(run.clone()))?)
    }
}

impl Desk for Memory {
    type Journal = Journal;

    fn open(&self, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        let task = format::opening(run, opening)?.task.id.clone();
        let mut shelf = self.shelf.lock();
        if shelf.iter().any(|kept| kept.run == *run) {
            return Err(DeskError::Exists(run.clone()));
        }
        shelf.push(Kept {
            run: run.clone(),
            task,
            epoch: 0,
            holder: None,
            stop: None,
            events: vec![(None, opening.clone())],
            mail: Vec::new(),
        });
        Ok(())
    }

    fn claim(&self, run: &RunId) -> Result<(Journal, Vec<Event>), DeskError> {
        self.shelf.with(run, |kept| {
            if kept.holder.is_some() {
                return Err(DeskError::Driven(run.clone()));
            }
            kept.epoch += 1;
            kept.holder = Some(kept.epoch);
            let watch = StopWatch {
                shelf: self.shelf.clone(),
                run: run.clone(),
                epoch: kept.epoch,
            };
            Ok((Journal { watch }, kept.history()))
        })
    }

    fn post(&self, run: &RunId, event: &Event) -> Result<(), DeskError> {
        let signal = format::signal_name(format::signal(event)?);
        self.shelf.with(run, |kept| {
            if kept.mail.iter().all(|(waiting, _)| *waiting != signal) {
                kept.mail.push((signal, event.clone()));
            }
            Ok(())
        })
    }

    fn ask_to_stop(&self, run: &RunId) -> Result<bool, DeskError> {
        self.shelf.with(run, |kept| {
            if kept.holder.is_some() {
                kept.stop = kept.holder;
            }
            Ok(kept.holder.is_some())
        })
    }

    fn history(&self, run: &RunId) -> Result<Vec<Event>, DeskError> {
        self.shelf.with(run, |kept| Ok(kept.history()))
    }

    fn runs(&self) -> Result<Vec<Entry>, DeskError> {
        let entry = |kept: &Kept| Entry {
            run: kept.run.clone(),
            task: kept.task.clone(),
        };
        Ok(self.shelf.lock().iter().map(entry).collect())
    }

    fn held(&self, run: &RunId) -> Result<Held, DeskError> {
        self.shelf
            .with(run, |kept| Ok(kept.holder.map_or(Held::Free, |_| Held::Driven)))
    }
}

impl Kept {
    fn history(&self) -> Vec<Event> {
        self.events.iter().map(|(_, event)| event.clone()).collect()
    }

    fn of_effect(&self, effect: &EffectId) -> Option<Event> {
        let mut events = self.events.iter();
        let found = events.find(|(id, _)| id.as_ref() == Some(effect));
        found.map(|(_, event)| event.clone())
    }
}

impl Journal {
    /// A watch on requests to stop this very holder.
    pub fn stop_watch(&self) -> StopWatch {
        self.watch.clone()
    }
}

impl Durable for Journal {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event>) -> Result<Event, Lost> {
        if let Some(event) = self.watch.fenced(|kept| kept.of_effect(&effect.id))? {
            return Ok(event);
        }
        let event = perform.await;
        self.watch.fenced(|kept| {
            kept.of_effect(&effect.id).unwrap_or_else(|| {
                kept.events.push((Some(effect.id.clone()), event.clone()));
                event
            })
        })
    }

    async fn receive(&mut self, signal: &Signal) -> Result<Received, Lost> {
        self.watch.fenced(|kept| {
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
        let freed = self.watch.shelf.with(&self.watch.run, |kept| {
            // Another may hold the run by now; only one's own hold ends here.
            if kept.holder == Some(self.watch.epoch) {
                kept.holder = None;
            }
            Ok(())
        });
        // A run is never removed, so there is always one to free.
        debug_assert!(freed.is_ok());
    }
}

impl StopWatch {
    /// Whether this holder was asked to stop; [`Lost::Fenced`] if another
    /// holds the run by now.
    pub fn stop_requested(&self) -> Result<bool, Lost> {
        self.fenced(|kept| kept.stop == Some(self.epoch))
    }

    fn fenced<T>(&self, act: impl FnOnce(&mut Kept) -> T) -> Result<T, Lost> {
        self.shelf.with(&self.run, |kept| {
            Ok(if kept.epoch == self.epoch {
                Ok(act(kept))
            } else {
                Err(Lost::Fenced)
            })
        })?
    }
}
