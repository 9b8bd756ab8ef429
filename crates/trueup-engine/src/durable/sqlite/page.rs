//! Lists of runs, a page at a time.

use super::{chain, headline, owner};
use crate::{
    durable::{Cursor, DeskError, Filter, Hold, Query, RunPage, Summary},
    state::StateRoot,
};
use rusqlite::{Connection, Row, params};
use trueup_core::{
    id::{RunId, TaskId},
    report::Headline,
    run::{Position, Run},
};

/// What is read of each run: its row, and whether both ends of its chain of
/// events are where the row says. No event between them is looked at.
const COLUMNS: &str = "runs.run, head, headline, headline_seal,
    (SELECT prev FROM events WHERE events.run = runs.run AND seq = 1),
    EXISTS (SELECT 1 FROM events
            WHERE events.run = runs.run AND seq = length AND hash = head AND events.epoch <= runs.epoch),
    epoch";

/// One page of the runs that pass a filter.
pub(super) fn page(moment: &Connection, root: &StateRoot, query: &Query) -> Result<RunPage, DeskError> {
    let (task, rows) = match query.filter {
        // A task whose last run is not there is damage, and not left out.
        Filter::LastOfEachTask => (
            "tasks.task",
            "FROM tasks LEFT JOIN runs ON runs.number = tasks.last
             WHERE ?1 IS NULL OR tasks.task > ?1 ORDER BY tasks.task LIMIT ?2",
        ),
        Filter::All => (
            "runs.task",
            "FROM runs
             WHERE ?1 IS NULL OR number < (SELECT number FROM runs WHERE run = ?1) ORDER BY number DESC LIMIT ?2",
        ),
        Filter::Unfinished => (
            "runs.task",
            "FROM runs INDEXED BY unfinished_runs
             WHERE waits_for IS NOT 'done' AND (?1 IS NULL OR number < (SELECT number FROM runs WHERE run = ?1))
             ORDER BY number DESC LIMIT ?2",
        ),
    };
    let rows = format!("SELECT {task}, {COLUMNS} {rows}");
    let mut statement = moment.prepare_cached(&rows)?;
    let after = query.after.as_ref().map(Cursor::as_str);
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX).saturating_add(1);
    let mut rows = statement.query(params![after, limit])?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        runs.push(summary(moment, root, row)?);
    }
    Ok(RunPage::of(query, runs))
}

fn summary(moment: &Connection, root: &StateRoot, row: &Row<'_>) -> Result<Summary, DeskError> {
    let task = TaskId::new(text(row, 0)?);
    let run = RunId::new(text(row, 1)?);
    if run.as_str().is_empty() {
        return Err(DeskError::Unreadable(format!("the last run of {task} is missing")));
    }
    let begins = text(row, 5)? == chain::first_prev(&run, &task);
    if !begins || !row.get::<_, bool>(6)? {
        let what = "what is listed of the run is not what its events say".to_owned();
        return Err(DeskError::Damaged { run, seq: 1, what });
    }
    let headline = match sealed(row)? {
        Some(headline) => headline,
        None => folded(moment, &run)?,
    };
    // Nobody drives what is over; ten thousand locks need not be looked at for that.
    let hold = match headline.position {
        Position::Done(_) => Hold::Free,
        Position::Working(_) | Position::Paused(..) => owner::hold(root, &run, row.get(7)?)?,
    };
    Ok(Summary {
        task,
        run,
        headline,
        hold,
    })
}

/// The headline that lies beside a run, if it is of today's shape and of the
/// chain's very end.
fn sealed(row: &Row<'_>) -> Result<Option<Headline>, rusqlite::Error> {
    let (head, line, kept) = (text(row, 2)?, text(row, 3)?, text(row, 4)?);
    let fits = !line.is_empty() && headline::seal(head, line) == kept;
    Ok(fits.then(|| serde_json::from_str(line).ok()).flatten())
}

/// A column of another type than text is damage, and shows as no text.
fn text<'a>(row: &'a Row<'_>, column: usize) -> Result<&'a str, rusqlite::Error> {
    Ok(row.get_ref(column)?.as_str().unwrap_or_default())
}

fn folded(moment: &Connection, run: &RunId) -> Result<Headline, DeskError> {
    let events = chain::read(moment, run, 0)?;
    let run = Run::replay(&events).map_err(|error| DeskError::Journal(error.to_string()))?;
    Ok(Headline::of_run(&run))
}
