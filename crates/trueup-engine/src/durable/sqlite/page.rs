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

/// One page of the runs that pass a filter.
pub(super) fn page(moment: &Connection, root: &StateRoot, query: &Query) -> Result<RunPage, DeskError> {
    let rows = match query.filter {
        Filter::LastOfEachTask => {
            "SELECT runs.run, runs.task, runs.head, runs.headline, runs.headline_seal
             FROM tasks JOIN runs ON runs.number = tasks.last
             WHERE ?1 IS NULL OR tasks.task > ?1 ORDER BY tasks.task LIMIT ?2"
        }
        Filter::All => {
            "SELECT run, task, head, headline, headline_seal FROM runs
             WHERE ?1 IS NULL OR number < (SELECT number FROM runs WHERE run = ?1) ORDER BY number DESC LIMIT ?2"
        }
        Filter::Unfinished => {
            "SELECT run, task, head, headline, headline_seal FROM runs INDEXED BY unfinished_runs
             WHERE waits_for IS NOT 'done' AND (?1 IS NULL OR number < (SELECT number FROM runs WHERE run = ?1))
             ORDER BY number DESC LIMIT ?2"
        }
    };
    let mut statement = moment.prepare_cached(rows)?;
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
    let run = RunId::new(text(row, 0)?);
    let headline = match sealed(row)? {
        Some(headline) => headline,
        None => folded(moment, &run)?,
    };
    // Nobody drives what is over; ten thousand locks need not be looked at for that.
    let hold = match headline.position {
        Position::Done(_) => Hold::Free,
        Position::Working(_) | Position::Paused(..) => owner::hold(root, &run)?,
    };
    Ok(Summary {
        task: TaskId::new(text(row, 1)?),
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
