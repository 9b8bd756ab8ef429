//! What `init` found, wrote and saw.

use super::{json, line, next, note, words};
use crate::{
    commands::views::{BaselineResult, Setup},
    exit::Failure,
};
use owo_colors::OwoColorize;
use serde_json::{Value, json as object};
use trueup_core::evidence::CheckOutcome;
use trueup_inspect::project::Survey;

/// What the repository's files say.
pub(crate) fn found(survey: &Survey) {
    if survey.tools.is_empty() {
        line("Found no build or test tool that is known here.");
        return;
    }
    let tools = survey.tools.iter();
    let tools: Vec<String> = tools
        .map(|tool| format!("{} ({})", tool.name, words::harmless(&tool.origin)))
        .collect();
    line(&format!("Found {}.", tools.join(", ")));
}

/// What was written, and which commands would run if a person allows them.
pub(crate) fn wrote(setup: &Setup, inside: &str, commands: &[String]) {
    let written = setup.written.join(" and ");
    line(&format!("Wrote {written}. These would run, {inside}:"));
    for command in commands {
        line(&words::harmless(command));
    }
}

/// The baseline as a table, and what to type next.
pub(crate) fn setup_lines(setup: &Setup) {
    line("");
    match &setup.baseline {
        Ok(seen) if seen.is_empty() => line("No check was found, so there is nothing to try. Name one in trueup.toml."),
        Ok(seen) => table(setup, seen),
        Err(failure) => line(&format!(
            "{} no check was executed: {}",
            "baseline:".red().bold(),
            words::harmless(&failure.what)
        )),
    }
    if !setup.switched_off.is_empty() {
        let names = setup.switched_off.join(", ");
        line(&format!("Commented out in trueup.toml, each with its reason: {names}."));
    }
    if !setup.survey.doubts.is_empty() {
        let (doubts, are) = match setup.survey.doubts.len() {
            1 => ("1 uncertain finding".to_owned(), "is"),
            many => (format!("{many} uncertain findings"), "are"),
        };
        line(&format!("{doubts} {are} commented out in trueup.toml."));
    }
    note("");
    if let Err(failure) = &setup.baseline {
        note("First:");
        let commands: Vec<&str> = failure.next.iter().map(String::as_str).collect();
        next(if commands.is_empty() {
            &["trueup doctor"]
        } else {
            &commands
        });
    }
    if setup.baseline.as_ref().is_ok_and(|seen| seen.iter().any(is_stranded)) {
        note("Fix in trueup.toml what could not be executed, or install what is missing. Then:");
        next(&["trueup trust", "trueup check"]);
    }
    match &setup.first_task {
        Some(task) => {
            note(&format!(
                "Wrote tasks/{task}.md. See a whole run, with the agent that comes with trueup:"
            ));
            next(&[&format!("trueup run {task}")]);
        }
        None => next(&["trueup check"]),
    }
    note("Then a task of your own:");
    next(&["trueup new \"What shall be done\""]);
}

/// Whether a check could not be executed at all.
const fn is_stranded(seen: &BaselineResult) -> bool {
    matches!(seen.evidence.saw, CheckOutcome::CannotRun { .. })
}

fn table(setup: &Setup, seen: &[BaselineResult]) {
    line(&format!(
        "Baseline on {} ({}), each check in a clean room:",
        words::harmless(&setup.base.name),
        words::short(setup.base.commit.as_str())
    ));
    let width = seen.iter().map(|seen| seen.name.len()).max().unwrap_or_default().max(8);
    let colours = seen.iter().map(|seen| words::colour(&seen.evidence.saw).len());
    let widest = colours.max().unwrap_or_default();
    let mut before = String::new();
    for one in seen {
        let detail = match &one.evidence.saw {
            CheckOutcome::Passed => String::new(),
            saw @ (CheckOutcome::Failed { .. } | CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. }) => {
                words::saw(saw)
            }
        };
        let took = words::took(one.evidence.took_ms);
        let told = (detail.contains('\n') && detail == before).then(|| "as above".to_owned());
        before.clone_from(&detail);
        let detail = told.unwrap_or(detail);
        let mut detail = detail.lines();
        let row = format!(
            "  {:<width$}  {}  {took:>6}  {}",
            one.name,
            colour(&one.evidence.saw, widest),
            detail.next().unwrap_or_default()
        );
        line(row.trim_end());
        for text in detail {
            line(&format!("      {}", text.dimmed()));
        }
        for text in &one.tail {
            line(&format!("      {}", words::harmless_lines(text).dimmed()));
        }
    }
    let green = seen.iter().filter(|seen| seen.evidence.passed()).count();
    let red = seen.len() - green;
    let counted = match red {
        0 => format!("{} green", words::count(green, "check")),
        _ => format!(
            "{green} of {} green, and what is not green today cannot be a guard",
            words::count(seen.len(), "check")
        ),
    };
    line(&format!("{counted}; all of this took {}", words::took(setup.took_ms)));
}

/// The colour in its colour, padded before it is painted.
fn colour(saw: &CheckOutcome, width: usize) -> String {
    let word = format!("{:<width$}", words::colour(saw));
    match saw {
        CheckOutcome::Passed => word.green().to_string(),
        CheckOutcome::Failed { .. } | CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. } => word.red().to_string(),
    }
}

/// What `init --json` prints.
pub(crate) fn setup_json(setup: &Setup) -> Result<(), Failure> {
    let Survey {
        tools,
        commands,
        preparations,
        doubts,
    } = &setup.survey;
    let seen = setup.baseline.as_deref().unwrap_or_default();
    json(&object!({
        "v": 1,
        "written": setup.written,
        "trusted": setup.trusted,
        "base": { "name": setup.base.name, "commit": setup.base.commit, "tree": setup.base.tree },
        "tools": tools.iter().map(|tool| object!({ "name": tool.name, "origin": tool.origin })).collect::<Vec<_>>(),
        "checks": commands.iter().map(|command| {
            let evidence = seen.iter().find(|seen| seen.name == command.name).map(|seen| &seen.evidence);
            object!({
                "name": command.name,
                "purpose": command.purpose.word(),
                "argv": command.words,
                "origin": command.origin,
                "base": evidence.map_or("not_executed", |evidence| match evidence.saw {
                    CheckOutcome::Passed => "green",
                    CheckOutcome::Failed { .. } | CheckOutcome::TimedOut => "red",
                    CheckOutcome::CannotRun { .. } => "not_executed",
                }),
                "saw": evidence.map(|evidence| &evidence.saw),
                "duration_ms": evidence.map(|evidence| evidence.took_ms),
                "tail": seen.iter().find(|seen| seen.name == command.name).map(|seen| &seen.tail),
                "switched_off": setup.switched_off.contains(&command.name),
            })
        }).collect::<Vec<Value>>(),
        "preparations": preparations.iter().map(|preparation| object!({
            "name": preparation.name, "argv": preparation.words, "key": preparation.key, "keep": preparation.keep,
        })).collect::<Vec<Value>>(),
        "doubts": doubts.iter().map(|doubt| object!({ "origin": doubt.origin, "what": doubt.what })).collect::<Vec<Value>>(),
        "error": setup.baseline.as_ref().err().map(|failure| &failure.what),
        "next": setup.baseline.as_ref().err().map(|failure| &failure.next),
        "task": setup.first_task,
        "took_ms": setup.took_ms,
    }))
}
