//! What is in the folder, each part as it could be found out.

use super::left_out;
use crate::{
    agent_probe, commands::doctor::Examined, config, exit::Failure, foreground::wait, project::Project,
    project::user_layer, render, runs,
};
use serde_json::{Value, json};
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
    process::Command,
};
use trueup_core::{event::Event, id::RunId, run::Run};
use trueup_engine::{durable::Desk, housekeeping::by_kind};

/// How many of the last runs are told.
const LAST_RUNS: usize = 10;

/// How much of the end of a log is taken.
const LOG_BYTES: u64 = 1 << 20;

/// Which programs these are.
pub(super) fn versions(project: &Project) -> Value {
    let agents = agent_probe::configured(project).map(|agents| {
        let each = agents.iter().map(|(agent, _)| {
            json!({
                "name": agent.name, "kind": agent.kind.word(), "model": agent.model,
                "program": words(&agent.program.as_ref().map(|path| path.display().to_string())),
                "version": words(&agent.version.as_ref()),
            })
        });
        Value::Array(each.collect())
    });
    json!({
        "v": 1,
        "trueup": env!("CARGO_PKG_VERSION"),
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "kernel": std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim(),
        "git": version_of("git"),
        "bubblewrap": version_of("bwrap"),
        "agents": or_why(agents),
    })
}

fn version_of(program: &str) -> String {
    match Command::new(program).arg("--version").output() {
        Ok(answer) => String::from_utf8_lossy(&answer.stdout).trim().to_owned(),
        Err(error) => error.to_string(),
    }
}

fn words(found: &Result<impl ToString, impl ToString>) -> String {
    match found {
        Ok(found) => found.to_string(),
        Err(why) => format!("unknown: {}", why.to_string()),
    }
}

/// What doctor says, without who somebody is.
pub(super) fn examined(examined: &[Examined]) -> Value {
    let each = examined.iter().map(|examined| {
        let (well, told) = match &examined.state {
            Ok(told) => (true, told.as_str()),
            Err(told) => (false, told.as_str()),
        };
        let told = if well && examined.what == "author" {
            "known"
        } else {
            told
        };
        json!({ "what": examined.what, "ok": well, "state": told })
    });
    json!({ "v": 1, "examined": each.collect::<Vec<_>>() })
}

/// Every key that is set, and by whom.
pub(super) fn configuration(project: &Project) -> Value {
    let settings = config::settings(&project.checkout, user_layer(&project.environment).as_deref());
    or_why(settings.map(|settings| {
        let keys = settings.iter().map(|setting| {
            json!({
                "key": setting.key, "value": left_out::of_setting(&setting.key, setting.json()),
                "layer": setting.layer.word(), "file": setting.file, "line": setting.line,
            })
        });
        json!({ "v": 1, "keys": keys.collect::<Vec<_>>() })
    }))
}

/// How much lies where in the state root.
pub(super) fn state(project: &Project) -> Value {
    let shelves = by_kind(&project.state).into_iter();
    let each = shelves.map(|shelf| json!({ "name": shelf.name, "entries": shelf.count, "bytes": shelf.bytes }));
    json!({ "v": 1, "quota": project.config.quota, "below": each.collect::<Vec<_>>() })
}

/// The last runs: how each stands, and what happened in it, an event a line.
pub(super) fn last_runs_of(project: &Project) -> (Value, Vec<(RunId, String)>) {
    match last_runs(project) {
        Ok(runs) => {
            let headlines = runs.iter().map(|(run, events)| headline(run, events));
            let headlines = json!({ "v": 1, "runs": headlines.collect::<Vec<_>>() });
            let histories = runs.iter().map(|(run, events)| (run.clone(), history(events)));
            (headlines, histories.collect())
        }
        Err(failure) => (or_why(Err(failure)), Vec::new()),
    }
}

fn last_runs(project: &Project) -> Result<Vec<(RunId, Vec<Event>)>, Failure> {
    let desk = project.desk()?;
    let last = runs::newest(project, LAST_RUNS)?;
    let told = last.into_iter().map(|listed| {
        let events = wait(desk.history(&listed.run, 0))??;
        Ok((listed.run, events))
    });
    told.collect()
}

fn headline(run: &RunId, events: &[Event]) -> Value {
    match Run::replay(events) {
        Ok(state) => json!({
            "run": run, "outcome": render::outcome(state.position()), "events": events.len(),
            "turns": state.spend().turns, "agents_ms": state.spend().time_ms,
        }),
        Err(illegal) => json!({ "run": run, "events": events.len(), "illegal": illegal.to_string() }),
    }
}

fn history(events: &[Event]) -> String {
    let lines = events.iter().enumerate().map(|(seq, event)| {
        let mut told = left_out::of_event(serde_json::to_value(event).unwrap_or_default());
        if let Value::Object(told) = &mut told {
            told.insert("seq".to_owned(), seq.into());
        }
        told.to_string() + "\n"
    });
    lines.collect()
}

/// The end of the log, from the first whole line on.
pub(super) fn end_of_log(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LOG_BYTES))).ok()?;
    let mut bytes = Vec::new();
    file.take(LOG_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match (length > LOG_BYTES, text.split_once('\n')) {
        (true, Some((_, whole))) => Some(whole.to_owned()),
        (true, None) | (false, _) => Some(text),
    }
}

/// What was found, or why it was not.
fn or_why(found: Result<Value, Failure>) -> Value {
    found.unwrap_or_else(|failure| json!({ "v": 1, "error": failure.what }))
}
