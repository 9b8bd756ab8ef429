//! The journal of one run on disk.

use super::{
    chain::{self, Head, Next},
    headline::Fold,
    owner::Owner,
    transaction::keep,
};
use crate::{
    blocking::blocking,
    durable::{
        DeskError, Durable, Lease, Lost, Received,
        format::{self, Place},
    },
    fault::{self, Fault},
};
use rusqlite::{Connection, OptionalExtension, Transaction};
use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};
use trueup_core::{
    effect::Effect,
    event::{Event, Signal},
    id::{EffectId, RunId},
};

/// The journal of one run, held by this process alone while it lives.
#[derive(Debug)]
pub struct Journal(Arc<Mutex<Holder>>);

/// What the holder of a run has of it.
#[derive(Debug)]
pub(super) struct Holder {
    pub(super) connection: Connection,
    pub(super) lease: Lease,
    /// The run as kept so far.
    pub(super) fold: Fold,
    /// Dropped last, so that the run is not free before it is let go of.
    #[expect(dead_code, reason = "it is held, not read: its life is the hold on the run")]
    pub(super) owner: Owner,
    /// What a planted fault answered before it was kept; always empty otherwise.
    pub(super) late: Option<(EffectId, Event)>,
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
    pub(super) fn of(holder: Holder) -> Self {
        Self(Arc::new(Mutex::new(holder)))
    }

    /// Does something with the journal on a thread where nobody else waits.
    async fn off_thread<T: Send + 'static>(&self, work: impl FnOnce(&mut Holder) -> T + Send + 'static) -> T {
        let holder = Arc::clone(&self.0);
        // A transaction that a panic broke off was rolled back when it fell.
        blocking(move || work(&mut holder.lock().unwrap_or_else(PoisonError::into_inner))).await
    }
}

impl Durable for Journal {
    async fn record(&mut self, effect: &Effect, perform: impl Future<Output = Event> + Send) -> Result<Event, Lost> {
        let id = effect.id.clone();
        let before = self.off_thread(move |holder| holder.before(&holder.connection, &id));
        if let Before::Kept(event) = before.await? {
            return Ok(event);
        }
        let event = perform.await;
        if fault::planted(Fault::KeepsLate) {
            let (id, late) = (effect.id.clone(), event.clone());
            self.off_thread(move |holder| holder.keep_late(Some((id, late))))
                .await?;
            return Ok(event);
        }
        self.keep(&effect.id, &event).await
    }

    async fn keep(&mut self, id: &EffectId, event: &Event) -> Result<Event, Lost> {
        let (id, event) = (id.clone(), event.clone());
        self.off_thread(move |holder| holder.keep(&id, event)).await
    }

    async fn receive(&mut self, signal: &Signal, known: u64) -> Result<Received, Lost> {
        let signal = *signal;
        self.off_thread(move |holder| holder.receive(signal, known)).await
    }
}

impl Holder {
    fn keep(&mut self, id: &EffectId, event: Event) -> Result<Event, Lost> {
        // Whatever goes wrong from here on, the run is not known until the event is kept.
        let mut after = mem::replace(&mut self.fold, Fold::unknown());
        after.apply(&event);
        let (lease, connection) = (&self.lease, &mut self.connection);
        let kept = keep(connection, |transaction| {
            let head = match before(transaction, lease, id)? {
                Before::Kept(event) => return Ok(Some(event)),
                Before::Open(head) => head,
            };
            let next = Next {
                effect: Some(id.as_str()),
                event: &event,
                after: &after,
            };
            chain::append(transaction, &lease.run, head, next)?;
            Ok::<_, Lost>(None)
        })?;
        if let Some(kept) = kept {
            return Ok(kept);
        }
        self.fold = after;
        Ok(event)
    }

    fn receive(&mut self, signal: Signal, known: u64) -> Result<Received, Lost> {
        let Self {
            connection,
            lease,
            fold,
            ..
        } = self;
        let head = fence(connection, lease)?;
        if head.length.unsigned_abs() > known {
            let mut behind = chain::read(connection, &lease.run, known)?.into_iter();
            return Ok(behind.next().map_or(Received::Parked, Received::Event));
        }
        // An empty mailbox is seen without keeping anybody else from writing.
        if oldest(connection, &lease.run, signal)?.is_none() {
            return Ok(Received::Parked);
        }
        let (received, after) = keep(connection, |transaction| take(transaction, lease, signal, fold))?;
        *fold = after;
        Ok(received)
    }

    fn before(&self, connection: &Connection, id: &EffectId) -> Result<Before, Lost> {
        before(connection, &self.lease, id)
    }

    /// Keeps what a planted fault answered before, and remembers what it answers now.
    fn keep_late(&mut self, now: Option<(EffectId, Event)>) -> Result<(), Lost> {
        if let Some((id, event)) = mem::replace(&mut self.late, now) {
            self.keep(&id, event)?;
            self.fold = Fold::unknown();
        }
        Ok(())
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        // Only a planted fault has anything here; a failed write shows as the loss it plants.
        drop(self.keep_late(None));
    }
}

/// Takes a signal out of the mailbox and into the chain.
fn take(transaction: &Transaction<'_>, lease: &Lease, signal: Signal, fold: &Fold) -> Result<(Received, Fold), Lost> {
    let head = fence(transaction, lease)?;
    let Some(letter) = oldest(transaction, &lease.run, signal)? else {
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
    let seq = chain::append(transaction, &lease.run, head, next)?;
    transaction
        .prepare_cached("UPDATE mail SET taken_seq = ?2 WHERE id = ?1")?
        .execute([letter.id, seq])?;
    Ok((Received::Event(letter.event), after))
}

/// How the run stands before an effect: its event, or the end of the chain
/// it is to hang on. One question, because each waits for the file's locks.
fn before(connection: &Connection, lease: &Lease, id: &EffectId) -> Result<Before, Lost> {
    let (head, is_kept) = Head::with_effect(connection, &lease.run, id.as_str())?;
    let head = own(head, lease)?;
    if !is_kept {
        return Ok(Before::Open(head));
    }
    let event = chain::of_effect(connection, &lease.run, id.as_str())?;
    Ok(event.map_or(Before::Open(head), Before::Kept))
}

/// The end of the run's chain, if it is still this holder's to lengthen.
pub(super) fn fence(connection: &Connection, lease: &Lease) -> Result<Head, Lost> {
    own(Head::of(connection, &lease.run)?, lease)
}

fn own(head: Head, lease: &Lease) -> Result<Head, Lost> {
    if head.epoch.unsigned_abs() == lease.epoch {
        Ok(head)
    } else {
        Err(Lost::Fenced)
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
