//! What waits for a person, in all repositories.

use super::{json, line, list, note, resting, up, ways_on::ways_on, words};
use crate::{
    args::Global,
    exit::Failure,
    places::{Places, Waiting},
};
use owo_colors::OwoColorize;
use serde_json::{Value, json as object};
use std::path::Path;
use trueup_core::{
    fate::Fate,
    id::Timestamp,
    report::Headline,
    run::{Position, Run},
};
use trueup_engine::durable::Hold;

/// How many lines are shown of what a run says.
const LINES: usize = 5;

/// How many ways to go on are shown.
const WAYS: usize = 2;

/// What `inbox` prints.
pub(crate) fn inbox(waiting: &[Waiting], places: &Places, global: &Global) -> Result<(), Failure> {
    if global.json {
        let waiting: Vec<Value> = waiting.iter().map(document).collect();
        return json(&object!({ "v": 1, "waiting": waiting }));
    }
    if waiting.is_empty() {
        line("Nothing waits for you.");
        return Ok(());
    }
    for (number, one) in waiting.iter().enumerate() {
        if number > 0 {
            line("");
        }
        // Where all is of one repository, nobody needs to be told which.
        let checkout = (places.count() > 1).then_some(one.checkout.as_path());
        item(one, checkout, places.now());
    }
    note("");
    note("More of each: trueup show TASK, trueup diff TASK");
    Ok(())
}

fn item(one: &Waiting, checkout: Option<&Path>, now: Timestamp) {
    let run = &one.run;
    let (name, fate) = (&run.opening().run, fate(run));
    let waited = u64::try_from(now.0 - one.since.0).unwrap_or_default();
    let place = checkout.map(|checkout| format!(" in {}", words::harmless(&checkout.display().to_string())));
    line(&format!(
        "{} · waits for {}{}",
        list::run_row(name.as_str(), &Headline::of_run(run), Hold::Free, fate),
        words::took(waited),
        place.unwrap_or_default()
    ));
    let told = told(run);
    for said in told.lines().take(LINES) {
        line(&format!("    {said}"));
    }
    for way in ways(run).iter().take(WAYS) {
        line(&format!("    {}", up::in_folder(way, checkout).bold()));
    }
}

/// A run that wants something done has a driver, unless that was killed.
const fn fate(run: &Run) -> Option<Fate> {
    match run.position() {
        Position::Working(_) => Some(Fate::Killed),
        Position::Paused(..) | Position::Done(_) => None,
    }
}

fn told(run: &Run) -> String {
    match fate(run) {
        Some(_) => "whoever drove it was killed; nothing that was kept is lost".to_owned(),
        None => resting::told(run, &format!("the task file of {}", run.opening().task.id)).what,
    }
}

fn ways(run: &Run) -> Vec<String> {
    ways_on(run.opening().task.id.as_str(), run.position(), fate(run))
}

fn document(one: &Waiting) -> Value {
    let run = &one.run;
    object!({
        "repository": one.checkout.to_string_lossy(),
        "task": run.opening().task.id,
        "run": run.opening().run,
        "title": run.opening().task.title,
        "outcome": words::outcome(run.position()),
        "since": words::moment(one.since),
        "told": anstream::adapter::strip_str(&told(run)).to_string(),
        "next": ways(run),
    })
}
