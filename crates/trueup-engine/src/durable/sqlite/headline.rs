//! The headline of each run, kept beside its events so that a list of runs
//! need not fold them all.
//!
//! It is derived, and never the truth: it counts only for the very end of the
//! chain it was computed at, under the shape it has today, and whoever finds
//! another one folds the events. Nothing but a list reads it.

use super::chain;
use crate::durable::{DeskError, Entry};
use rusqlite::Connection;
use std::{collections::HashSet, thread};
use trueup_core::{
    digest::Digest,
    event::Event,
    id::{RunId, TaskId},
    report::Headline,
    run::{Position, Run},
};

/// Raised whenever the same run could get another headline than before.
const SHAPE: &[u8] = b"3";

/// How many rows are not worth a second thread.
const ALONE: usize = 500;

/// A run as its journal sees it come along; nothing where its events do not
/// fit these rules, which whoever drives it will say.
#[derive(Clone, Debug)]
pub(super) struct Fold(Option<Run>);

impl Fold {
    /// The run these events make.
    pub(super) fn of(events: &[Event]) -> Self {
        Self(Run::replay(events).ok())
    }

    /// A run nobody has folded: whoever lists it folds its events.
    pub(super) const fn unknown() -> Self {
        Self(None)
    }

    /// Applies one more event.
    pub(super) fn apply(&mut self, event: &Event) {
        if self.0.as_mut().is_some_and(|run| run.apply(event).is_err()) {
            self.0 = None;
        }
    }

    /// The run after one more event.
    #[must_use]
    pub(super) fn after(&self, event: &Event) -> Self {
        let mut after = self.clone();
        after.apply(event);
        after
    }

    /// The headline of the run, as it is written: of one that rests. One that
    /// works is about to get another, and few do at a time, so whoever lists
    /// them folds their events.
    pub(super) fn line(&self) -> Result<Option<String>, DeskError> {
        let resting = self
            .0
            .as_ref()
            .filter(|run| !matches!(run.position(), Position::Working(_)));
        let line = resting.map(|run| serde_json::to_string(&Headline::of_run(run)));
        line.transpose().map_err(|error| DeskError::Journal(error.to_string()))
    }
}

/// A row of the runs, as it is kept: its texts one behind the other, because
/// thousands are read and each would be a piece of memory of its own.
struct Row {
    texts: String,
    /// Where each of the texts ends.
    ends: [usize; COLUMNS],
}

/// What is read of a row: run, task, end of the chain, headline and its seal.
const COLUMNS: usize = 5;

impl Row {
    fn read(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        let mut texts = [""; COLUMNS];
        for (column, place) in texts.iter_mut().enumerate() {
            *place = text(row, column)?;
        }
        let mut ends = [0; COLUMNS];
        let mut end = 0;
        for (place, text) in ends.iter_mut().zip(texts) {
            end += text.len();
            *place = end;
        }
        Ok(Self {
            texts: texts.concat(),
            ends,
        })
    }

    fn texts(&self) -> [&str; COLUMNS] {
        let mut start = 0;
        self.ends.map(|end| {
            let text = self.texts.get(start..end).unwrap_or_default();
            start = end;
            text
        })
    }

    fn entry(&self) -> Entry {
        let [run, task, ..] = self.texts();
        Entry {
            run: RunId::new(run),
            task: TaskId::new(task),
        }
    }

    /// The headline, if it is of today's shape and of the chain's very end.
    fn headline(&self) -> Option<Headline> {
        let [_, _, head, line, kept] = self.texts();
        let fits = !line.is_empty() && seal(head, line) == kept;
        fits.then(|| serde_json::from_str(line).ok()).flatten()
    }
}

/// A column of another type than text is damage, and shows as no text.
fn text<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Result<&'a str, rusqlite::Error> {
    Ok(row.get_ref(column)?.as_str().unwrap_or_default())
}

/// The last run of every task, with its headline. One walk over the rows, the
/// newest first; nothing is copied of a row that is not the last of its task.
pub(super) fn latest(moment: &Connection) -> Result<Vec<(Entry, Headline)>, DeskError> {
    let rows = last_rows(moment)?;
    let headlines = headlines(&rows);
    let mut latest = Vec::with_capacity(rows.len());
    for (row, headline) in rows.into_iter().zip(headlines) {
        let entry = row.entry();
        let headline = match headline {
            Some(headline) => headline,
            None => folded(moment, &entry.run)?,
        };
        latest.push((entry, headline));
    }
    latest.sort_by(|(one, _), (other, _)| one.task.cmp(&other.task));
    Ok(latest)
}

fn last_rows(moment: &Connection) -> Result<Vec<Row>, DeskError> {
    let mut statement =
        moment.prepare_cached("SELECT run, task, head, headline, headline_seal FROM runs ORDER BY number DESC")?;
    let mut found = statement.query([])?;
    let (mut seen, mut rows) = (HashSet::new(), Vec::new());
    while let Some(row) = found.next()? {
        let task = text(row, 1)?;
        if !seen.contains(task) {
            seen.insert(task.to_owned());
            rows.push(Row::read(row)?);
        }
    }
    Ok(rows)
}

/// The headlines of rows, in their order. Thousands of seals are worth more
/// than one processor.
fn headlines(rows: &[Row]) -> Vec<Option<Headline>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let share = rows.len().div_ceil(processors).max(ALONE);
    let read = |rows: &[Row]| rows.iter().map(Row::headline).collect::<Vec<_>>();
    thread::scope(|scope| {
        let mut shares = rows.chunks(share);
        let first = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|share| (share.len(), scope.spawn(move || read(share))))
            .collect();
        let mut headlines = read(first);
        for (count, other) in others {
            // Whoever could not read its share leaves it to be folded.
            headlines.extend(other.join().unwrap_or_else(|_| vec![None; count]));
        }
        headlines
    })
}

fn folded(moment: &Connection, run: &RunId) -> Result<Headline, DeskError> {
    let events = chain::read(moment, run)?;
    let run = Run::replay(&events).map_err(|error| DeskError::Journal(error.to_string()))?;
    Ok(Headline::of_run(&run))
}

/// What binds a headline to the end of the chain it was computed at.
pub(super) fn seal(head: &str, line: &str) -> String {
    Digest::of_fields([SHAPE, head.as_bytes(), line.as_bytes()])
        .as_str()
        .to_owned()
}
