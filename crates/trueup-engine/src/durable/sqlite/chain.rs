//! Events as rows, each carrying the hash of the one before it.
//!
//! The chain begins with the run's name and task and ends in the run's own
//! row, so that no row can be changed, moved, added or taken away, not even
//! the last, without the reader seeing it.

use super::headline::{self, Fold};
use crate::durable::{
    DeskError,
    format::{self, Place},
};
use rusqlite::{Connection, OptionalExtension, Row, params};
use trueup_core::{
    digest::Digest,
    event::{Event, VERSION},
    id::{RunId, TaskId},
};

/// Where a run's chain ends, and who may lengthen it.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) task: TaskId,
    pub(super) epoch: i64,
    pub(super) length: i64,
    pub(super) hash: String,
    /// How often the run was asked to stop.
    pub(super) asked: i64,
    /// The epoch whose holder was asked last.
    pub(super) stop_epoch: Option<i64>,
}

/// One kept event, as it lies in its row.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) seq: i64,
    pub(super) epoch: i64,
    effect: Option<String>,
    version: u32,
    body: String,
    prev: String,
    pub(super) hash: String,
}

impl Head {
    /// The end of a chain that holds nothing yet.
    pub(super) fn of_new(run: &RunId, task: &TaskId) -> Self {
        Self {
            task: task.clone(),
            epoch: 0,
            length: 0,
            hash: first_prev(run, task),
            asked: 0,
            stop_epoch: None,
        }
    }

    /// The end of a run's chain.
    pub(super) fn of(connection: &Connection, run: &RunId) -> Result<Self, DeskError> {
        Self::find(connection, run)?.ok_or_else(|| DeskError::Unknown(run.clone()))
    }

    /// The end of a run's chain, and whether an event is kept for this effect.
    pub(super) fn with_effect(connection: &Connection, run: &RunId, effect: &str) -> Result<(Self, bool), DeskError> {
        let mut statement = connection.prepare_cached(
            "SELECT task, epoch, length, head, asked, stop_epoch,
             EXISTS (SELECT 1 FROM events WHERE run = ?1 AND effect = ?2) FROM runs WHERE run = ?1",
        )?;
        let found = statement.query_row([run.as_str(), effect], |row| Ok((Self::of_row(row)?, row.get(6)?)));
        found.optional()?.ok_or_else(|| DeskError::Unknown(run.clone()))
    }

    /// The end of a run's chain, if there is such a run.
    pub(super) fn find(connection: &Connection, run: &RunId) -> Result<Option<Self>, DeskError> {
        let mut statement = connection
            .prepare_cached("SELECT task, epoch, length, head, asked, stop_epoch FROM runs WHERE run = ?1")?;
        Ok(statement.query_row([run.as_str()], Self::of_row).optional()?)
    }

    /// The end of the chain as it was after so many events.
    fn at(connection: &Connection, run: &RunId, head: &Self, length: i64) -> Result<Self, DeskError> {
        let mut statement = connection.prepare_cached("SELECT epoch, hash FROM events WHERE run = ?1 AND seq = ?2")?;
        let found = statement.query_row(params![run.as_str(), length], |row| Ok((row.get(0)?, row.get(1)?)));
        let seq = length.unsigned_abs();
        let (epoch, hash) = found
            .optional()?
            .ok_or_else(|| damaged(Place { run, seq }, "it is missing"))?;
        Ok(Self {
            epoch,
            length,
            hash,
            ..Self::of_new(run, &head.task)
        })
    }

    fn of_row(row: &Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Self {
            task: TaskId::new(row.get::<_, String>(0)?),
            epoch: row.get(1)?,
            length: row.get(2)?,
            hash: row.get(3)?,
            asked: row.get(4)?,
            stop_epoch: row.get(5)?,
        })
    }
}

/// What hangs onto a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next<'a> {
    pub(super) effect: Option<&'a str>,
    pub(super) event: &'a Event,
    /// The run after it.
    pub(super) after: &'a Fold,
}

/// Hangs an event onto the chain, and the headline of the run after it beside
/// the chain's end; answers its place.
pub(super) fn append(connection: &Connection, run: &RunId, head: Head, next: Next<'_>) -> Result<i64, DeskError> {
    let mut link = Link {
        seq: head.length + 1,
        epoch: head.epoch,
        effect: next.effect.map(str::to_owned),
        version: VERSION,
        body: format::write(next.event)?,
        prev: head.hash,
        hash: String::new(),
    };
    link.hash = link.digest(run);
    let line = next.after.line()?;
    let seal = line.as_ref().map(|line| headline::seal(&link.hash, line));
    link.put(connection, run)?;
    let (waits_for, due) = next.after.waits_for();
    connection
        .prepare_cached(
            "UPDATE runs SET length = ?2, head = ?3, headline = ?4, headline_seal = ?5, waits_for = ?6, due = ?7
             WHERE run = ?1",
        )?
        .execute(params![run.as_str(), link.seq, link.hash, line, seal, waits_for, due])?;
    Ok(link.seq)
}

/// The event kept for an effect, if one is.
pub(super) fn of_effect(connection: &Connection, run: &RunId, effect: &str) -> Result<Option<Event>, DeskError> {
    let mut statement = connection.prepare_cached("SELECT seq, v, body FROM events WHERE run = ?1 AND effect = ?2")?;
    let found = statement.query_row([run.as_str(), effect], |row| {
        Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get::<_, String>(2)?))
    });
    let Some((seq, version, body)) = found.optional()? else {
        return Ok(None);
    };
    let place = Place {
        run,
        seq: seq.unsigned_abs(),
    };
    format::read(place, version, &body).map(Some)
}

/// What is kept of a run after its first `from` events, each row proved
/// against the chain before a word of it is believed.
pub(super) fn read(connection: &Connection, run: &RunId, from: u64) -> Result<Vec<Event>, DeskError> {
    let head = Head::of(connection, run)?;
    let mut statement = connection.prepare_cached(
        "SELECT seq, epoch, effect, v, body, prev, hash FROM events
         WHERE run = ?1 AND (seq > ?2 OR seq < 1) ORDER BY seq",
    )?;
    let from = i64::try_from(from).unwrap_or(i64::MAX).min(head.length);
    let mut rows = statement.query(params![run.as_str(), from])?;
    let mut last = match from {
        0 => Head::of_new(run, &head.task),
        _ => Head::at(connection, run, &head, from)?,
    };
    let mut links = Vec::new();
    loop {
        let place = Place {
            run,
            seq: last.length.unsigned_abs() + 1,
        };
        let link = match rows.next().map(|row| row.map(Link::of).transpose()) {
            Ok(Ok(Some(link))) => link,
            Ok(Ok(None)) => break,
            Ok(Err(error)) | Err(error) => return Err(damaged(place, &error.to_string())),
        };
        link.prove(place, &last, &head)?;
        last.length = link.seq;
        last.epoch = link.epoch;
        last.hash.clone_from(&link.hash);
        links.push(link);
    }
    if last.length != head.length || last.hash != head.hash {
        let seq = last.length.min(head.length).unsigned_abs() + 1;
        return Err(damaged(
            Place { run, seq },
            "the journal ends elsewhere than it was left",
        ));
    }
    links.iter().map(|link| link.event(run)).collect()
}

impl Link {
    /// Writes the row as it is.
    pub(super) fn put(&self, connection: &Connection, run: &RunId) -> Result<(), DeskError> {
        connection
            .prepare_cached(
                "INSERT INTO events (run, seq, epoch, effect, v, body, prev, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                run.as_str(),
                self.seq,
                self.epoch,
                self.effect,
                self.version,
                self.body,
                self.prev,
                self.hash
            ])?;
        Ok(())
    }

    /// The event that it holds.
    pub(super) fn event(&self, run: &RunId) -> Result<Event, DeskError> {
        let seq = self.seq.unsigned_abs();
        format::read(Place { run, seq }, self.version, &self.body)
    }

    /// Whether it is proved to come next in a chain of which no more is known.
    pub(super) fn follows(&self, run: &RunId, last: &Head) -> bool {
        let seq = self.seq.unsigned_abs();
        let head = Head {
            epoch: i64::MAX,
            ..Head::of_new(run, &last.task)
        };
        self.prove(Place { run, seq }, last, &head).is_ok()
    }

    pub(super) fn of(row: &Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Self {
            seq: row.get(0)?,
            epoch: row.get(1)?,
            effect: row.get(2)?,
            version: row.get(3)?,
            body: row.get(4)?,
            prev: row.get(5)?,
            hash: row.get(6)?,
        })
    }

    /// The hash this row must carry.
    fn digest(&self, run: &RunId) -> String {
        // An effect without a name would otherwise look like no effect.
        let effect = self.effect.as_ref().map(|effect| format!("={effect}"));
        let fields: [&[u8]; 7] = [
            self.prev.as_bytes(),
            run.as_str().as_bytes(),
            &self.seq.to_be_bytes(),
            &self.epoch.to_be_bytes(),
            effect.as_deref().unwrap_or_default().as_bytes(),
            &self.version.to_be_bytes(),
            self.body.as_bytes(),
        ];
        Digest::of_fields(fields).as_str().to_owned()
    }

    /// Proves the row against the one before it and against the run's own.
    fn prove(&self, place: Place<'_>, last: &Head, head: &Head) -> Result<(), DeskError> {
        if self.seq != last.length + 1 {
            return Err(damaged(place, "it is missing"));
        }
        if self.prev != last.hash {
            return Err(damaged(place, "it does not follow from the event before it"));
        }
        if self.hash != self.digest(place.run) {
            return Err(damaged(place, "it was changed after it was kept"));
        }
        if self.epoch < last.epoch || self.epoch > head.epoch {
            return Err(damaged(place, "nobody held the run when it was kept"));
        }
        Ok(())
    }
}

/// What the first event of a run follows from.
pub(super) fn first_prev(run: &RunId, task: &TaskId) -> String {
    let fields = [run.as_str().as_bytes(), task.as_str().as_bytes()];
    Digest::of_fields(fields).as_str().to_owned()
}

fn damaged(place: Place<'_>, what: &str) -> DeskError {
    DeskError::Damaged {
        run: place.run.clone(),
        seq: place.seq,
        what: what.to_owned(),
    }
}
