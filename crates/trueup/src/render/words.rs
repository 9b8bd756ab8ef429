//! Facts as words.

use super::turn::{self, Watched};
use owo_colors::OwoColorize;
use trueup_core::{
    budget::Limit,
    control::Reaction,
    criterion::Check,
    ending::Ending,
    event::{Challenged, Event, PersonAnswer, Shortage, Stop, Storage},
    evidence::{CheckOutcome, Evidence, Isolation},
    fate::Fate,
    gate::{Proof, Standing},
    ground::Warmth,
    id::Timestamp,
    ladder::Rung,
    objection::Objection,
    run::{Outcome, Position, Reason, Run, Stuck, Work},
    turn::Finding,
};
use trueup_engine::fault::{self, Fault};

/// Words as a person would type them.
pub(crate) fn words(argv: &[String]) -> String {
    trueup_inspect::argv::line(argv)
}

/// Text on one line, without anything a terminal would obey: what would end the
/// line or do more is spelled out.
pub(crate) fn harmless(text: &str) -> String {
    if fault::planted(Fault::ObeysText) {
        return text.to_owned();
    }
    let text = text.trim_end_matches(['\r', '\n']);
    // Most of what is shown is plain, and lists are long.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown.push(c),
            c if c.is_control() || is_bidirectional(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

/// Text of several lines, without anything else that a terminal would obey; what
/// would reorder or hide a part of it is spelled out.
pub(crate) fn harmless_lines(text: &str) -> String {
    if fault::planted(Fault::ObeysText) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()) {
        match is_bidirectional(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// What somebody told, whole: its first line, and the others below it.
pub(crate) fn told(text: &str) -> String {
    let text = harmless_lines(text.trim());
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.join("\n      ")
}

const fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// An event as one line: what it was, and what it means to the run that just
/// applied it.
pub(crate) fn event_line(run: &Run, event: &Event) -> String {
    let (mark, name, detail) = match event {
        Event::Opened(opening) => {
            let base = short(opening.base.commit.as_str());
            let detail = format!(
                "{} · agent {} · base {base} ({})",
                harmless(&opening.task.title),
                harmless(&opening.agent.name),
                harmless(&opening.base.name)
            );
            (yes(), opening.run.to_string(), detail)
        }
        Event::Checked(checked) if checked.tree == run.opening().base.tree => {
            (baseline_mark(run), "baseline".into(), base_colours(&checked.evidence))
        }
        Event::Checked(checked) => {
            let holds = run.verdict().is_some_and(|verdict| verdict.holds());
            let detail = standings(run, &checked.evidence)
                + without_caches(run, &checked.evidence)
                + &objected(run, &checked.objections);
            (if holds { yes() } else { no() }, "verify".into(), detail)
        }
        Event::Challenged(challenged) => challenged_line(run, challenged),
        Event::TurnEnded(ended) => return turn::line(run, ended, &Watched::default()),
        Event::Committed(committed) => (yes(), "commit".into(), short(committed.commit.as_str()).into()),
        Event::Published(_) => (yes(), "branch".into(), run.opening().branch.clone()),
        Event::PublishRefused(refused) => (no(), "branch".into(), harmless(&refused.why)),
        Event::Interrupted(interrupted) => (no(), "stopped".into(), stopped(interrupted.by).into()),
        Event::Troubled(troubled) => match &troubled.shortage {
            Some(missing) => {
                let detail = format!("{}; type `trueup gc`, or free space otherwise", shortage(missing));
                (dot(), "waiting".into(), detail)
            }
            // The rest is told where the run comes to rest.
            None => (
                no(),
                "trouble".into(),
                harmless(troubled.what.lines().next().unwrap_or_default()),
            ),
        },
        Event::Resumed(_) => (dot(), "resumed".into(), String::new()),
        Event::SpaceFreed(freed) => (dot(), "going on".into(), format!("{} are free", size(freed.free))),
        Event::Due(_) => (dot(), "going on".into(), "the wait is over".into()),
        Event::BudgetSet(_) => (dot(), "going on".into(), "with another budget".into()),
        Event::Answered(answered) => match &answered.answer {
            PersonAnswer::Approved(names) => (yes(), "approved".into(), count(names.len(), "objection")),
            PersonAnswer::Rejected(why) => (no(), "rejected".into(), told(why)),
            PersonAnswer::Told(words) => (dot(), "answered".into(), told(words)),
            PersonAnswer::Waived(why) => (no(), "waived".into(), told(why)),
        },
        Event::OpeningCompleted(_) => (dot(), "going on".into(), "with the configuration of today".into()),
        Event::TaskChanged(_) => (dot(), "going on".into(), "with the task file of today".into()),
        Event::AgentChanged(changed) => {
            let detail = format!("with the agent `{}` as it is configured today", changed.agent.name);
            (dot(), "going on".into(), detail)
        }
    };
    format!("  {mark} {name:<11} {detail}").trim_end().to_owned()
}

/// How many controls turned their checks red, and which check proves nothing.
fn challenged_line(run: &Run, challenged: &Challenged) -> (String, String, String) {
    let checks = run.opening().task.checks();
    let unproven = checks.filter_map(|check| match run.proof(check) {
        Proof::Unproven(why) => Some(format!("\n      {}: {}", check.id, harmless(&why))),
        Proof::Read | Proof::SeenToFail | Proof::SelfTested | Proof::CanaryOnly | Proof::NeverSeenToFail => None,
    });
    let unproven: Vec<String> = unproven.collect();
    let tried = challenged
        .controls
        .iter()
        .filter(|control| !matches!(control.turned, Reaction::Nothing { .. }));
    let red = tried
        .clone()
        .filter(|control| matches!(control.turned, Reaction::Red { .. }));
    let detail = match (tried.count(), red.count()) {
        (0, _) => "none is known for these checks".to_owned(),
        (tried, red) => format!("{red} of {} turned red", count(tried, "control")),
    };
    let own = run.self_tested_criteria();
    let detail =
        detail + &super::proof::self_tested(&own) + &unproven.concat() + &objected(run, &challenged.objections);
    let mark = if unproven.is_empty() { yes() } else { no() };
    (mark, "controls".into(), detail)
}

/// What of these nobody allowed, a line each.
fn objected(run: &Run, objections: &[Objection]) -> String {
    let open = run.open_objections();
    let is_open = |objection: &&Objection| open.iter().any(|open| open.digest == objection.digest);
    let open = objections.iter().filter(is_open);
    open.map(|one| format!("\n      {}", objection(one))).collect()
}

/// What a person must know of a file or a test, and the rule that found it.
pub(crate) fn objection(objection: &Objection) -> String {
    let (path, what) = (harmless(&objection.path), harmless(&objection.what));
    match &objection.rule {
        Some(rule) => format!("{path}: {what} [{}]", rule.id),
        None => format!("{path}: {what}"),
    }
}

/// Why the next turn is not just one more try, where it is not.
pub(crate) fn rung(run: &Run) -> Option<String> {
    match (run.rung(), run.approach()) {
        (Rung::First | Rung::Retry, _) => None,
        (Rung::Pivot, Some(approach)) => Some(format!("begins anew, with another approach: {}", approach.says)),
        (Rung::Pivot, None) => Some("begins anew, and does nothing again that was tried".into()),
        (Rung::Research, _) => Some("begins anew, and looks closer before it changes anything".into()),
    }
}

/// What is missing, a line each.
pub(crate) fn missing(stuck: &Stuck) -> String {
    let line = |finding: &Finding| {
        let (path, what) = (harmless(&finding.path), harmless(&finding.what));
        format!("\n  {} {path}: {what}", "✗".red())
    };
    stuck.missing.iter().map(line).collect()
}

/// The line of something that happens and is no fact.
pub(crate) fn happens(name: &str, detail: &str) -> String {
    format!("  {} {name:<11} {detail}", dot())
}

/// The line that says that a check is red, as soon as that is seen.
pub(crate) fn red(evidence: &Evidence, why: Option<&str>) -> String {
    let why = why.map_or_else(|| saw(&evidence.saw), harmless);
    format!("  {} {:<11} {why}", no(), evidence.check.as_str())
}

/// The line that says what is prepared, while it is.
pub(crate) fn prepares(name: &str) -> String {
    format!("  {} {:<11} {name}: first time for this base", dot(), "prepare")
}

fn yes() -> String {
    "✓".green().to_string()
}

fn no() -> String {
    "✗".red().to_string()
}

pub(super) fn dot() -> String {
    "•".dimmed().to_string()
}

fn baseline_mark(run: &Run) -> String {
    match run.position() {
        Position::Done(Outcome::Refused(_) | Outcome::NothingToDo) => no(),
        Position::Working(_) | Position::Paused(..) | Position::Done(_) => yes(),
    }
}

fn base_colours(evidence: &[Evidence]) -> String {
    let seen = evidence
        .iter()
        .map(|evidence| format!("{} {}", evidence.check, colour(&evidence.saw)));
    seen.collect::<Vec<_>>().join(" · ")
}

/// The colour of what was seen.
pub(crate) const fn colour(saw: &CheckOutcome) -> &'static str {
    match saw {
        CheckOutcome::Passed => "green",
        CheckOutcome::Failed { .. } | CheckOutcome::TimedOut => "red",
        CheckOutcome::CannotRun { .. } => "not executed",
    }
}

fn standings(run: &Run, evidence: &[Evidence]) -> String {
    let Some(verdict) = run.verdict() else {
        return String::new();
    };
    let criteria = verdict.criteria.iter().map(|(id, standing)| match standing {
        Standing::Met => format!("{id} {}", yes()),
        Standing::Asked => format!("{id} {} waits for a person", dot()),
        Standing::Unmet | Standing::Unproven => {
            let failed = evidence
                .iter()
                .find(|evidence| evidence.criterion == *id && !evidence.passed());
            format!(
                "{id} {} {}",
                no(),
                failed.map(|evidence| saw(&evidence.saw)).unwrap_or_default()
            )
        }
    });
    criteria.collect::<Vec<_>>().join("   ")
}

/// What is said of a second look at the same tree: checks that have caches saw
/// none.
fn without_caches(run: &Run, evidence: &[Evidence]) -> &'static str {
    let has_caches = |seen: &&Evidence| {
        let mut checks = run.opening().task.checks();
        let check = checks.find(|check| check.id == seen.check);
        let execution = check.and_then(Check::execution);
        execution.is_some_and(|execution| !execution.cache.is_empty())
    };
    let mut cached = evidence.iter().filter(has_caches).peekable();
    let is_any = cached.peek().is_some();
    match is_any && cached.all(|seen| seen.conditions.warmth == Warmth::Cold) {
        true => "   (without caches)",
        false => "",
    }
}

/// What was seen, in a few words.
pub(crate) fn saw(saw: &CheckOutcome) -> String {
    harmless_lines(&saw.words())
}

/// What is added where something rests on a cache.
pub(crate) const fn warmth(warmth: Warmth) -> &'static str {
    match warmth {
        Warmth::Cold => "",
        Warmth::Warm => ", warm",
    }
}

/// How an agent ended, in a few words.
pub(crate) fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Exited { code: 0 } => "ended".into(),
        Ending::Exited { code } => format!("ended with exit {code}"),
        Ending::Finished => "ended".into(),
        Ending::Blocked { why } => format!("says it cannot go on: {}", told(why)),
        Ending::Limited { why, .. } => format!("met a limit: {}", told(why)),
        Ending::Unreachable { why } => format!("could not reach its model: {}", told(why)),
        Ending::NotSignedIn { why, .. } => format!("is not signed in: {}", told(why)),
        Ending::ContextFull { why } => format!("has a full memory: {}", told(why)),
        Ending::Refused { why } => format!("was refused by its model: {}", told(why)),
        Ending::Hung { silent_ms } => format!("was ended: its model said nothing for {}", took(*silent_ms)),
        Ending::Silent { silent_ms } => format!("was ended: it said nothing for {}", took(*silent_ms)),
        Ending::Interrupted => "was told to stop".into(),
        Ending::Killed { signal } => format!("was killed by signal {signal}"),
        Ending::Broken { why } => format!("broke off: {}", told(why)),
        Ending::TimedOut => "was killed at its time limit".into(),
        Ending::Overran { why } => format!("was ended: it took {}", told(why)),
        Ending::Spent(reached) => format!("was stopped: {}", limit(*reached)),
        Ending::Unusable { why } => format!("could not be started: {}", told(why)),
    }
}

const fn stopped(by: Stop) -> &'static str {
    match by {
        Stop::Keyboard => "at the keyboard",
        Stop::Request => "by request",
    }
}

/// A moment for people.
pub(crate) fn moment(at: Timestamp) -> String {
    match jiff::Timestamp::from_millisecond(at.0) {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => "an unknown time".into(),
    }
}

/// A duration for people.
pub(crate) fn took(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..10 => format!("{}.{}s", seconds, milliseconds % 1000 / 100),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3600.. => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// What is missing, in a few words.
pub(crate) fn shortage(shortage: &Shortage) -> String {
    let place = match shortage.on {
        Storage::Disk => "on the disk of the state root",
        Storage::Quota => "of `[state] quota`",
    };
    format!(
        "{} are needed and {} are left {place}",
        size(shortage.need),
        size(shortage.free)
    )
}

/// A size for people.
pub(crate) fn size(bytes: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = bytes / (unit / 10);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        1_000_000_000.. => format!("{} GB", tenths(1_000_000_000)),
    }
}

/// So many things.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// An object id, short enough for people.
pub(crate) fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// The one word for where a run stands, as JSON and lists print it.
pub(crate) const fn outcome(position: &Position) -> &'static str {
    match position {
        Position::Working(_) => "working",
        Position::Paused(_, Reason::Stopped(_)) => "stopped",
        Position::Paused(_, Reason::Trouble(_)) => "waiting",
        Position::Paused(_, Reason::NoSpace(_)) => "waiting_for_space",
        Position::Paused(_, Reason::External { .. }) => "waiting_for_the_model",
        Position::Paused(_, Reason::AgentUnusable(_)) => "agent_unusable",
        Position::Paused(_, Reason::NotSignedIn(_)) => "not_signed_in",
        Position::Paused(_, Reason::Blocked(_)) => "blocked",
        Position::Paused(_, Reason::BudgetSpent(_)) => "budget_spent",
        Position::Paused(_, Reason::BranchConflict(_)) => "conflict",
        Position::Paused(_, Reason::Asks(_)) => "waiting_for_you",
        Position::Paused(_, Reason::Flaky(_)) => "flaky",
        Position::Paused(_, Reason::Stuck(_)) => "stuck",
        Position::Done(Outcome::Verified { .. }) => "verified",
        Position::Done(Outcome::Waived { .. }) => "verified_but_waived",
        Position::Done(Outcome::Refused(_)) => "refused",
        Position::Done(Outcome::NothingToDo) => "nothing_to_do",
    }
}

/// The same for people, with what the wall was not, whose tests prove it, and
/// what became of it.
pub(crate) fn stands(
    position: &Position,
    isolation: Isolation,
    self_tested: &[String],
    became: Option<Fate>,
) -> String {
    let word = outcome(position).replace('_', " ");
    let word = match position {
        Position::Done(Outcome::Verified { .. } | Outcome::Waived { .. }) => {
            let own = if self_tested.is_empty() { "" } else { ", self-tested" };
            format!("{word}{own}{}", proviso(isolation))
        }
        Position::Working(_) | Position::Paused(..) | Position::Done(_) => word,
    };
    match became {
        None => word,
        Some(Fate::Merged) => format!("{word}, merged"),
        Some(Fate::Dropped) => format!("{word}, dropped"),
        Some(Fate::Queued) => "queued".into(),
        Some(Fate::Killed) => "killed".into(),
        Some(Fate::Overtaken) => format!("{word}, overtaken"),
    }
}

/// Why evidence that was good is not valid now.
pub(crate) const STALE: &str = "the branch or the task file changed since, so this evidence is of something else";

/// What has to be said behind every word of proof that was not seen behind
/// trueup's own wall.
pub(crate) const fn proviso(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::None => " (not isolated)",
        Isolation::Outer => " (isolated by the outer container)",
        Isolation::Bubblewrap | Isolation::Engine => "",
    }
}

/// The weakest wall behind which evidence was seen.
pub(crate) fn weakest(evidence: &[Evidence]) -> Isolation {
    Isolation::weakest(evidence.iter().map(|evidence| evidence.conditions.isolation))
}

/// What a run is at, in a few words.
pub(crate) const fn work(work: &Work) -> &'static str {
    match work {
        Work::Baseline => "the baseline",
        Work::Turn => "a turn",
        Work::Verify => "its checks",
        Work::Confirm => "its checks without caches",
        Work::Challenge => "its controls",
        Work::Commit => "its commit",
        Work::Publish(_) => "its branch",
    }
}

/// Which limit was reached, in a few words.
pub(crate) const fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Turns => "its turns are used up",
        Limit::Time => "its time is used up",
        Limit::Tokens => "its tokens are used up",
        Limit::Money => "its money is used up",
    }
}
