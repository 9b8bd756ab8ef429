//! Lists of tasks and of runs: a line each, those that wait for a person first.

use super::{document::waits_for, json, line, next, note, ways_on::ways_on, width::width, words};
use crate::{
    commands::views::{Listed, Listing, Row},
    exit::Failure,
    fates::TaskRun,
};
use owo_colors::OwoColorize;
use serde_json::{Value, json as object};
use std::collections::BTreeSet;
use trueup_core::{
    evidence::Isolation,
    fate::Fate,
    id::TaskId,
    report::Headline,
    run::{Outcome, Position},
};
use trueup_engine::durable::{Hold, Summary};

/// How wide the columns are: the name, where it stands, its turns.
const NAME: usize = 12;
const STANDS: usize = 18;
const TURNS: usize = 10;

/// What `status` prints.
pub(crate) fn status_lines(listing: &Listing) {
    let Listing {
        waiting,
        more_wait,
        rows,
        next: behind,
    } = listing;
    if rows.is_empty() {
        line("No task yet.");
        return next(&["trueup new \"What shall be done\""]);
    }
    // At once: a list of thousands would be as many writes.
    let mut list: Vec<String> = Vec::new();
    if !waiting.is_empty() {
        list.push("Waiting for you:".bold().to_string());
    }
    for row in waiting {
        list.extend(status_row(row));
        list.push(format!("    {}", way_on(row).bold()));
    }
    if *more_wait {
        list.push("    and more, behind `--limit`".into());
    }
    let first: BTreeSet<&str> = waiting.iter().map(|row| row.task.as_str()).collect();
    let others: Vec<&Row> = rows.iter().filter(|row| !first.contains(row.task.as_str())).collect();
    if !waiting.is_empty() && !others.is_empty() {
        list.push(String::new());
    }
    list.extend(others.into_iter().flat_map(status_row));
    line(&list.join("\n"));
    if waiting.is_empty() {
        next_of_unworked(rows);
    }
    if let Some(behind) = behind {
        note("");
        note("More tasks follow:");
        next(&[&format!("trueup status --after {behind}")]);
    }
}

/// What to type where nothing waits for a person: about what was queued, else
/// about the first task that was never run.
fn next_of_unworked(rows: &[Row]) {
    let is_queued = |row: &Row| row.last.as_ref().is_some_and(|last| last.fate == Some(Fate::Queued));
    let commands = match rows.iter().find(|row| row.last.is_none()) {
        _ if rows.iter().any(is_queued) => vec!["trueup up".to_owned()],
        Some(Row { task, .. }) => vec![format!("trueup check {task}"), format!("trueup run {task}")],
        None => return,
    };
    note("");
    next(&commands.iter().map(String::as_str).collect::<Vec<_>>());
}

/// The first thing to type about a row that waits for somebody.
fn way_on(row: &Row) -> String {
    let ways = row.last.as_ref().map(|last| {
        let position = &last.summary.headline.position;
        ways_on(&row.task, position, last.fate)
    });
    ways.into_iter().flatten().next().unwrap_or_default()
}

fn status_row(row: &Row) -> Vec<String> {
    let Some(Listed {
        summary,
        fate,
        delivered,
    }) = &row.last
    else {
        return vec![format!("{:<NAME$} {}", row.task, "never run".dimmed())];
    };
    let mut lines = vec![run_row(&row.task, &summary.headline, summary.hold, *fate)];
    if let Some(run) = delivered {
        let stands = stands(&run.headline, run.fate);
        let place = match run.fate {
            Some(Fate::Merged | Fate::Dropped | Fate::Queued | Fate::Killed | Fate::Overtaken) => String::new(),
            None => format!(", on branch {}", run.branch),
        };
        lines.push(format!("{:NAME$} {} is {stands}{place}", "", run.run));
    }
    lines
}

/// What `status TASK` prints.
pub(crate) fn run_lines(task: &TaskId, runs: &[TaskRun]) {
    let rows = runs
        .iter()
        .map(|run| run_row(run.run.as_str(), &run.headline, run.hold, run.fate));
    line(&rows.collect::<Vec<_>>().join("\n"));
    let last = runs.first().filter(|run| run.hold != Hold::Driven);
    let ways = last.map(|run| ways_on(task.as_str(), &run.headline.position, run.fate));
    let mut ways = ways.unwrap_or_default();
    ways.push(format!("trueup show {task}"));
    note("");
    next(&ways.iter().map(String::as_str).collect::<Vec<_>>());
}

/// One run in one line.
pub(super) fn run_row(name: &str, headline: &Headline, hold: Hold, fate: Option<Fate>) -> String {
    let driven = match hold {
        Hold::Driven => " (running)",
        Hold::Free | Hold::Never => "",
    };
    let stands = stands(headline, fate) + driven;
    let stands = format!("{stands:<STANDS$}");
    let turns = format!("turn {}/{}", headline.turns, headline.turn_limit);
    let before = name.chars().count().max(NAME) + stands.chars().count() + turns.chars().count().max(TURNS) + 3;
    let title = shortened(&words::harmless(&headline.title), before);
    let stands = coloured(&stands, &headline.position, hold, fate);
    format!("{name:<NAME$} {stands} {turns:<TURNS$} {title}")
}

fn stands(headline: &Headline, fate: Option<Fate>) -> String {
    words::stands(&headline.position, headline.isolation, &headline.self_tested, fate)
}

/// The title, as far as the terminal has room for it behind so many letters.
fn shortened(title: &str, before: usize) -> String {
    let room = width().map_or(usize::MAX, |width| width.saturating_sub(before));
    if title.chars().count() <= room {
        return title.to_owned();
    }
    let kept: String = title.chars().take(room.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Green is done, yellow waits for a person, red did not come to an end.
fn coloured(text: &str, position: &Position, hold: Hold, fate: Option<Fate>) -> String {
    match (position, hold, fate) {
        (_, _, Some(Fate::Dropped | Fate::Overtaken)) => text.dimmed().to_string(),
        (_, _, Some(Fate::Killed)) | (Position::Done(Outcome::Refused(_)), _, _) => text.red().to_string(),
        (Position::Done(Outcome::Verified { .. }), _, _) => text.green().to_string(),
        (Position::Done(Outcome::Waived { .. }), _, _) | (Position::Paused(..), Hold::Free, _) => {
            text.yellow().to_string()
        }
        (Position::Working(_) | Position::Paused(..), _, _) => text.cyan().to_string(),
        (Position::Done(Outcome::NothingToDo), _, _) => text.to_owned(),
    }
}

/// What `status --json` prints.
pub(crate) fn status_json(listing: &Listing) -> Result<(), Failure> {
    let tasks: Vec<Value> = listing.rows.iter().map(task_document).collect();
    let waiting = listing.waiting.iter().map(|row| {
        let mut document = task_document(row);
        document["next"] = way_on(row).into();
        document
    });
    let waiting: Vec<Value> = waiting.collect();
    let mut document = object!({ "v": 1, "waiting": waiting, "tasks": tasks });
    if let Some(next) = &listing.next {
        document["next"] = next.as_str().into();
    }
    json(&document)
}

fn task_document(row: &Row) -> Value {
    let Some(Listed {
        summary: Summary {
            run, headline, hold, ..
        },
        fate,
        delivered,
    }) = &row.last
    else {
        return object!({ "task": row.task, "outcome": "never_run" });
    };
    let mut document = object!({ "task": row.task, "run": run, "driven": *hold == Hold::Driven, "fate": fate });
    extend(&mut document, headline);
    document["delivered"] = delivered.as_ref().map(run_document).into();
    document
}

/// What `status TASK --json` prints.
pub(crate) fn runs_json(task: &TaskId, runs: &[TaskRun]) -> Result<(), Failure> {
    let runs: Vec<Value> = runs.iter().map(run_document).collect();
    json(&object!({ "v": 1, "task": task, "runs": runs }))
}

fn run_document(run: &TaskRun) -> Value {
    let mut document = object!({
        "run": run.run,
        "driven": run.hold == Hold::Driven,
        "fate": run.fate,
        "branch": run.branch,
        "commit": run.headline.position.delivered(),
    });
    extend(&mut document, &run.headline);
    document
}

/// What a headline adds to a document.
fn extend(document: &mut Value, headline: &Headline) {
    document["title"] = headline.title.as_str().into();
    document["outcome"] = words::outcome(&headline.position).into();
    document["waits_for"] = waits_for(&headline.position);
    document["isolated"] = (headline.isolation == Isolation::Bubblewrap).into();
    document["isolation"] = object!(headline.isolation);
    document["self_tested"] = object!(headline.self_tested);
    document["turns"] = headline.turns.into();
    document["turn_limit"] = headline.turn_limit.into();
}
