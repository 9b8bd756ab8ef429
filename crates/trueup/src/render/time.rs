//! Where the time of a run went.

use super::{line, next, note, words};
use crate::commands::views::RunView;
use owo_colors::OwoColorize;
use trueup_core::{
    control::Sabotage,
    time_spent::{Activity, ActivityTime, ControlTime, TimeSpent},
};

/// What `show --time` prints.
pub(crate) fn time_lines(shown: &RunView) {
    let (report, time) = (&shown.report, &shown.time);
    line(&format!("{} {}", report.run.bold(), words::harmless(&report.title)));
    for row in rows(time) {
        line(&row.line());
    }
    line(&format!("  {}", ratio(time)));
    note("");
    next(&[&format!("trueup show {}", report.task)]);
}

/// What one activity took.
pub(super) struct TimeRow {
    /// The activity.
    pub(super) name: &'static str,
    /// How long it took in all.
    pub(super) took: String,
    /// How often it was taken up.
    pub(super) times: u32,
    /// What of it took how long, where that is known.
    pub(super) parts: Option<String>,
}

impl TimeRow {
    fn line(&self) -> String {
        let times = match self.times {
            1 => String::new(),
            times => format!("  {times} times"),
        };
        let parts = self.parts.as_ref().map(|parts| format!("  ({parts})"));
        format!(
            "  {:<11} {:>7}{times}{}",
            self.name,
            self.took,
            parts.unwrap_or_default()
        )
    }
}

/// What each activity took, in the order in which a run comes to them.
pub(super) fn rows(time: &TimeSpent) -> Vec<TimeRow> {
    time.activities.iter().map(|one| row(one, &time.controls)).collect()
}

fn row(one: &ActivityTime, controls: &[ControlTime]) -> TimeRow {
    let (name, parts) = match one.activity {
        Activity::Baseline => ("baseline", None),
        Activity::Turns => ("turns", None),
        Activity::Checks => ("checks", None),
        Activity::Controls => ("controls", kinds(controls)),
        Activity::Delivery => ("delivery", None),
        Activity::Waiting => ("waiting", None),
    };
    TimeRow {
        name,
        took: words::took(one.took_ms),
        times: one.times,
        parts,
    }
}

/// How long the controls of each kind took. They run side by side.
fn kinds(controls: &[ControlTime]) -> Option<String> {
    let one = |control: &ControlTime| format!("{} {}", kind(control.sabotage), words::took(control.took_ms));
    let kinds: Vec<String> = controls.iter().filter(|control| control.took_ms > 0).map(one).collect();
    (!kinds.is_empty()).then(|| format!("{}; some of it at once", kinds.join(", ")))
}

/// What was done to a tree, in a few words.
pub(super) const fn kind(sabotage: Sabotage) -> &'static str {
    match sabotage {
        Sabotage::Canary => "canary",
        Sabotage::Failing => "failing functions",
        Sabotage::Defaulting => "default values",
        Sabotage::AsBefore => "functions as before",
        Sabotage::OverBase => "new tests on the base",
        Sabotage::RunTestsOverBase => "tests of the run on the base",
        Sabotage::FormerTests => "former tests",
        Sabotage::Violation => "fault of its kind",
    }
}

/// What trueup took beside the agent, measured in executions of the guard.
pub(super) fn ratio(time: &TimeSpent) -> String {
    let own = time.own_ms();
    match time.guard_ms.filter(|guard| *guard > 0) {
        Some(guard) => format!(
            "Without turns and waiting {}: {}.{} times the slowest guard, which takes {}",
            words::took(own),
            own / guard,
            own * 10 / guard % 10,
            words::took(guard)
        ),
        None => format!("Without turns and waiting {}", words::took(own)),
    }
}
