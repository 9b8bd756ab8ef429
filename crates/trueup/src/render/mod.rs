//! Everything a person or a program reads. Results go to standard output,
//! everything else to standard error.

mod activity;
mod agents;
mod approval;
mod changed_lines;
mod checks_now;
mod colours;
mod cost;
mod difference;
mod document;
mod fit;
mod house;
mod inbox;
mod lines;
mod list;
mod moving;
mod page;
mod patch;
mod plain;
pub(crate) mod progress;
mod proof;
mod resting;
mod setup;
mod tame;
mod task_files;
mod time;
mod turn;
mod up;
mod ways_on;
mod width;
mod words;

pub(crate) use agents::{agents_json, agents_lines, look_words, tried_json, tried_lines};
pub(crate) use approval::{Lines, item, question_json, question_lines};
pub(crate) use changed_lines::{changed_lines, changes};
pub(crate) use colours::begin_by_words;
pub(crate) use difference::differences;
pub(crate) use document::{body_json, check_json, doctor_json, show_json, verify_json};
pub(crate) use house::{gc_json, gc_lines, stats_json, stats_lines};
pub(crate) use inbox::inbox;
pub(crate) use lines::{check_lines, doctor_lines, show_lines, uncommitted, verify_lines, waits_for_space};
pub(crate) use list::{run_lines, runs_json, status_json, status_lines};
pub(crate) use page::{is_page, page, page_itself};
pub(crate) use patch::patch;
pub(crate) use resting::rest;
pub(crate) use setup::{found, setup_json, setup_lines, was_there, would_run, wrote};
pub(crate) use task_files::{draft, filled_in};
pub(crate) use time::time_lines;
pub(crate) use up::{UpLine, queued, up_begins, up_line};
pub(crate) use words::{count, event_line, harmless, harmless_lines, moment, outcome, words};

use crate::{
    args::Global,
    exit::{Exit, Failure},
};
use owo_colors::OwoColorize;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use trueup_core::{event::Event, run::Run};

/// Decides once whether colours are used, and marks.
pub(crate) fn begin(global: &Global) {
    if global.plain {
        plain::begin();
    }
    colours::begin(global);
}

/// A line of the result.
pub(crate) fn line(text: &str) {
    let text = tame::tame(text);
    let text = plain::shown(&text);
    let text = &width::wrapped(&text, width::width());
    // A reader that went away is not our failure.
    drop(if text.contains('\x1b') {
        writeln!(anstream::stdout(), "{text}")
    } else {
        // Plain text has no colours to look for, and a list can be long.
        writeln!(io::stdout(), "{text}")
    });
}

/// A line for a program: neither broken nor spelled otherwise.
fn as_it_is(text: &str) {
    // A reader that went away is not our failure.
    drop(writeln!(io::stdout(), "{text}"));
}

/// A line of the result that is never broken: of a file, as it stands there.
fn whole(text: &str) {
    drop(writeln!(anstream::stdout(), "{}", tame::tame(text)));
}

/// A line beside the result.
pub(crate) fn note(text: &str) {
    let text = tame::tame(text);
    let text = plain::shown(&text);
    let text = width::wrapped(&text, width::width_beside());
    drop(writeln!(anstream::stderr(), "{text}"));
}

/// A question, without a line's end.
pub(crate) fn prompt(text: &str) -> io::Result<()> {
    let mut out = anstream::stderr();
    write!(out, "{}", tame::tame(text))?;
    out.flush()
}

/// One JSON document, or one line of a stream.
pub(crate) fn json(document: &impl Serialize) -> Result<(), Failure> {
    as_it_is(&serde_json::to_string(document)?);
    Ok(())
}

/// What to type next. A command stays on its line, to be copied whole.
pub(crate) fn next(commands: &[&str]) {
    for command in commands {
        let command = format!("  {}", command.bold());
        drop(writeln!(anstream::stderr(), "{}", tame::tame(&command)));
    }
}

/// Why a command did not do what was asked, and what to type.
pub(crate) fn failure(global: &Global, failure: &Failure) {
    if global.json {
        let document = serde_json::json!({
            "v": 1, "error": failure.what, "exit": failure.exit.code(), "next": failure.next,
        });
        as_it_is(&document.to_string());
        return;
    }
    note(&format!(
        "{} {}",
        "error:".red().bold(),
        words::harmless_lines(&failure.what)
    ));
    if failure.exit == Exit::Unexpected && failure.next.is_empty() {
        note("  If this looks like a fault of trueup, `trueup doctor` narrows it down.");
    }
    let commands: Vec<&str> = failure.next.iter().map(String::as_str).collect();
    next(&commands);
}

/// One event of a history.
pub(crate) fn event(seq: usize, run: &Run, event: &Event, global: &Global) -> Result<(), Failure> {
    if global.json {
        return json(&document::event(seq, event));
    }
    line(&event_line(run, event));
    Ok(())
}

/// A line of what an agent says while it works: shown as live, not as a fact.
pub(crate) fn live(turn: u32, text: &str, global: &Global) -> Result<(), Failure> {
    if global.json {
        return json(&serde_json::json!({ "v": 1, "type": "live", "turn": turn, "text": text }));
    }
    for text in text.lines() {
        line(&format!("      {} {}", "│".dimmed(), words::harmless(text)));
    }
    Ok(())
}

/// Bytes that somebody else wrote: raw for programs, harmless for a terminal.
pub(crate) fn foreign(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout();
    if out.is_terminal() {
        out.write_all(words::harmless_lines(&String::from_utf8_lossy(bytes)).as_bytes())
    } else {
        out.write_all(bytes)
    }
}
