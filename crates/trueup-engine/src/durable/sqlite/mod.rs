//! The journal and desk on one machine: one SQLite file, many processes.
//!
//! Readers take no lock that a writer could wait for. Writers take the one
//! write lock before they read what they decide on, so what they read cannot
//! be stale when they keep; that is also where epochs are compared.

mod chain;
mod headline;
mod journal;
mod owner;
mod page;
mod ready;
mod repair;
mod schema;
mod transaction;

pub use journal::Journal;
pub use repair::{Repaired, is_whole, repair};

use super::{Claimed, Desk, DeskError, Hold, Lease, Lost, Query, Ready, Renewed, Request, RunPage, TaskRuns, format};
use crate::{blocking::blocking, state::StateRoot};
use chain::{Head, Next};
use headline::Fold;
use journal::Holder;
use owner::Owner;
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transaction::keep;
use trueup_core::{
    event::{Event, VERSION},
    id::{RunId, TaskId, Timestamp},
};

/// The desk of one state root.
#[derive(Clone, Debug)]
pub struct Sqlite {
    root: StateRoot,
    connection: Arc<Mutex<Connection>>,
}

impl Sqlite {
    /// Opens the journal of a state root, making it if there is none. A
    /// journal of a newer trueup is refused and left as it is.
    pub fn open(root: &StateRoot) -> Result<Self, DeskError> {
        Ok(Self {
            root: root.clone(),
            connection: Arc::new(Mutex::new(schema::open(root)?)),
        })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic broke off was rolled back when it fell.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads one moment of the journal, however many queries it takes.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, DeskError>) -> Result<T, DeskError> {
        let connection = self.connection();
        let moment = connection.unchecked_transaction()?;
        read(&moment)
    }

    /// Does something with the desk on a thread where nobody else waits.
    async fn off_thread<T: Send + 'static>(&self, work: impl FnOnce(&Self) -> T + Send + 'static) -> T {
        let desk = self.clone();
        blocking(move || work(&desk)).await
    }

    fn open_now(&self, request: &Request, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        let task = &format::opening(run, opening)?.task.id;
        if !owner::is_plain(run) {
            return Err(DeskError::Journal(format!("`{run}` cannot be the name of a run")));
        }
        keep(&mut self.connection(), |transaction| {
            let mut statement = transaction.prepare_cached("SELECT request FROM runs WHERE run = ?1")?;
            let found = statement.query_row([run.as_str()], |row| row.get::<_, Option<String>>(0));
            match found.optional()? {
                Some(by) if by.as_deref() == Some(request.as_str()) => return Ok(()),
                Some(_) => return Err(DeskError::Exists(run.clone())),
                None => {}
            }
            let head = Head::of_new(run, task);
            transaction
                .prepare_cached(
                    "INSERT INTO runs (run, task, epoch, length, head, request) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    run.as_str(),
                    task.as_str(),
                    head.epoch,
                    head.length,
                    head.hash,
                    request.as_str()
                ])?;
            transaction
                .prepare_cached(
                    "INSERT INTO tasks (task, count, last) VALUES (?1, 1, ?2)
                     ON CONFLICT (task) DO UPDATE SET count = count + 1, last = ?2",
                )?
                .execute(params![task.as_str(), transaction.last_insert_rowid()])?;
            let next = Next {
                effect: None,
                event: opening,
                after: &Fold::of(std::slice::from_ref(opening)),
            };
            chain::append(transaction, run, head, next)?;
            Ok(())
        })
    }

    fn claim_now(&self, run: &RunId) -> Result<Claimed<Journal>, DeskError> {
        // What cannot be driven here is refused before anything is touched.
        let before = self.read(|moment| {
            chain::read(moment, run, 0)?;
            Head::of(moment, run)
        })?;
        let owner = Owner::take(&self.root, run)?;
        owner.wait_until_empty(&self.root, run, owner::PATIENCE)?;
        let mut connection = schema::connect(&self.root.journal())?;
        let (epoch, events) = keep(&mut connection, |transaction| {
            let events = chain::read(transaction, run, 0)?;
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
        let lease = Lease {
            run: run.clone(),
            epoch: epoch.unsigned_abs(),
        };
        let journal = Journal::of(Holder {
            connection,
            lease: lease.clone(),
            fold: Fold::of(&events),
            owner,
            late: None,
        });
        Ok(Claimed { journal, lease, events })
    }

    fn post_now(&self, request: &Request, run: &RunId, event: &Event) -> Result<(), DeskError> {
        let signal = format::signal_name(format::signal(event)?);
        let body = format::write(event)?;
        keep(&mut self.connection(), |transaction| {
            Head::of(transaction, run)?;
            transaction
                .prepare_cached(
                    "INSERT INTO mail (run, signal, v, body, request) SELECT ?1, ?2, ?3, ?4, ?5
                     WHERE NOT EXISTS (SELECT 1 FROM mail WHERE run = ?1 AND signal = ?2 AND taken_seq IS NULL)
                     AND NOT EXISTS (SELECT 1 FROM mail WHERE request = ?5)",
                )?
                .execute(params![run.as_str(), signal, VERSION, body, request.as_str()])?;
            Ok(())
        })
    }

    fn ask_to_stop_now(&self, request: &Request, run: &RunId) -> Result<Hold, DeskError> {
        let hold = self.hold_now(run)?;
        if hold != Hold::Driven {
            return Ok(hold);
        }
        keep(&mut self.connection(), |transaction| {
            transaction
                .prepare_cached(
                    "UPDATE runs SET asked = asked + 1, stop_epoch = epoch, stop_request = ?2
                     WHERE run = ?1 AND stop_request IS NOT ?2",
                )?
                .execute([run.as_str(), request.as_str()])?;
            Ok(Hold::Driven)
        })
    }

    fn hold_now(&self, run: &RunId) -> Result<Hold, DeskError> {
        let head = self.read(|moment| Head::of(moment, run))?;
        owner::hold(&self.root, run, head.epoch)
    }

    fn runs_of_now(&self, task: &TaskId) -> Result<TaskRuns, DeskError> {
        self.read(|moment| {
            let mut statement = moment.prepare_cached(
                "SELECT tasks.count, runs.run FROM tasks JOIN runs ON runs.number = tasks.last WHERE tasks.task = ?1",
            )?;
            let found = statement.query_row([task.as_str()], |row| {
                Ok(TaskRuns {
                    count: row.get::<_, i64>(0)?.unsigned_abs(),
                    last: Some(RunId::new(row.get::<_, String>(1)?)),
                })
            });
            Ok(found.optional()?.unwrap_or_default())
        })
    }
}

impl Desk for Sqlite {
    type Journal = Journal;

    async fn open(&self, request: &Request, run: &RunId, opening: &Event) -> Result<(), DeskError> {
        let (request, run, opening) = (request.clone(), run.clone(), opening.clone());
        self.off_thread(move |desk| desk.open_now(&request, &run, &opening))
            .await
    }

    /// The request is not looked at: whoever could lose an answer of this
    /// machine's own file is dead, and its hold with it.
    async fn claim(&self, _request: &Request, run: &RunId) -> Result<Claimed<Journal>, DeskError> {
        let run = run.clone();
        self.off_thread(move |desk| desk.claim_now(&run)).await
    }

    async fn renew(&self, lease: &Lease) -> Result<Renewed, Lost> {
        let lease = lease.clone();
        let head = self.off_thread(move |desk| journal::fence(&desk.connection(), &lease));
        let head = head.await?;
        Ok(match head.stop_epoch == Some(head.epoch) {
            true => Renewed::StopAsked,
            false => Renewed::GoOn,
        })
    }

    async fn release(&self, journal: Journal) -> Result<(), DeskError> {
        blocking(move || drop(journal)).await;
        Ok(())
    }

    async fn post(&self, request: &Request, run: &RunId, event: &Event) -> Result<(), DeskError> {
        let (request, run, event) = (request.clone(), run.clone(), event.clone());
        self.off_thread(move |desk| desk.post_now(&request, &run, &event)).await
    }

    async fn ask_to_stop(&self, request: &Request, run: &RunId) -> Result<Hold, DeskError> {
        let (request, run) = (request.clone(), run.clone());
        self.off_thread(move |desk| desk.ask_to_stop_now(&request, &run)).await
    }

    async fn history(&self, run: &RunId, from: u64) -> Result<Vec<Event>, DeskError> {
        let run = run.clone();
        self.off_thread(move |desk| desk.read(|moment| chain::read(moment, &run, from)))
            .await
    }

    async fn headlines(&self, query: &Query) -> Result<RunPage, DeskError> {
        let query = query.clone();
        self.off_thread(move |desk| desk.read(|moment| page::page(moment, &desk.root, &query)))
            .await
    }

    async fn runs_of(&self, task: &TaskId) -> Result<TaskRuns, DeskError> {
        let task = task.clone();
        self.off_thread(move |desk| desk.runs_of_now(&task)).await
    }

    async fn hold(&self, run: &RunId) -> Result<Hold, DeskError> {
        let run = run.clone();
        self.off_thread(move |desk| desk.hold_now(&run)).await
    }

    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Ready, DeskError> {
        self.off_thread(move |desk| desk.read(|moment| ready::ready(moment, &desk.root, now, limit)))
            .await
    }
}
