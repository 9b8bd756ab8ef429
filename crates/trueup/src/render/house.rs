//! What housekeeping has to say, for people and for programs.

use super::{json, line, next, words};
use crate::{
    args::KEEP_DAYS,
    commands::views::{GcReport, Totals},
    exit::Failure,
};
use serde_json::{Value, json as object};
use trueup_engine::housekeeping::{DiskUse, Removal, Removed};

/// What `gc` prints.
pub(crate) fn gc_lines(swept: &GcReport) {
    for Removed { kind, count, bytes } in &swept.freed {
        line(&format!("  {:>9}  {count:>5}  {kind}", words::size(*bytes)));
    }
    let all = words::size(swept.freed.iter().map(|freed| freed.bytes).sum());
    let left = words::size(swept.left);
    match (swept.freed.is_empty(), swept.removal) {
        (true, _) => line(&format!("Nothing to remove; the state root takes {left}.")),
        (false, Removal::Real) => line(&format!("Freed {all}; the state root takes {left}.")),
        (false, Removal::Tried) => {
            line(&format!("Would free {all} of {left}. To do it:"));
            next(&[&match swept.keep_days {
                KEEP_DAYS => "trueup gc".to_owned(),
                days => format!("trueup gc --keep-days {days}"),
            }]);
        }
    }
}

/// What `gc --json` prints.
pub(crate) fn gc_json(swept: &GcReport) -> Result<(), Failure> {
    let freed = swept
        .freed
        .iter()
        .map(|freed| object!({ "kind": freed.kind, "count": freed.count, "bytes": freed.bytes }));
    json(&object!({
        "v": 1,
        "dry_run": swept.removal == Removal::Tried,
        "freed": freed.collect::<Vec<_>>(),
        "bytes": swept.freed.iter().map(|freed| freed.bytes).sum::<u64>(),
        "left": swept.left,
    }))
}

/// What `stats` prints.
pub(crate) fn stats_lines(counted: &Totals) {
    if counted.runs == 0 {
        line("No run yet.");
    } else {
        runs_line(counted);
    }
    let used = words::size(total(counted));
    let quota = counted.quota.map(|quota| format!(" of {}", words::size(quota)));
    line(&format!("The state root takes {used}{}:", quota.unwrap_or_default()));
    for shelved in &counted.disk {
        line(&shelf_line(shelved));
    }
    if !counted.biggest.is_empty() {
        line("Largest:");
    }
    for shelved in &counted.biggest {
        line(&shelf_line(shelved));
    }
}

fn runs_line(counted: &Totals) {
    let outcomes = counted.outcomes.iter();
    let outcomes = outcomes.map(|(outcome, count)| format!("{count} {}", outcome.replace('_', " ")));
    let outcomes: Vec<String> = outcomes.collect();
    line(&format!(
        "{} ({}), {}, {}.{} a run, agents worked {}",
        words::count(counted.runs, "run"),
        outcomes.join(", "),
        words::count(usize::try_from(counted.turns).unwrap_or(usize::MAX), "turn"),
        turns_a_run(counted) / 10,
        turns_a_run(counted) % 10,
        words::took(counted.agents_ms)
    ));
}

fn shelf_line(shelved: &DiskUse) -> String {
    let count = match shelved.count {
        1 => String::new(),
        count => format!("  ({count})"),
    };
    format!("  {:>9}  {}{count}", words::size(shelved.bytes), shelved.name)
}

/// Turns of a run on average, in tenths.
fn turns_a_run(counted: &Totals) -> u64 {
    counted.turns * 10 / (counted.runs as u64).max(1)
}

fn total(counted: &Totals) -> u64 {
    counted.disk.iter().map(|shelved| shelved.bytes).sum()
}

/// What `stats --json` prints.
pub(crate) fn stats_json(counted: &Totals) -> Result<(), Failure> {
    let shelf = |shelved: &DiskUse| -> Value {
        object!({ "name": shelved.name, "count": shelved.count, "bytes": shelved.bytes })
    };
    json(&object!({
        "v": 1,
        "runs": counted.runs,
        "outcomes": counted.outcomes,
        "turns": counted.turns,
        "agents_ms": counted.agents_ms,
        "bytes": total(counted),
        "quota": counted.quota,
        "disk": counted.disk.iter().map(shelf).collect::<Vec<_>>(),
        "biggest": counted.biggest.iter().map(shelf).collect::<Vec<_>>(),
    }))
}
