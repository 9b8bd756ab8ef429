//! The binary: the only crate that prints, and reads configuration, flags and
//! the environment.

mod agent_probe;
mod args;
mod commands;
mod complete;
mod config;
mod editor;
mod exit;
mod fates;
mod foreground;
mod keys;
mod logging;
mod places;
mod project;
mod render;
mod runs;
mod secrets;
mod state_place;
mod task;
mod trusted;

use clap::{CommandFactory, Parser};
use std::{
    panic,
    process::{self, ExitCode},
    thread,
};
use trueup_engine::{
    check::http,
    fault::{self, Fault},
    sandbox, workspace,
};

fn main() -> ExitCode {
    end_at_a_panic();
    let mut words = std::env::args_os().skip(1);
    let first = words.next().unwrap_or_default();
    if first == sandbox::entry::SUBCOMMAND {
        return sandbox::entry::main(words);
    }
    if first == http::SUBCOMMAND {
        return http::main(words);
    }
    if first == sandbox::lay::SUBCOMMAND {
        return sandbox::lay::main(words);
    }
    if first == workspace::overlay_child::SUBCOMMAND {
        return workspace::overlay_child::main();
    }
    complete::answer(args::Arguments::command);
    render::begin_by_words(std::env::args_os().skip(1));
    let arguments = args::Arguments::parse();
    arm_crash_points();
    render::begin(&arguments.global);
    workspace::take_nothing_from(&arguments.global.folder);
    let done = logging::begin(&arguments.logged()).and_then(|()| commands::dispatch(&arguments));
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => {
            render::failure(&arguments.global, &failure);
            failure.exit.into()
        }
    }
}

/// A panic is a fault of ours, whichever thread it is in. The process ends there
/// as if it were killed, and the next one goes on from what was kept; nothing is
/// to go on beside a thread that is gone.
#[expect(clippy::panic, reason = "it is planted, for the test that it is the end")]
fn end_at_a_panic() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |about| {
        tell(about);
        process::abort();
    }));
    if fault::planted(Fault::PanicsAside) {
        drop(thread::spawn(|| panic::panic_any("planted")).join());
    }
}

/// Lays a test's plan for where this process shall die; see CONTRIBUTING.md.
fn arm_crash_points() {
    let die_at = std::env::var("TRUEUP_CRASH_AT")
        .ok()
        .and_then(|number| number.parse().ok());
    let log = std::env::var_os("TRUEUP_CRASH_LOG").map(Into::into);
    let hold = hold();
    if die_at.is_some() || log.is_some() || hold.is_some() {
        trueup_engine::crash::arm(trueup_engine::crash::Plan {
            die_at: die_at.unwrap_or(0),
            log,
            hold,
        });
    }
}

/// Where a test holds this process: `name:n:file`.
fn hold() -> Option<trueup_engine::crash::HoldAt> {
    let told = std::env::var("TRUEUP_HOLD_AT").ok()?;
    let mut parts = told.splitn(3, ':');
    Some(trueup_engine::crash::HoldAt {
        name: parts.next()?.to_owned(),
        at: parts.next()?.parse().ok()?,
        file: parts.next()?.into(),
    })
}
