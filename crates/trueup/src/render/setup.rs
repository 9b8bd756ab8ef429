//! What `init` found, wrote and saw.

use super::{json, line, next, note, words};
use crate::{
    commands::views::{BaselineResult, Setup},
    exit::{Exit, Failure},
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
    would_run(&format!("Wrote {}. ", setup.written.join(" and ")), inside, commands);
}

/// Which commands would run if a person allows them.
pub(crate) fn would_run(before: &str, inside: &str, commands: &[String]) {
    line(&format!("{before}These would run, {inside}:"));
    for command in commands {
        line(&words::harmless(command));
    }
}

/// What was missing where trueup.toml was there already.
pub(crate) fn was_there(setup: &Setup) {
    line(&match setup.written.is_empty() {
        true => {
            "Nothing to write: trueup.toml is there already; `trueup init --refresh` looks for what is new.".to_owned()
        }
        false => format!("Wrote {}; trueup.toml was there already.", setup.written.join(" and ")),
    });
}

/// The baseline as a table, and what to type next.
pub(crate) fn setup_lines(setup: &Setup) {
    line("");
    match &setup.baseline {
        Ok(seen) if seen.is_empty() => line("No check was found, so there is nothing to try. Name one in trueup.toml."),
        Ok(seen) => table(setup, seen),
        Err(failure) => line(&format!(
            "{} {}: {}",
            "baseline:".red().bold(),
            if is_stopped(failure) {
                "not every check was tried"
            } else {
                "no check was executed"
            },
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
    match &setup.baseline {
        Ok(seen) => advise(setup, seen),
        Err(failure) => first(failure),
    }
    match &setup.first_task {
        Some(task) => {
            leaves_out(task, &setup.too_slow);
            let path = setup.written.iter().find(|path| path.ends_with(&format!("/{task}.md")));
            let wrote = path.map(|path| format!("Wrote {path}. ")).unwrap_or_default();
            let is_green = setup.baseline.as_ref().is_ok_and(|seen| red(setup, seen).is_empty());
            let see = if is_green { "See" } else { "Then see" };
            note(&format!(
                "{wrote}{see} a whole run, with the agent that comes with trueup:"
            ));
            next(&[&format!("trueup run {task}")]);
        }
        None if setup.baseline.is_ok() => next(&["trueup check"]),
        None => {}
    }
    note("Then a task of your own:");
    next(&["trueup new \"What shall be done\""]);
}

/// What the first task does not run, so that its proof comes soon.
fn leaves_out(task: &str, too_slow: &[(String, u64)]) {
    for (name, took_ms) in too_slow {
        let took = words::took(*took_ms);
        note(&format!(
            "{task} does not run {name}, which took {took}: the first proof comes soon. In a task of your own, write \
             `guard: {name}`."
        ));
    }
}

/// Whether somebody ended it before its end.
const fn is_stopped(failure: &Failure) -> bool {
    matches!(failure.exit, Exit::Interrupted | Exit::Terminated)
}

/// What comes first where checks were not tried.
fn first(failure: &Failure) {
    note(match is_stopped(failure) {
        true => "What was written is complete. Try the checks later:",
        false => "First:",
    });
    let commands: Vec<&str> = failure.next.iter().map(String::as_str).collect();
    next(if commands.is_empty() {
        &["trueup doctor"]
    } else {
        &commands
    });
}

/// What is not green, where that can be changed, and what tries it again. Why
/// stands in the table; what does not is told here.
fn advise(setup: &Setup, seen: &[BaselineResult]) {
    let red = red(setup, seen);
    let Some(any) = red.first() else { return };
    // One preparation that fails is why all of them do.
    let is_shared = red.iter().all(|one| one.telling == any.telling && one.line == any.line);
    note("Not green:");
    let groups: Vec<&[&BaselineResult]> = if is_shared { vec![&red] } else { red.chunks(1).collect() };
    for group in groups {
        let names: Vec<&str> = group.iter().map(|one| one.name.as_str()).collect();
        let Some(one) = group.first() else { continue };
        let place = one.line.map(|line| format!(" (trueup.toml, line {line})"));
        let why = one.telling.as_deref().filter(|why| !is_in_table(one, why));
        let why = why.map(|why| format!(": {}", words::harmless(why.trim())));
        let told = [place, why].into_iter().flatten().collect::<String>();
        note(&format!("  {}{told}", names.join(", ")));
    }
    note("Mend that in your repository and commit it, or mend trueup.toml. Then try again:");
    next(&["trueup init"]);
}

/// What is switched on and not green.
fn red<'a>(setup: &Setup, seen: &'a [BaselineResult]) -> Vec<&'a BaselineResult> {
    let is_on = |one: &&BaselineResult| !setup.switched_off.contains(&one.name);
    seen.iter().filter(|one| !one.evidence.passed()).filter(is_on).collect()
}

/// Whether a row of the table says this.
fn is_in_table(one: &BaselineResult, why: &str) -> bool {
    words::saw(&one.evidence.saw).contains(why) || one.tail.iter().any(|line| line.contains(why))
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
        "checks": setup.checks.iter().map(|(name, argv)| {
            let command = commands.iter().find(|command| command.name == *name);
            let one = seen.iter().find(|seen| seen.name == *name);
            let evidence = one.map(|seen| &seen.evidence);
            object!({
                "name": name,
                "purpose": command.map(|command| command.purpose.word()),
                "argv": argv,
                "origin": command.map_or("trueup.toml", |command| command.origin.as_str()),
                "base": evidence.map_or("not_executed", |evidence| match evidence.saw {
                    CheckOutcome::Passed => "green",
                    CheckOutcome::Failed { .. } | CheckOutcome::TimedOut => "red",
                    CheckOutcome::CannotRun { .. } => "not_executed",
                }),
                "saw": evidence.map(|evidence| &evidence.saw),
                "duration_ms": evidence.map(|evidence| evidence.took_ms),
                "tail": one.map(|seen| &seen.tail),
                "telling": one.and_then(|seen| seen.telling.as_deref()),
                "switched_off": setup.switched_off.contains(name),
            })
        }).collect::<Vec<Value>>(),
        "preparations": preparations.iter().map(|preparation| object!({
            "name": preparation.name, "argv": preparation.words, "key": preparation.key, "keep": preparation.keep,
        })).collect::<Vec<Value>>(),
        "doubts": doubts.iter().map(|doubt| object!({ "origin": doubt.origin, "what": doubt.what })).collect::<Vec<Value>>(),
        "error": setup.baseline.as_ref().err().map(|failure| &failure.what),
        "next": setup.baseline.as_ref().err().map(|failure| &failure.next),
        "task": setup.first_task,
        "task_leaves_out": setup.too_slow.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "took_ms": setup.took_ms,
    }))
}
