//! What a desk answers about many runs: a page at a time, because nobody reads
//! a hundred thousand.

use super::Hold;
use trueup_core::{
    id::{RunId, TaskId, Timestamp},
    report::Headline,
    schedule::Readiness,
};

/// Which runs are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Which of them.
    pub filter: Filter,
    /// Behind which one the page begins; with the first, where there is none.
    pub after: Option<Cursor>,
    /// How many at most.
    pub limit: usize,
}

/// Which runs, in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The last run of every task, by the name of the task.
    LastOfEachTask,
    /// Every run, the newest first.
    All,
    /// Every run that is not over, the newest first.
    Unfinished,
}

/// Where a page ends: the task listed last in [`Filter::LastOfEachTask`], else
/// the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(String);

/// Some of the runs that pass a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPage {
    /// The runs.
    pub runs: Vec<Summary>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

/// One run, as the desk lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The run.
    pub run: RunId,
    /// Its task.
    pub task: TaskId,
    /// What there is to say about it in one line.
    pub headline: Headline,
    /// Whether somebody drives it.
    pub hold: Hold,
}

/// What a desk knows of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskRuns {
    /// How often it was run.
    pub count: u64,
    /// Its last run.
    pub last: Option<RunId>,
}

/// What could be driven on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// The runs, and why each is ready.
    pub runs: Vec<(RunId, Readiness)>,
    /// When the next run will be due that is not yet.
    pub next: Option<Timestamp>,
}

impl Query {
    /// The first page.
    pub const fn first(filter: Filter, limit: usize) -> Self {
        Self {
            filter,
            after: None,
            limit,
        }
    }
}

impl Cursor {
    /// The place behind this task or run.
    pub fn behind(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name of the task or run.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl RunPage {
    /// The page that these rows make; one more than fits says that others follow.
    pub(super) fn of(query: &Query, mut runs: Vec<Summary>) -> Self {
        let more = runs.len() > query.limit;
        runs.truncate(query.limit);
        let last = runs.last().filter(|_| more);
        let next = last.map(|last| match query.filter {
            Filter::LastOfEachTask => Cursor::behind(last.task.as_str()),
            Filter::All | Filter::Unfinished => Cursor::behind(last.run.as_str()),
        });
        Self { runs, next }
    }
}
