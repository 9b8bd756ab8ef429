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
    for one in &time.activities {
        line(&activity_line(one, &time.controls));
    }
    line(&ratio(time));
    note("");
    next(&[&format!("trueup show {}", report.task)]);
}

fn activity_line(one: &ActivityTime, controls: &[ControlTime]) -> String {
    let (name, kinds) = match one.activity {
        Activity::Baseline => ("baseline", String::new()),
        Activity::Turns => ("turns", String::new()),
        Activity::Checks => ("checks", String::new()),
        Activity::Controls => ("controls", kinds(controls)),
        Activity::Delivery => ("delivery", String::new()),
        Activity::Waiting => ("waiting", String::new()),
    };
    let times = match one.times {
        1 => String::new(),
        times => format!("  {times} times"),
    };
    format!("  {name:<11} {:>7}{times}{kinds}", words::took(one.took_ms))
}

/// How long the controls of each kind took. They run side by side.
fn kinds(controls: &[ControlTime]) -> String {
    let one = |control: &ControlTime| format!("{} {}", kind(control.sabotage), words::took(control.took_ms));
    let kinds: Vec<String> = controls.iter().filter(|control| control.took_ms > 0).map(one).collect();
    match kinds.is_empty() {
        true => String::new(),
        false => format!("  ({}; some of it at once)", kinds.join(", ")),
    }
}

const fn kind(sabotage: Sabotage) -> &'static str {
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
fn ratio(time: &TimeSpent) -> String {
    let own = time.own_ms();
    match time.guard_ms.filter(|guard| *guard > 0) {
        Some(guard) => format!(
            "  Without turns and waiting {}: {}.{} times the slowest guard, which takes {}",
            words::took(own),
            own / guard,
            own * 10 / guard % 10,
            words::took(guard)
        ),
        None => format!("  Without turns and waiting {}", words::took(own)),
    }
}
