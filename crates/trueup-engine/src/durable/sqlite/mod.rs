//! The journal and desk on one machine: one SQLite file, many processes.
//!
//! Readers take no lock that a writer could wait for. Writers take the one
//! write lock before they read what they decide on, so what they read cannot
//! be stale when they keep; that is also where epochs are compared.

mod chain;
mod headline;
mod journal;
mod owner;
mod patience;
mod schema;

pub use journal::{Journal, StopWatch};
pub use patience::Patience;

use super::{Desk, DeskError, Entry, Held, format};
use crate::{crash, state::StateRoot};
use chain::{Head, Next};
use headline::Fold;
use owner::Owner;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trueup_core::{
    event::{Event, VERSION},
    id::{RunId, TaskId},
    report::Headline,
};

/// The desk of one state root.
#[derive(Debug)]
pub struct Sqlite {
    root: StateRoot,
    connection: Mutex<Connection>,
}

impl Sqlite {
    /// Opens the journal of a state root, making it if there is none. A
    /// journal of a newer trueup is refused and left as it is.
    pub fn open(root: &StateRoot) -> Result<Self, DeskError> {
        Ok(Self {
            root: root.clone(),
            connection: Mutex::new(schema::open(root)?),
        })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic broke off was rolled back when it fell.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last run of every task, with its headline.
    pub fn latest(&self) -> Result<Vec<(Entry, Headline)>, DeskError> {
        self.read(headline::latest)
    }

    /// Whether somebody drives a run that the desk has just listed.
    pub fn held_now(&self, entry: &Entry) -> Result<Held, DeskError> {
        owner::held(&self.root, &entry.run)
    }

    /// Reads one moment of the journal, however many queries it takes.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, DeskError>) -> Result<T, DeskError> {
        let connection = self.connection();
        let moment = connection.unchecked_transaction()?;
        read(&moment)
    }
}

impl Desk for Sqlite {
    type Journal = Journal;

    fn open(&self, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        let task = &format::opening(run, opening)?.task.id;
        if !owner::is_plain(run) {
            return Err(DeskError::Journal(format!("`{run}` cannot be the name of a run")));
        }
        keep(&mut self.connection(), |transaction| {
            if Head::find(transaction, run)?.is_some() {
                return Err(DeskError::Exists(run.clone()));
            }
            let head = Head::of_new(run, task);
            transaction
                .prepare_cached("INSERT INTO runs (run, task, epoch, length, head) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![run.as_str(), task.as_str(), head.epoch, head.length, head.hash])?;
            let next = Next {
                effect: None,
                event: opening,
                after: &Fold::of(std::slice::from_ref(opening)),
            };
            chain::append(transaction, run, head, next)?;
            Ok(())
        })
    }

    fn claim(&self, run: &RunId) -> Result<(Journal, Vec<Event>), DeskError> {
        // What cannot be driven here is refused before anything is touched.
        let before = self.read(|moment| {
            chain::read(moment, run)?;
            Head::of(moment, run)
        })?;
        let owner = Owner::take(&self.root, run)?;
        owner.wait_until_empty(&self.root, run, owner::PATIENCE)?;
        let mut connection = schema::connect(&self.root.journal())?;
        let (epoch, events) = keep(&mut connection, |transaction| {
            let events = chain::read(transaction, run)?;
            let epoch = Head::of(transaction, run)?.epoch + 1;
            // Whoever asked while the claim was under way saw the lock held
            // and meant this holder, who had no epoch yet.
            transaction
                .prepare_cached(
                    "UPDATE runs SET epoch = ?2, stop_epoch = CASE WHEN asked > ?3 THEN ?2 ELSE stop_epoch END
                     WHERE run = ?1",
                )?
                .execute(params![run.as_str(), epoch, before.asked])?;
            Ok::<_, DeskError>((epoch, events))
        })?;
        let watch = StopWatch {
            connection: Arc::new(Mutex::new(schema::connect(&self.root.journal())?)),
            run: run.clone(),
            epoch,
        };
        let journal = Journal {
            connection,
            watch,
            fold: Fold::of(&events),
            owner,
            late: None,
            patience: None,
        };
        Ok((journal, events))
    }

    fn post(&self, run: &RunId, event: &Event) -> Result<(), DeskError> {
        let signal = format::signal_name(format::signal(event)?);
        let body = format::write(event)?;
        keep(&mut self.connection(), |transaction| {
            Head::of(transaction, run)?;
            transaction
                .prepare_cached(
                    "INSERT INTO mail (run, signal, v, body) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS
                     (SELECT 1 FROM mail WHERE run = ?1 AND signal = ?2 AND taken_seq IS NULL)",
                )?
                .execute(params![run.as_str(), signal, VERSION, body])?;
            Ok(())
        })
    }

    fn ask_to_stop(&self, run: &RunId) -> Result<bool, DeskError> {
        if self.held(run)? == Held::Free {
            return Ok(false);
        }
        keep(&mut self.connection(), |transaction| {
            let asked = transaction
                .prepare_cached("UPDATE runs SET asked = asked + 1, stop_epoch = epoch WHERE run = ?1")?
                .execute([run.as_str()])?;
            Ok(asked > 0)
        })
    }

    fn history(&self, run: &RunId) -> Result<Vec<Event>, DeskError> {
        self.read(|moment| chain::read(moment, run))
    }

    fn runs(&self) -> Result<Vec<Entry>, DeskError> {
        self.read(|moment| {
            let mut statement = moment.prepare_cached("SELECT run, task FROM runs ORDER BY number")?;
            let rows = statement.query_map([], |row| {
                Ok(Entry {
                    run: RunId::new(row.get::<_, String>(0)?),
                    task: TaskId::new(row.get::<_, String>(1)?),
                })
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })
    }

    fn held(&self, run: &RunId) -> Result<Held, DeskError> {
        self.read(|moment| Head::of(moment, run))?;
        owner::held(&self.root, run)
    }
}

/// Keeps something: all of it, durably, or nothing. The one place that writes.
fn keep<T, E: From<rusqlite::Error> + From<DeskError>>(
    connection: &mut Connection,
    write: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    crash::point("keep.before");
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // A newer trueup may have lifted the file while this process had it open.
    schema::refuse_newer(&transaction)?;
    let kept = write(&transaction)?;
    transaction.commit()?;
    crash::point("keep.after");
    Ok(kept)
}
