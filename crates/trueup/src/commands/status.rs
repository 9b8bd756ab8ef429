//! `trueup status`: what waits for a person, what runs, and what is done.

use crate::{
    args::{Global, Status},
    exit::{Exit, Failure},
    fates::{self, Seen, TaskRun},
    foreground::wait,
    project::Project,
    render,
    runs::{is_unfinished, meant, never_run},
    task::TaskFile,
};
use std::collections::BTreeMap;
use trueup_core::{
    fate::{Fate, LaterRuns},
    id::TaskId,
};
use trueup_engine::durable::{Cursor, Desk, DeskError, Filter, Hold, Query, Summary};

/// One page of the list.
pub(crate) struct Listing {
    /// The tasks that wait for a person; on the first page alone.
    pub(crate) waiting: Vec<Row>,
    /// Whether more of them wait than were looked at.
    pub(crate) more_wait: bool,
    /// The tasks, by their names.
    pub(crate) rows: Vec<Row>,
    /// The task behind which the next page begins, if there is one.
    pub(crate) next: Option<String>,
}

/// One line of the list.
pub(crate) struct Row {
    /// The task.
    pub(crate) task: String,
    /// Its last run, if it was ever run.
    pub(crate) last: Option<Listed>,
}

/// The last run of a task.
#[derive(Clone)]
pub(crate) struct Listed {
    /// The run.
    pub(crate) summary: Summary,
    /// What became of it.
    pub(crate) fate: Option<Fate>,
    /// The last run before it that delivered something, where this one has not.
    pub(crate) delivered: Option<TaskRun>,
}

/// A task, and its last run if it was ever run.
type Named = (String, Option<Summary>);

/// Lists tasks with their last runs, a page at a time, or the runs of a task.
pub(crate) fn status(project: &Project, status: &Status, global: &Global) -> Result<Exit, Failure> {
    if let Some(name) = &status.task {
        return of_task(project, name, global);
    }
    let listing = list(project, status)?;
    if global.json {
        render::status_json(&listing)?;
    } else {
        render::status_lines(&listing);
    }
    Ok(Exit::Verified)
}

/// Lists every run of a task, the last one first.
fn of_task(project: &Project, name: &str, global: &Global) -> Result<Exit, Failure> {
    let task = TaskId::new(meant(project, Some(name))?);
    let runs = fates::of_task(project, &task)?;
    if runs.is_empty() {
        return Err(never_run(project, name));
    }
    if global.json {
        render::runs_json(&task, &runs)?;
    } else {
        render::run_lines(&task, &runs);
    }
    Ok(Exit::Verified)
}

fn list(project: &Project, status: &Status) -> Result<Listing, Failure> {
    let limit = usize::try_from(status.limit).unwrap_or(usize::MAX);
    let query = Query {
        filter: Filter::LastOfEachTask,
        after: status.after.clone().map(Cursor::behind),
        limit,
    };
    let page = wait(project.desk()?.headlines(&query))??;
    let mut rows: BTreeMap<String, Option<Summary>> = BTreeMap::new();
    // What was never run is known by its file alone, and only within this page.
    for file in TaskFile::all(project)? {
        let id = file.id();
        let follows = status.after.as_ref().is_none_or(|after| id > *after);
        let fits = page.next.as_ref().is_none_or(|last| id.as_str() <= last.as_str());
        if follows && fits {
            rows.insert(id, None);
        }
    }
    rows.extend(page.runs.into_iter().map(|run| (run.task.to_string(), Some(run))));
    let more = page.next.is_some() || rows.len() > limit;
    let rows: Vec<Named> = rows.into_iter().take(limit).collect();
    let next = rows.last().filter(|_| more).map(|(task, _)| task.clone());
    let (waiting, more_wait) = match status.after {
        Some(_) => (Vec::new(), false),
        None => waiting(project, limit)?,
    };
    let [waiting, rows] = with_fates(project, [waiting, rows])?;
    Ok(Listing {
        waiting,
        more_wait,
        rows,
        next,
    })
}

/// The tasks whose last run waits until a person says something, and whether
/// there may be more.
fn waiting(project: &Project, limit: usize) -> Result<(Vec<Named>, bool), Failure> {
    let desk = project.desk()?;
    let page = wait(desk.headlines(&Query::first(Filter::Unfinished, limit)))??;
    let mut waiting = wait(async {
        let mut waiting = Vec::new();
        for run in page.runs {
            let waits = run.hold == Hold::Free && is_unfinished(&run.headline.position);
            if waits && desk.runs_of(&run.task).await?.last.as_ref() == Some(&run.run) {
                waiting.push((run.task.to_string(), Some(run)));
            }
        }
        Ok::<_, DeskError>(waiting)
    })??;
    waiting.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok((waiting, page.next.is_some()))
}

/// What became of the last run of each of these tasks, asked for all of them at
/// once: a task that waits stands in both lists.
fn with_fates(project: &Project, lists: [Vec<Named>; 2]) -> Result<[Vec<Row>; 2], Failure> {
    let mut listed: BTreeMap<&str, Listed> = BTreeMap::new();
    for (task, last) in lists.iter().flatten() {
        if let Some(summary) = last.as_ref().filter(|_| !listed.contains_key(task.as_str())) {
            let one = Listed {
                summary: summary.clone(),
                fate: None,
                delivered: fates::delivered_before(project, summary)?,
            };
            listed.insert(task, one);
        }
    }
    let seen = listed.values().flat_map(|Listed { summary, delivered, .. }| {
        let last = Seen {
            position: &summary.headline.position,
            hold: summary.hold,
            later: LaterRuns::None,
        };
        let before = delivered.as_ref().map(|run| Seen {
            position: &run.headline.position,
            hold: run.hold,
            later: LaterRuns::Undelivered,
        });
        [last].into_iter().chain(before)
    });
    let mut became = fates::of(project, &seen.collect::<Vec<_>>())?.into_iter();
    for one in listed.values_mut() {
        one.fate = became.next().flatten();
        if let Some(run) = &mut one.delivered {
            run.fate = became.next().flatten();
        }
    }
    let row = |(task, _): &Named| Row {
        task: task.clone(),
        last: listed.get(task.as_str()).cloned(),
    };
    Ok(lists.each_ref().map(|list| list.iter().map(row).collect()))
}
