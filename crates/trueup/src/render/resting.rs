//! Where a run came to rest, and what to type next.

use super::{cost, document::refusals, json, line, lines::refusal_lines, next, note, proof, words};
use crate::{
    args::Global,
    exit::{Exit, Failure},
};
use owo_colors::OwoColorize;
use trueup_core::{
    budget::Limit,
    evidence::Isolation,
    id::CheckId,
    ladder::Standstill,
    objection::Objection,
    run::{Outcome, Position, Reason, Run, Work},
};
use trueup_engine::driver::Rested;

/// What stands above the command that goes on.
const GO_ON: &str = "Go on with:";

/// Where a run came to rest, and what to type next.
pub(crate) fn rest(rested: &Rested, file: &str, worked_ms: u64, global: &Global) -> Result<(), Failure> {
    let run = &rested.run;
    if global.json {
        return json(&serde_json::json!({
            "v": 1, "type": "rest", "run": run.opening().run, "outcome": words::outcome(run.position()),
            "exit": Exit::of_rest(rested).code(), "refusals": refusals(run.position()),
            "isolated": run.isolation() == Isolation::Bubblewrap, "isolation": run.isolation(),
            "self_tested": run.self_tested_criteria(), "worked_ms": worked_ms, "spent": cost::document(run.spend()),
        }));
    }
    note("");
    let told = told(run, file);
    line(&told.what);
    if let Position::Done(Outcome::Refused(refusals)) = run.position() {
        refusal_lines(file, refusals);
    }
    if let Some(took) = summary(run, worked_ms) {
        note(&format!("  {took}"));
    }
    if let Some(hint) = &told.hint {
        note(&format!("  {hint}"));
    }
    if !global.no_next {
        let commands: Vec<&str> = told.next.iter().map(String::as_str).collect();
        next(&commands);
    }
    Ok(())
}

/// What a run took, as far as it did anything: time, and cost where that is known.
fn summary(run: &Run, worked_ms: u64) -> Option<String> {
    let cost = cost::line(run.spend()).map(|cost| format!(" · {cost}"));
    let took = format!("{}{}", words::took(worked_ms), cost.unwrap_or_default());
    match run.position() {
        Position::Done(Outcome::Verified { .. } | Outcome::Waived { .. }) => Some(took),
        Position::Paused(..) => {
            let turns = words::count(run.spend().turns as usize, "turn");
            Some(format!("{turns} · {took}"))
        }
        Position::Done(Outcome::Refused(_) | Outcome::NothingToDo) | Position::Working(_) => None,
    }
}

/// What is said of where a run stands.
pub(super) struct RestText {
    /// What happened.
    pub(super) what: String,
    /// What a person may want to know beside that.
    pub(super) hint: Option<String>,
    /// What to type.
    pub(super) next: Vec<String>,
}

/// What is said of where a run stands; why a task was refused is not part of it.
pub(super) fn told(run: &Run, file: &str) -> RestText {
    match run.position() {
        Position::Done(outcome) => done(run, outcome),
        Position::Paused(work, reason) => paused(run, work, reason, file),
        Position::Working(work) => RestText {
            what: format!("{} is at {}", run.opening().run, words::work(work)),
            hint: None,
            next: Vec::new(),
        },
    }
}

fn paused(run: &Run, work: &Work, reason: &Reason, file: &str) -> RestText {
    let opening = run.opening();
    let (task, name, agent) = (&opening.task.id, &opening.run, &opening.agent.name);
    let turns = run.spend().turns;
    let resume = format!("trueup resume {task}");
    let told = |word: &str, what: String, next: Vec<String>| RestText {
        what: format!("{} {what}", word.bold()),
        hint: None,
        next,
    };
    // What leads to a command stands right above it.
    let then = |hint: &str, told: RestText| RestText {
        hint: Some(hint.to_owned()),
        ..told
    };
    match reason {
        Reason::Stopped(_) => {
            let what = format!("{name} {}. Nothing is lost.", so_far(turns));
            then(GO_ON, told("stopped:", what, vec![resume]))
        }
        Reason::Trouble(why) => {
            let what = format!("{name} at {}: {}", words::work(work), words::told(why));
            told("waiting:", what, vec![resume, "trueup doctor".into()])
        }
        Reason::NoSpace(shortage) => {
            let (at, missing) = (words::work(work), words::shortage(shortage));
            let what = format!("{name} waits at {at} for space: {missing}. Nothing is lost.");
            then(GO_ON, told("stopped:", what, vec!["trueup gc".into(), resume]))
        }
        Reason::External { until, why } => {
            let (until, why) = (words::moment(*until), words::told(why));
            let why = why.trim_end_matches('.');
            let what = format!("{name} waits until {until}: {why}. Nothing is lost.");
            let next = vec![resume.clone(), format!("{resume} --now")];
            then(GO_ON, told("stopped:", what, next))
        }
        Reason::AgentUnusable(why) => {
            let what = format!("`{agent}` could not be started: {}", words::told(why));
            told("agent unusable:", what, vec!["trueup doctor".into(), resume])
        }
        Reason::NotSignedIn(why) => {
            let what = format!("`{agent}`: {}.", words::told(why).trim_end_matches('.'));
            let next = vec![format!("trueup agent test {agent}"), resume];
            then("Sign in, then:", told("not signed in:", what, next))
        }
        Reason::Blocked(why) => {
            let what = format!("`{agent}` says it cannot go on: {}", words::told(why));
            told("blocked:", what, ways_on(run))
        }
        Reason::Stuck(stuck) => {
            let (what, missing) = (standstill(stuck.by), words::missing(stuck));
            let what = format!("{name} after turn {turns}: {what}{missing}{}", last_words(run));
            RestText {
                hint: (turns >= run.turn_limit())
                    .then(|| format!("That was its last turn: raise `budget:` in {file} before you go on.")),
                ..told("stuck:", what, ways_on(run))
            }
        }
        Reason::BudgetSpent(limit) => spent(run, *limit, file),
        Reason::BranchConflict(why) => {
            let what = format!("everything is done, but {}", words::told(why));
            told("conflict:", what, vec![resume])
        }
        Reason::Asks(asked) => asks(run, work, asked),
        Reason::Flaky(checks) => flaky(run, checks),
    }
}

/// How far a run came.
fn so_far(turns: u32) -> String {
    match turns {
        0 => "before its first turn ended".to_owned(),
        turns => format!("after turn {turns}"),
    }
}

/// What an agent did instead of bringing something new.
fn standstill(by: Standstill) -> String {
    match by {
        Standstill::Unchanged => "the agent was told what is missing and changed nothing".into(),
        Standstill::Returned => "the agent put the files back to what an earlier turn had left".into(),
        Standstill::Exhausted => "every attempt was made, and none of them helped".into(),
        Standstill::Danger(kind) => format!("you decide about this, not an agent: {}", kind.words()),
    }
}

/// What to type where an agent cannot go on by itself.
fn ways_on(run: &Run) -> Vec<String> {
    let task = &run.opening().task.id;
    let mut next = vec![format!("trueup answer {task} -m \"how to go on\"")];
    if run.can_be_waived() {
        next.push(waive(run));
    }
    next.push(format!("trueup show {task}"));
    next.push(format!("trueup log {task} --turn {}", run.spend().turns));
    next.push(format!("trueup resume {task}"));
    next
}

fn spent(run: &Run, limit: Limit, file: &str) -> RestText {
    let task = &run.opening().task.id;
    let second = match run.can_be_waived() {
        true => waive(run),
        false => format!("trueup diff {task}"),
    };
    RestText {
        what: format!(
            "{} {task} is not verified after {}",
            "budget spent:".red().bold(),
            cost::used(run, limit)
        ),
        hint: Some(format!("Look at it, or raise `budget:` in {file} and go on:")),
        next: vec![format!("trueup show {task}"), second, format!("trueup resume {task}")],
    }
}

/// What to type to accept weak proof.
fn waive(run: &Run) -> String {
    format!("trueup waive {} -m \"why this proof will do\"", run.opening().task.id)
}

fn asks(run: &Run, work: &Work, asked: &[Objection]) -> RestText {
    let (task, name) = (&run.opening().task.id, &run.opening().run);
    let (question, hint) = match work {
        Work::Verify => (
            "cannot be tested before you say whether this may be installed:",
            Some("While it is installed, scripts of the change may run, with the network and without your secrets."),
        ),
        Work::Baseline | Work::Turn | Work::Confirm | Work::Challenge | Work::Commit | Work::Publish(_) => (
            "passes every check. You decide whether this may stay:",
            explained(asked),
        ),
    };
    let what = format!(
        "{} {name} {question}{}",
        "waiting for you:".bold(),
        questions(run, asked)
    );
    let some = (asked.len() > 1).then(|| format!("trueup approve {task} 1"));
    let mut next = vec![format!("trueup diff {task}"), format!("trueup approve {task}")];
    next.extend(some);
    next.push(format!("trueup reject {task} \"why not\""));
    RestText {
        what,
        hint: hint.map(str::to_owned),
        next,
    }
}

fn flaky(run: &Run, checks: &[CheckId]) -> RestText {
    let (task, name) = (&run.opening().task.id, &run.opening().run);
    let checks: Vec<&str> = checks.iter().map(CheckId::as_str).collect();
    let what = format!(
        "{} {name}: {} passed and failed on the same tree. No turn was spent on it.",
        "flaky:".bold(),
        checks.join(", ")
    );
    RestText {
        what,
        hint: Some("Make it reliable, then:".to_owned()),
        next: vec![format!("trueup show {task}"), format!("trueup resume {task}")],
    }
}

/// Where to read what a rule is about, if a rule asks.
fn explained(asked: &[Objection]) -> Option<&'static str> {
    let by_rule = asked.iter().any(|objection| objection.rule.is_some());
    by_rule.then_some("What a rule in brackets is about: trueup rules explain RULE")
}

/// What a person is asked, a line each, and what the agent says of it.
fn questions(run: &Run, asked: &[Objection]) -> String {
    let mut lines = String::new();
    for (at, objection) in asked.iter().enumerate() {
        let mark = match asked.len() {
            1 => "?".into(),
            _ => (at + 1).to_string(),
        };
        lines.push_str(&format!("\n  {} {}", mark.yellow(), words::objection(objection)));
    }
    lines + &last_words(run)
}

/// What the agent said last, on a line of its own.
fn last_words(run: &Run) -> String {
    let said = run.turns().last().map(|turn| turn.claim.summary.trim());
    let Some(said) = said.filter(|said| !said.is_empty()) else {
        return String::new();
    };
    let joined = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = words::harmless(&joined).chars().take(300).collect();
    format!("\n  the agent says: {short}")
}

fn done(run: &Run, outcome: &Outcome) -> RestText {
    let opening = run.opening();
    let task = &opening.task.id;
    let delivered = || vec![format!("git merge {}", opening.branch), format!("trueup show {task}")];
    let (what, next) = match outcome {
        Outcome::Waived { tree, .. } => {
            let why = words::harmless(run.waiver().unwrap_or_default());
            let what = format!(
                "{} everything is green on tree {}, and somebody accepted that it proves too little: {why}{}",
                format!("verified but waived{}:", words::proviso(run.isolation()))
                    .yellow()
                    .bold(),
                words::short(tree.as_str()),
                proof::self_tested(&run.self_tested_criteria())
            );
            (what, delivered())
        }
        Outcome::Verified { tree, .. } => {
            let count = opening.task.criteria.len();
            let what = format!(
                "{} {count} of {count} criteria, each executed on tree {} after {}{}",
                format!("verified{}:", words::proviso(run.isolation())).green().bold(),
                words::short(tree.as_str()),
                words::count(run.spend().turns as usize, "turn"),
                proof::self_tested(&run.self_tested_criteria())
            );
            (what, delivered())
        }
        Outcome::Refused(_) => {
            let what = format!(
                "{} {task} has problems, so no agent was started:",
                "refused:".red().bold()
            );
            (what, vec![format!("trueup check {task}")])
        }
        Outcome::NothingToDo => {
            let what = format!(
                "{} every goal of {task} is green on the base already; no agent was started{}",
                "nothing to do:".bold(),
                proof::to_change(&opening.task)
            );
            (what, Vec::new())
        }
    };
    RestText { what, hint: None, next }
}
