//! The journal of one run on disk, and the watch its driver keeps.

use super::{
    chain::{self, Head, Next},
    headline::Fold,
    keep,
    owner::Owner,
    patience::Patience,
};
use crate::durable::{
    DeskError, Durable, Lost, Received,
    format::{self, Place},
};
use crate::fault::{self, Fault};
use rusqlite::{Connection, OptionalExtension, Transaction};
use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::RunId,
};

/// The journal of one run, held by this process alone while it lives.
#[derive(Debug)]
pub struct Journal {
    pub(super) connection: Connection,
    pub(super) watch: StopWatch,
    /// The run as kept so far.
    pub(super) fold: Fold,
    /// Dropped last, so that the run is not free before it is let go of.
    #[expect(dead_code, reason = "it is held, not read: its life is the hold on the run")]
    pub(super) owner: Owner,
    /// What a planted fault answered before it was kept; always empty otherwise.
    pub(super) late: Option<(String, Event)>,
    /// How to wait where there is no space; without it, that is a loss.
    pub(super) patience: Option<Patience>,
}

/// Sees whether the holder of a run was asked to stop.
///
/// It has a connection of its own and only reads, so a driver can ask it at
/// any moment without touching the journal under its hands.
#[derive(Clone, Debug)]
pub struct StopWatch {
    pub(super) connection: Arc<Mutex<Connection>>,
    pub(super) run: RunId,
    pub(super) epoch: i64,
}

/// How a run stands before an effect.
enum Before {
    /// Its event is kept.
    Kept(Event),
    /// It is not; the chain ends here.
    Open(Head),
}

/// A signal's event that waits in the mailbox.
struct Letter {
    id: i64,
    event: Event,
}

impl Journal {
    /// A watch on requests to stop this very holder.
    pub fn stop_watch(&self) -> StopWatch {
        self.watch.clone()
    }

    /// From here on, an event for which there is no space is held until there
    /// is, or until somebody asks to stop.
    pub fn wait_for_space(&mut self, patience: Patience) {
        self.patience = Some(patience);
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Only a planted fault has anything here; a failed write shows as the loss it plants.
        drop(keep_late(&mut self.connection, &self.watch, self.late.take()));
    }
}

fn keep_late(connection: &mut Connection, watch: &StopWatch, late: Option<(String, Event)>) -> Result<(), Lost> {
    let Some((effect, event)) = late else {
        return Ok(());
    };
    keep(connection, |transaction| {
        let head = watch.fence(transaction)?;
        let next = Next {
            effect: Some(&effect),
            event: &event,
            after: &Fold::unknown(),
        };
        chain::append(transaction, &watch.run, head, next)?;
        Ok(())
    })
}

impl Durable for Journal {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event>) -> Result<Event, Lost> {
        let Self {
            connection,
            watch,
            fold,
            patience,
            ..
        } = self;
        let effect = effect.id.as_str();
        if let Before::Kept(event) = watch.before(connection, effect)? {
            return Ok(event);
        }
        let event = perform.await;
        if fault::planted(Fault::KeepsLate) {
            let before = self.late.replace((effect.to_owned(), event.clone()));
            keep_late(&mut self.connection, &self.watch, before)?;
            return Ok(event);
        }
        // Whatever goes wrong from here on, the run is not known until the event is kept.
        let mut after = mem::replace(fold, Fold::unknown());
        after.apply(&event);
        loop {
            let kept = keep(connection, |transaction| {
                let head = match watch.before(transaction, effect)? {
                    Before::Kept(event) => return Ok(Some(event)),
                    Before::Open(head) => head,
                };
                let next = Next {
                    effect: Some(effect),
                    event: &event,
                    after: &after,
                };
                chain::append(transaction, &watch.run, head, next)?;
                Ok(None)
            });
            match (kept, &mut *patience) {
                (Err(Lost::Full(why)), Some(patience)) => patience.wait(why).await?,
                (Ok(None), _) => {
                    *fold = after;
                    return Ok(event);
                }
                (Ok(Some(kept)), _) => return Ok(kept),
                (Err(lost), _) => return Err(lost),
            }
        }
    }

    async fn receive(&mut self, signal: &Signal) -> Result<Received, Lost> {
        let Self {
            connection,
            watch,
            fold,
            patience,
            ..
        } = self;
        watch.fence(connection)?;
        // An empty mailbox is seen without keeping anybody else from writing.
        if oldest(connection, &watch.run, *signal)?.is_none() {
            return Ok(Received::Parked);
        }
        loop {
            let taken = keep(connection, |transaction| watch.take(transaction, *signal, fold));
            match (taken, &mut *patience) {
                (Err(Lost::Full(why)), Some(patience)) => patience.wait(why).await?,
                (taken, _) => {
                    let (received, after) = taken?;
                    *fold = after;
                    return Ok(received);
                }
            }
        }
    }
}

impl StopWatch {
    /// Whether this holder was asked to stop; [`Lost::Fenced`] if another
    /// holds the run by now.
    pub fn stop_requested(&self) -> Result<bool, Lost> {
        // Nothing is ever half read under this lock.
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let head = self.fence(&connection)?;
        Ok(head.stop_epoch == Some(self.epoch))
    }

    /// Takes a signal out of the mailbox and into the chain.
    fn take(&self, transaction: &Transaction<'_>, signal: Signal, fold: &Fold) -> Result<(Received, Fold), Lost> {
        let head = self.fence(transaction)?;
        let Some(letter) = oldest(transaction, &self.run, signal)? else {
            return Ok((Received::Parked, fold.clone()));
        };
        // The letter stands where an effect would, so the chain itself
        // refuses to hold it twice.
        let effect = format!("mail-{}", letter.id);
        let after = fold.after(&letter.event);
        let next = Next {
            effect: Some(&effect),
            event: &letter.event,
            after: &after,
        };
        let seq = chain::append(transaction, &self.run, head, next)?;
        transaction
            .prepare_cached("UPDATE mail SET taken_seq = ?2 WHERE id = ?1")?
            .execute([letter.id, seq])?;
        Ok((Received::Event(letter.event), after))
    }

    /// How the run stands before an effect: its event, or the end of the chain
    /// it is to hang on. One question, because each waits for the file's locks.
    fn before(&self, connection: &Connection, effect: &str) -> Result<Before, Lost> {
        let (head, is_kept) = Head::with_effect(connection, &self.run, effect)?;
        let head = self.own(head)?;
        if !is_kept {
            return Ok(Before::Open(head));
        }
        let event = chain::of_effect(connection, &self.run, effect)?;
        Ok(event.map_or(Before::Open(head), Before::Kept))
    }

    /// The end of the run's chain, if it is still this holder's to lengthen.
    fn fence(&self, connection: &Connection) -> Result<Head, Lost> {
        self.own(Head::of(connection, &self.run)?)
    }

    fn own(&self, head: Head) -> Result<Head, Lost> {
        if head.epoch == self.epoch {
            Ok(head)
        } else {
            Err(Lost::Fenced)
        }
    }
}

fn oldest(connection: &Connection, run: &RunId, signal: Signal) -> Result<Option<Letter>, Lost> {
    let mut statement = connection.prepare_cached(
        "SELECT id, v, body FROM mail WHERE run = ?1 AND signal IN (?2, ?3) AND taken_seq IS NULL ORDER BY id LIMIT 1",
    )?;
    let [one, other] = format::heard_as(signal);
    let found = statement.query_row([run.as_str(), one, other], |row| {
        Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get::<_, String>(2)?))
    });
    let Some((id, version, body)) = found.optional()? else {
        return Ok(None);
    };
    let seq = Head::of(connection, run)?.length.unsigned_abs() + 1;
    let event = format::read(Place { run, seq }, version, &body)?;
    Ok(Some(Letter { id, event }))
}

impl From<rusqlite::Error> for Lost {
    fn from(error: rusqlite::Error) -> Self {
        DeskError::from(error).into()
    }
}
