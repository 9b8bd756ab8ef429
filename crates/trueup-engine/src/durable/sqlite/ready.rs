//! Which runs could be driven on now.

use super::{chain, owner};
use crate::{
    durable::{
        DeskError, Ready,
        format::{self, WORK},
    },
    state::StateRoot,
};
use rusqlite::{Connection, Params, params};
use trueup_core::{
    event::Signal,
    id::{RunId, Timestamp},
    run::{Run, Step},
    schedule::Readiness,
};

/// Runs that want something done; one that was never claimed has no epoch yet.
const WORKING: &str = "SELECT run, epoch FROM runs INDEXED BY waiting_runs
    WHERE waits_for = ?1 AND waits_for IS NOT 'done' ORDER BY number";

/// Runs whose moment has come.
const DUE: &str = "SELECT run, epoch FROM runs INDEXED BY waiting_runs
    WHERE waits_for = 'time' AND due <= ?1 AND waits_for IS NOT 'done' ORDER BY due";

/// Runs that have a letter they would hear, as `format::heard_as` has it.
const ANSWERED: &str = "SELECT DISTINCT runs.run, runs.epoch FROM mail INDEXED BY waiting_mail
    JOIN runs ON runs.run = mail.run WHERE mail.taken_seq IS NULL AND runs.waits_for IS NOT 'done'
    AND (mail.signal = runs.waits_for OR (runs.waits_for IN ('time', 'advice') AND mail.signal = 'resume')
        OR (runs.waits_for IN ('budget', 'advice') AND mail.signal = 'answer')) ORDER BY runs.number";

/// Runs of which an older trueup did not say what they wait for.
const UNKNOWN: &str = "SELECT run, epoch FROM runs INDEXED BY waiting_runs
    WHERE waits_for IS NULL AND waits_for IS NOT 'done'";

/// The next moment that somebody waits for.
const NEXT: &str = "SELECT MIN(due) FROM runs INDEXED BY waiting_runs
    WHERE waits_for = 'time' AND due > ?1 AND waits_for IS NOT 'done'";

pub(super) fn ready(moment: &Connection, root: &StateRoot, now: Timestamp, limit: usize) -> Result<Ready, DeskError> {
    let mut found = Vec::new();
    for (run, epoch) in rows(moment, WORKING, [WORK])? {
        found.push((run, working(epoch)));
    }
    found.extend(
        rows(moment, DUE, [now.0])?
            .into_iter()
            .map(|(run, _)| (run, Readiness::Due)),
    );
    let answered = rows(moment, ANSWERED, [])?.into_iter();
    found.extend(answered.map(|(run, _)| (run, Readiness::Answered)));
    let mut next: Option<i64> = moment.prepare_cached(NEXT)?.query_row([now.0], |row| row.get(0))?;
    for (run, epoch) in rows(moment, UNKNOWN, [])? {
        let (readiness, due) = folded(moment, &run, epoch, now)?;
        next = [next, due.map(|due| due.0)].into_iter().flatten().min();
        found.extend(readiness.map(|readiness| (run, readiness)));
    }
    let mut runs: Vec<(RunId, Readiness)> = Vec::new();
    for (run, readiness) in found {
        let is_known = runs.iter().any(|(known, _)| *known == run);
        if runs.len() < limit && !is_known && !owner::is_driven(root, &run)? {
            runs.push((run, readiness));
        }
    }
    Ok(Ready {
        runs,
        next: next.map(Timestamp),
    })
}

fn rows(moment: &Connection, query: &str, bound: impl Params) -> Result<Vec<(RunId, i64)>, DeskError> {
    let mut statement = moment.prepare_cached(query)?;
    let rows = statement.query_map(bound, |row| Ok((RunId::new(row.get::<_, String>(0)?), row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

const fn working(epoch: i64) -> Readiness {
    match epoch {
        0 => Readiness::Queued,
        _ => Readiness::Abandoned,
    }
}

/// Why a run is ready, by its events, or the moment it waits for.
fn folded(
    moment: &Connection,
    run: &RunId,
    epoch: i64,
    now: Timestamp,
) -> Result<(Option<Readiness>, Option<Timestamp>), DeskError> {
    let events = chain::read(moment, run, 0)?;
    let folded = Run::replay(&events).map_err(|error| DeskError::Journal(error.to_string()))?;
    Ok(match folded.next() {
        Step::Do(_) => (Some(working(epoch)), None),
        Step::Done(_) => (None, None),
        Step::Await(Signal::Time(due)) if due <= now => (Some(Readiness::Due), None),
        Step::Await(signal) => {
            let [one, other] = format::heard_as(signal);
            let came: bool = moment
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM mail WHERE run = ?1 AND signal IN (?2, ?3) AND taken_seq IS NULL)",
                )?
                .query_row(params![run.as_str(), one, other], |row| row.get(0))?;
            let due = match signal {
                Signal::Time(due) => Some(due),
                Signal::Resume | Signal::Space | Signal::Budget | Signal::Answer | Signal::Advice => None,
            };
            (came.then_some(Readiness::Answered), due)
        }
    })
}
