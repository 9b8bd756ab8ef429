//! Where the time of a run went, from its events alone.

use crate::{
    control::{Control, Sabotage},
    criterion::Role,
    event::Event,
    id::Timestamp,
    run::{Position, ReplayError, Run, Work},
};
use alloc::{collections::BTreeMap, vec::Vec};
use serde::Serialize;

/// What a run did, or did not do, for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// The checks on the base.
    Baseline,
    /// Turns of the agent.
    Turns,
    /// The checks on what a turn left.
    Checks,
    /// The checks on sabotaged trees.
    Controls,
    /// The commit and its branch.
    Delivery,
    /// Nothing: a person or the world was waited for.
    Waiting,
}

/// Where the time of a run went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TimeSpent {
    /// How long each activity took, and how often it was taken up, in the order
    /// in which a run comes to them. Time in which nobody drove the run counts
    /// for what was under way.
    pub activities: Vec<ActivityTime>,
    /// How long controls of each kind took together. Several run at once, so
    /// their sum may be longer than the time they took.
    pub controls: Vec<ControlTime>,
    /// One execution of the guard that takes longest, on the base.
    pub guard_ms: Option<u64>,
}

/// How long an activity took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ActivityTime {
    /// The activity.
    pub activity: Activity,
    /// How long it took in all.
    pub took_ms: u64,
    /// How often it was taken up.
    pub times: u32,
}

/// How long controls of one kind took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ControlTime {
    /// What was done to the tree.
    pub sabotage: Sabotage,
    /// How long all of them took.
    pub took_ms: u64,
}

impl TimeSpent {
    /// Where the time of the run with these events went.
    pub fn of(events: &[Event]) -> Result<Self, ReplayError> {
        let Some((first, rest)) = events.split_first() else {
            return Err(ReplayError::NotOpened);
        };
        let mut run = Run::replay([first])?;
        let mut last = first.at();
        let mut activities: BTreeMap<Activity, (u64, u32)> = BTreeMap::new();
        let mut controls: BTreeMap<Sabotage, u64> = BTreeMap::new();
        let mut under_way = None;
        for event in rest {
            let now = activity(run.position());
            if let Some(activity) = now {
                let (took_ms, times) = activities.entry(activity).or_default();
                *took_ms += between(last, event.at());
                *times += u32::from(under_way != now);
            }
            under_way = now;
            if let Event::Challenged(challenged) = event {
                for one in distinct(&challenged.controls) {
                    *controls.entry(one.sabotage).or_default() += one.took_ms;
                }
            }
            last = event.at();
            run.apply(event)?;
        }
        Ok(Self {
            activities: activities
                .into_iter()
                .map(|(activity, (took_ms, times))| ActivityTime {
                    activity,
                    took_ms,
                    times,
                })
                .collect(),
            controls: controls
                .into_iter()
                .map(|(sabotage, took_ms)| ControlTime { sabotage, took_ms })
                .collect(),
            guard_ms: guard_ms(&run),
        })
    }

    /// How long was worked: all but what somebody was waited for.
    pub fn worked_ms(&self) -> u64 {
        let worked = self.activities.iter().filter(|one| one.activity != Activity::Waiting);
        worked.map(|one| one.took_ms).sum()
    }

    /// What trueup itself took: neither the agent nor whoever was waited for.
    pub fn own_ms(&self) -> u64 {
        let own = self
            .activities
            .iter()
            .filter(|one| !matches!(one.activity, Activity::Turns | Activity::Waiting));
        own.map(|one| one.took_ms).sum()
    }
}

/// What a run at this position does; nothing once it is over.
const fn activity(position: &Position) -> Option<Activity> {
    match position {
        Position::Working(Work::Baseline) => Some(Activity::Baseline),
        Position::Working(Work::Turn) => Some(Activity::Turns),
        Position::Working(Work::Verify | Work::Confirm) => Some(Activity::Checks),
        Position::Working(Work::Challenge) => Some(Activity::Controls),
        Position::Working(Work::Commit | Work::Publish(_)) => Some(Activity::Delivery),
        Position::Paused(..) => Some(Activity::Waiting),
        Position::Done(_) => None,
    }
}

/// The time between two moments; none where a clock was set back.
fn between(one: Timestamp, other: Timestamp) -> u64 {
    u64::try_from(other.0.saturating_sub(one.0)).unwrap_or(0)
}

/// What is said of several checks, or in two ways, was executed once.
fn distinct(controls: &[Control]) -> Vec<&Control> {
    let mut distinct: Vec<&Control> = Vec::new();
    for one in controls {
        let is_same = |other: &&Control| other.output == one.output && other.took_ms == one.took_ms;
        if !distinct.iter().any(is_same) {
            distinct.push(one);
        }
    }
    distinct
}

/// How long the guard that takes longest took on the base.
fn guard_ms(run: &Run) -> Option<u64> {
    let guards = run.opening().task.checks().filter(|check| check.role == Role::Guard);
    let took = guards.filter_map(|check| {
        let mut seen = run.base_evidence().iter();
        let seen = seen.find(|evidence| evidence.check == check.id)?;
        check.execution().map(|_| seen.took_ms)
    });
    took.max()
}
