//! The binary: the only crate that prints, and reads configuration, flags and
//! the environment.

mod args;
mod commands;
mod config;
mod exit;
mod project;
mod render;
mod session;
mod stopping;
mod task;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == "sandbox-entry") {
        return trueup_engine::sandbox::entry::main(words);
    }
    let arguments = args::Arguments::parse();
    arm_crash_points();
    render::set_color(arguments.global.color);
    match commands::dispatch(&arguments) {
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
    if die_at.is_some() || log.is_some() {
        trueup_engine::crash::arm(trueup_engine::crash::Plan {
            die_at: die_at.unwrap_or(0),
            log,
        });
    }
}
