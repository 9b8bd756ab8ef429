//! The binary: the only crate that prints, and reads configuration, flags and
//! the environment.

mod agent_probe;
mod args;
mod commands;
mod complete;
mod config;
mod exit;
mod foreground;
mod logging;
mod project;
mod render;
mod runs;
mod secrets;
mod state_place;
mod task;
mod trusted;

use clap::{CommandFactory, Parser};
use std::process::ExitCode;
use trueup_engine::{check::http, sandbox, workspace};

fn main() -> ExitCode {
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
    let arguments = args::Arguments::parse();
    arm_crash_points();
    render::set_color(arguments.global.color);
    workspace::take_nothing_from(&arguments.global.folder);
    let done = logging::begin(&arguments.global).and_then(|()| commands::dispatch(&arguments));
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => {
            render::failure(&arguments.global, &failure);
            failure.exit.into()
        }
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
