//! The lines a person reads.

use super::{
    cost, line, next, note, proof, task_files,
    ways_on::{became, commands},
    words,
};
use crate::commands::views::{Examined, RedCheck, RunView, TaskCheck};
use owo_colors::OwoColorize;
use std::fmt::Display;
use trueup_core::{
    criterion::Role,
    event::Shortage,
    evidence::Evidence,
    gate::{Baseline, Refusal, Standing},
    id::TreeId,
    report::{Reported, Settlement},
    run::{Outcome, Position, Reason},
    task::Task,
};

/// How many uncommitted files are named one by one.
const NAMED: usize = 5;

/// What a run will not see of the checkout.
pub(crate) fn uncommitted(paths: &[String]) {
    let mut names: Vec<String> = paths.iter().take(NAMED).map(|path| words::harmless(path)).collect();
    if paths.len() > NAMED {
        names.push("…".into());
    }
    note(&format!(
        "The checkout has uncommitted work in {} ({}); it is not part of this run. \
         Add --with-changes to start from it.",
        words::count(paths.len(), "file"),
        names.join(", ")
    ));
}

/// What is waited for, said once, and how to end the waiting.
pub(crate) fn waits_for_space(shortage: &Shortage) {
    note(&format!(
        "  {} {:<11} {}; type `trueup gc`, or free space otherwise",
        "…".dimmed(),
        "waiting",
        words::shortage(shortage)
    ));
}

pub(super) fn refusal_lines(file: &str, refusals: &[Refusal]) {
    let mut before = "";
    for refusal in refusals {
        let about = words::harmless(&refusal.about);
        let (first, more) = refusal.why.split_once('\n').unwrap_or((&refusal.why, ""));
        line(&format!(
            "  {file}:{}: {about}: {}",
            refusal.line,
            words::harmless(first)
        ));
        // Several checks may fail for the same long reason, such as a preparation.
        let more = if more == before && !more.is_empty() {
            "as above"
        } else {
            more
        };
        for text in more.lines() {
            line(&format!("      {}", words::harmless(text).dimmed()));
        }
        before = if more == "as above" { before } else { more };
    }
}

/// What `check` prints.
pub(crate) fn check_lines(answers: &[(String, TaskCheck)]) {
    for (file, answer) in answers {
        task_files::filled_in(file, &answer.filled_in);
        match (&answer.baseline, &answer.task) {
            (Baseline::Ready, Some(task)) => {
                line(&format!(
                    "{} {} is ready: every goal is red and every guard green",
                    "✓".green(),
                    task.id
                ));
                evidence_lines(task, &answer.evidence, &answer.red);
                line("  What will count as proof:");
                for check in task.checks() {
                    let promise = proof::promise(check, &answer.controls);
                    line(&format!("  {:<8} {promise}", check.id.as_str()));
                }
                for doubt in &answer.doubts {
                    remark(&"!".yellow(), file, doubt);
                }
                for question in &answer.questions {
                    remark(&"•".dimmed(), file, question);
                }
                if let Some(suggestion) = &answer.suggestion {
                    remark(&"•".dimmed(), file, suggestion);
                }
                note("");
                next(&[&format!("trueup run {}", task.id)]);
            }
            (Baseline::NothingToDo, task) => line(&format!(
                "{} {file}: every goal is green already{}",
                "•".dimmed(),
                task.as_ref().map(proof::to_change).unwrap_or_default()
            )),
            (Baseline::Refused(refusals), _) => {
                line(&format!("{} {file} has problems:", "✗".red()));
                refusal_lines(file, refusals);
                let is_refused = |red: &&RedCheck| {
                    let about = format!("{} ", red.check);
                    refusals.iter().any(|refusal| refusal.about.starts_with(&about))
                };
                let has_words = |red: &&RedCheck| !red.tail.is_empty() || red.lacks.is_some();
                for red in answer.red.iter().filter(is_refused).filter(has_words) {
                    line(&format!("  {} printed:", red.check));
                    red_lines(red);
                }
            }
            (Baseline::Ready, None) => {}
        }
    }
}

/// What a person may want to change in a task file that is good enough to run.
fn remark(mark: &dyn Display, file: &str, about: &Refusal) {
    let Refusal { line: at, about, why } = about;
    line(&format!(
        "  {mark} {file}:{at}: {}: {}",
        words::harmless(about),
        words::harmless(why)
    ));
}

/// What a red check printed last, and what the machine lacks.
fn red_lines(red: &RedCheck) {
    for text in &red.tail {
        line(&format!("      {}", words::harmless_lines(text).dimmed()));
    }
    if let Some(lacks) = &red.lacks {
        let what = format!(
            "looks like the environment, not missing work: {}",
            words::harmless(lacks)
        );
        line(&format!("    {} {what}", "!".yellow()));
    }
}

fn evidence_lines(task: &Task, evidence: &[Evidence], red: &[RedCheck]) {
    for check in task.checks() {
        let role = match check.role {
            Role::Goal => "goal",
            Role::Guard => "guard",
        };
        let seen = evidence.iter().find(|evidence| evidence.check == check.id);
        let colour = seen.map_or("not executed", |evidence| words::colour(&evidence.saw));
        let took = seen.map(|evidence| words::took(evidence.took_ms)).unwrap_or_default();
        let warmth = seen
            .map(|evidence| words::warmth(evidence.conditions.warmth))
            .unwrap_or_default();
        line(&format!(
            "  {:<8} {role:<6} {colour:<6} {took:>6}  {}{warmth}",
            check.id.as_str(),
            words::harmless(&check.source)
        ));
        if let Some(red) = red.iter().find(|red| red.check == check.id) {
            red_lines(red);
        }
    }
}

/// What `verify` prints.
pub(crate) fn verify_lines(task: &Task, revision: &str, tree: &TreeId, evidence: &[Evidence]) {
    line(&format!(
        "{} on {revision}, tree {}",
        task.id,
        words::short(tree.as_str())
    ));
    evidence_lines(task, evidence, &[]);
    let red = evidence.iter().filter(|evidence| !evidence.passed()).count();
    if red == 0 {
        let proviso = words::proviso(words::weakest(evidence));
        line(&format!("{} every check passed{proviso}", "✓".green()));
    } else {
        line(&format!(
            "{} {red} of {} checks did not pass",
            "✗".red(),
            evidence.len()
        ));
    }
}

/// What `show` prints.
pub(crate) fn show_lines(shown: &RunView) {
    let report = &shown.report;
    line(&format!("{} {}", report.run.bold(), words::harmless(&report.title)));
    line(&format!(
        "  {} · turn {}/{}{}",
        words::stands(&report.position, report.isolation, &report.self_tested, shown.fate),
        report.turns,
        report.turn_limit,
        match shown.has_branch {
            true => format!(" · branch {}", report.branch),
            false => String::new(),
        }
    ));
    if let Some(what) = became(shown) {
        line(&format!("  {what}"));
    }
    if let Some(cost) = cost::line(&report.spend) {
        line(&format!("  {cost}"));
    }
    if let Position::Paused(_, Reason::NoSpace(shortage)) = &report.position {
        line(&format!(
            "  {}; `trueup gc` frees what is no longer needed",
            words::shortage(shortage)
        ));
    }
    if let Some(tree) = &report.tree {
        line(&format!("  tree {tree}"));
    }
    if shown.is_stale() {
        line(&format!("  {} {}", "not valid now:".red(), words::STALE));
    }
    for reported in &report.criteria {
        criterion_lines(reported, shown);
    }
    if let Position::Done(Outcome::Refused(refusals)) = &report.position {
        refusal_lines(&shown.file, refusals);
    }
    if let Position::Paused(_, Reason::Stuck(stuck)) = &report.position {
        line(&format!("  {}{}", "stuck:".bold(), words::missing(stuck)));
    }
    if let Position::Paused(_, Reason::Blocked(why)) = &report.position {
        line(&format!("  {} {}", "blocked:".bold(), words::harmless(why)));
    }
    if let Some(why) = &report.waiver {
        line(&format!("  {} {}", "waived:".yellow().bold(), words::harmless(why)));
    }
    for settled in &report.objections {
        let mark = match settled.settled {
            Settlement::Noted => "·".dimmed().to_string(),
            Settlement::Allowed | Settlement::Approved | Settlement::Open => "!".yellow().to_string(),
        };
        line(&format!("  {mark} {}", proof::objection(settled)));
    }
    note("");
    let commands = commands(shown);
    next(&commands.iter().map(String::as_str).collect::<Vec<&str>>());
}

fn criterion_lines(reported: &Reported, shown: &RunView) {
    let is_stale = reported.evidence.iter().any(|evidence| !shown.is_valid(evidence));
    let mark = match reported.standing {
        Standing::Met if !is_stale => "✓".green().to_string(),
        Standing::Unmet if !is_stale => "✗".red().to_string(),
        Standing::Asked if !is_stale => "?".yellow().to_string(),
        Standing::Met | Standing::Unmet | Standing::Asked | Standing::Unproven => "–".dimmed().to_string(),
    };
    line(&format!(
        "  {mark} {} {}",
        reported.criterion.id,
        words::harmless(&reported.criterion.text)
    ));
    for check in &reported.criterion.checks {
        let on = |evidence: &[Evidence]| evidence.iter().find(|evidence| evidence.check == check.id).cloned();
        let before = on(&reported.base).map_or("–", |evidence| words::colour(&evidence.saw));
        let detail = match on(&reported.evidence) {
            None => String::new(),
            Some(evidence) => {
                let valid = if shown.is_valid(&evidence) {
                    ""
                } else {
                    ", not valid now"
                };
                let (saw, body, holes) = (words::saw(&evidence.saw), body(&evidence, shown), holes(&evidence));
                let warmth = words::warmth(evidence.conditions.warmth);
                format!(
                    " → {} ({saw}{warmth}{body}{holes}{valid})",
                    words::colour(&evidence.saw)
                )
            }
        };
        line(&format!("      {}: {before}{detail}", words::harmless(&check.source)));
        let judged = reported.judged.iter().find(|judged| judged.check == check.id);
        if let Some(sentence) = judged.and_then(proof::sentence) {
            line(&format!("        {}", sentence.dimmed()));
        }
    }
}

/// What of the machine a check could reach because a person let it.
fn holes(evidence: &Evidence) -> String {
    match evidence.conditions.sockets.as_slice() {
        [] => String::new(),
        sockets => format!(", could reach {}", words::harmless(&sockets.join(", "))),
    }
}

/// The body that tells most, by the digest `log --blob` takes.
fn body(evidence: &Evidence, shown: &RunView) -> String {
    let (body, name) = match (evidence.stdout.bytes, evidence.stderr.bytes) {
        (0, 0) => return String::new(),
        (_, 0) => (&evidence.stdout, "stdout"),
        (_, _) => (&evidence.stderr, "stderr"),
    };
    let erased = if shown.blobs.has(&body.digest) {
        ""
    } else {
        ", body erased"
    };
    format!(", {name} {}{erased}", words::short(body.digest.as_str()))
}

/// What `doctor` prints.
pub(crate) fn doctor_lines(examined: &[Examined]) {
    let names = examined.iter().map(|examined| examined.what.chars().count());
    let width = names.max().unwrap_or_default().max(12);
    for examined in examined {
        match &examined.state {
            Ok(text) => line(&format!("{} {:<width$} {text}", "✓".green(), examined.what)),
            Err(text) => line(&format!("{} {:<width$} {text}", "✗".red(), examined.what)),
        }
    }
}
