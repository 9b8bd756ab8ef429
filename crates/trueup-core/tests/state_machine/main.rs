//! What every fact means at every position, as one page for people.
//!
//! The page is `docs/state-machine.md`. A change of behaviour is a change of
//! that page; `TRUEUP_BLESS=1` writes it anew.

mod asked;
#[path = "../facts/mod.rs"]
mod facts;

use asked::{answered, challenged, flaky, objected, tests};
use facts::{
    RED, all, checked, committed, due, ended, interrupted, moment, more_budget, no_space, opening, publish_refused,
    published, resumed, space_freed, task, troubled, turn_ended, unusable,
};
use std::{fs, path::Path};
use trueup_core::{
    budget::Limit,
    control::Turned,
    criterion::Check,
    digest::Digest,
    ending::{Ending, SignIn},
    event::{Answer, Event, Meter, Opening, Stop},
    evidence::Saw,
    id::Timestamp,
    run::{Outcome, Position, Reason, Run, Work},
    task::Task,
    usage::Usage,
};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/state-machine.md");
const INTRODUCTION: &str = "\
# What every fact means at every position

This page is generated; do not edit it. `cargo test -p trueup-core --test state_machine` compares it with what the
core does, and `TRUEUP_BLESS=1 cargo test -p trueup-core --test state_machine` writes it anew.

Each row is a place where a run can stand, each column a fact that can reach it, each cell where it stands then. A fact
that does not fit is `refused` and changes nothing. The task behind the page has two goals and a guard, and may
take three turns; where it is *tests*, its checks call a test runner, so they are tried on sabotaged trees as well.
*Known* is the tree of the last turn; *first*, *retry* and *last* are the first turn, one after a red
round, and the only one left.
";

/// A place where a run can stand, with the events that lead there.
struct Place {
    name: String,
    run: Run,
}

/// Where a run stands after these events; all of them must fit.
fn stand(name: &str, opening: Opening, events: &[Event]) -> Place {
    let opened = Event::Opened(Box::new(opening));
    let run = Run::replay(std::iter::once(&opened).chain(events));
    assert!(run.is_ok(), "{name}: {:?}", run.err());
    Place {
        name: name.to_owned(),
        run: run.unwrap_or_else(|_| Run::open(facts::opening(task()))),
    }
}

fn base(task: &Task) -> Event {
    checked("base", all(task, "base", due))
}

fn green(task: &Task, tree: &str) -> Event {
    checked(tree, all(task, tree, |_| Saw::Passed))
}

fn warm(task: &Task, tree: &str) -> Event {
    checked(tree, facts::warmed(all(task, tree, |_| Saw::Passed)))
}

fn red(task: &Task, tree: &str) -> Event {
    checked(tree, all(task, tree, due))
}

/// A task that has only so many turns.
fn short(turns: u32) -> Task {
    let mut task = task();
    task.budget.turns = Some(turns);
    task
}

fn working() -> Vec<Place> {
    let task = task();
    let one = short(1);
    let to_verify = [base(&task), turn_ended(1, "t1", 1)];
    let to_confirm = [to_verify.as_slice(), &[warm(&task, "t1")]].concat();
    let to_commit = [to_verify.as_slice(), &[green(&task, "t1")]].concat();
    let to_publish = [to_commit.as_slice(), &[committed("c1")]].concat();
    let to_retry = [to_verify.as_slice(), &[red(&task, "t1")]].concat();
    let to_last = [to_retry.as_slice(), &[turn_ended(2, "t2", 1), red(&task, "t2")]].concat();
    let open = || opening(task.clone());
    vec![
        stand("working: baseline", open(), &[]),
        stand("working: turn (first)", open(), &[base(&task)]),
        stand("working: turn (retry)", open(), &to_retry),
        stand("working: turn (last)", open(), &to_last),
        stand("working: verify", open(), &to_verify),
        stand(
            "working: verify (last)",
            opening(one.clone()),
            &[base(&one), turn_ended(1, "t1", 1)],
        ),
        stand("working: confirm", open(), &to_confirm),
        stand(
            "working: confirm (last)",
            opening(one.clone()),
            &[base(&one), turn_ended(1, "t1", 1), warm(&one, "t1")],
        ),
        stand(
            "working: challenge (tests)",
            opening(tests()),
            &[base(&tests()), turn_ended(1, "t1", 1), green(&tests(), "t1")],
        ),
        stand("working: commit", open(), &to_commit),
        stand("working: publish", open(), &to_publish),
    ]
}

fn paused() -> Vec<Place> {
    let mut places = Vec::new();
    for place in working() {
        let name = place.name.replace("working", "paused");
        let mut after = |reason: &str, event: &Event| {
            let mut run = place.run.clone();
            if run.apply(event).is_ok() {
                let name = format!("{name}, {reason}");
                places.push(Place { name, run });
            }
        };
        after("stopped by keyboard", &interrupted(Stop::Keyboard, Some("left")));
        after("stopped by request", &interrupted(Stop::Request, None));
        after("trouble", &troubled());
        after("no space", &no_space());
        let turn = place.run.spend().turns + 1;
        after("agent unusable", &unusable(turn));
        after("waits for the model", &limited(turn));
        after("not signed in", &signed_out(turn));
        after("blocked", &blocked(turn, known(&place.run)));
        after("branch conflict", &publish_refused());
    }
    places
}

fn asking() -> Vec<Place> {
    let task = task();
    let to_verify = [base(&task), turn_ended(1, "t1", 1)];
    let to_ask = [objected(&task, "t1"), turn_ended(2, "t1", 1)];
    let to_flaky = [flaky(&task, "t1")];
    vec![
        stand(
            "paused: commit, asks",
            opening(task.clone()),
            &[to_verify.as_slice(), &to_ask].concat(),
        ),
        stand(
            "paused: verify, flaky",
            opening(task),
            &[to_verify.as_slice(), &to_flaky].concat(),
        ),
    ]
}

fn done() -> Vec<Place> {
    let task = task();
    vec![
        stand(
            "done: verified",
            opening(task.clone()),
            &[
                base(&task),
                turn_ended(1, "t1", 1),
                green(&task, "t1"),
                committed("c1"),
                published("c1"),
            ],
        ),
        stand("done: refused", opening(task.clone()), &[checked("base", Vec::new())]),
        stand("done: nothing to do", opening(task.clone()), &[green(&task, "base")]),
    ]
}

fn spent() -> Vec<Place> {
    let task = task();
    let one = short(1);
    let metered = |limit: fn(&mut Task)| {
        let mut task = facts::task();
        limit(&mut task);
        let mut opening = opening(task);
        opening.agent.meter = Meter::Reports;
        opening
    };
    let spending = [base(&task), costly("t1"), red(&task, "t1")];
    vec![
        stand(
            "paused: turn, turns spent",
            opening(one.clone()),
            &[base(&one), turn_ended(1, "t1", 1), red(&one, "t1")],
        ),
        stand(
            "paused: turn, time spent",
            metered(|task| task.budget.time_ms = Some(5)),
            &spending,
        ),
        stand(
            "paused: turn, tokens spent",
            metered(|task| task.budget.tokens = Some(5)),
            &spending,
        ),
        stand(
            "paused: turn, money spent",
            metered(|task| task.budget.millicents = Some(5)),
            &spending,
        ),
    ]
}

/// A turn to which the provider gave nothing for a while.
fn limited(turn: u32) -> Event {
    let until = Some(Timestamp(60_000));
    let why = "usage limit reached".into();
    ended(turn, "base", 0, Ending::Limited { until, why })
}

fn signed_out(turn: u32) -> Event {
    let (why, sign_in) = ("no key".into(), SignIn::Same);
    ended(turn, "base", 0, Ending::NotSignedIn { why, sign_in })
}

/// A turn that changed nothing, whose agent says it cannot go on.
fn blocked(turn: u32, tree: &str) -> Event {
    let why = "there is no database".into();
    ended(turn, tree, 0, Ending::Blocked { why })
}

/// A turn that costs ten of everything.
fn costly(tree: &str) -> Event {
    let mut event = turn_ended(1, tree, 10);
    if let Event::TurnEnded(event) = &mut event {
        event.outcome.usage = Usage {
            tokens: Some(10),
            millicents: Some(10),
            ..Usage::default()
        };
    }
    event
}

/// The tree the last turn left.
fn known(run: &Run) -> &'static str {
    match run.spend().turns {
        0 => "base",
        1 => "t1",
        _ => "t2",
    }
}

type Column = (&'static str, Box<dyn Fn(&Run) -> Event>);

fn seen(tree: fn(&Run) -> &'static str, saw: fn(&Check) -> Saw) -> Box<dyn Fn(&Run) -> Event> {
    Box::new(move |run| checked(tree(run), all(&run.opening().task, tree(run), saw)))
}

fn checks() -> Vec<Column> {
    let but_last = |run: &Run| {
        let mut evidence = all(&run.opening().task, known(run), |_| Saw::Passed);
        evidence.pop();
        checked(known(run), evidence)
    };
    let forged = |run: &Run| {
        let mut evidence = all(&run.opening().task, known(run), |_| Saw::Passed);
        evidence[0].key = Digest::of(b"forged");
        checked(known(run), evidence)
    };
    let elsewhere = |run: &Run| checked(known(run), all(&run.opening().task, "other", |_| Saw::Passed));
    let cannot: fn(&Check) -> Saw = |_| Saw::CannotRun { why: "gone".into() };
    vec![
        ("checked(base: goals red, guard green)", seen(|_| "base", due)),
        ("checked(base: all green)", seen(|_| "base", |_| Saw::Passed)),
        ("checked(base: all red)", seen(|_| "base", |_| RED)),
        ("checked(base: cannot run)", seen(|_| "base", cannot)),
        ("checked(known: all green)", seen(known, |_| Saw::Passed)),
        (
            "checked(known: all green, warm)",
            Box::new(|run| warm(&run.opening().task, known(run))),
        ),
        ("checked(known: goals red)", seen(known, due)),
        ("checked(known: one missing)", Box::new(but_last)),
        ("checked(known: one key forged)", Box::new(forged)),
        ("checked(known: evidence of another tree)", Box::new(elsewhere)),
        (
            "checked(known: all green, an objection)",
            Box::new(|run| objected(&run.opening().task, known(run))),
        ),
        (
            "checked(known: one flaky)",
            Box::new(|run| flaky(&run.opening().task, known(run))),
        ),
        ("checked(another tree: all green)", seen(|_| "other", |_| Saw::Passed)),
    ]
}

fn turns() -> Vec<Column> {
    let next = |run: &Run| run.spend().turns + 1;
    vec![
        (
            "turn_ended(changed)",
            Box::new(move |run| turn_ended(next(run), "new", 1)),
        ),
        (
            "turn_ended(unchanged)",
            Box::new(move |run| turn_ended(next(run), known(run), 1)),
        ),
        (
            "turn_ended(back to base)",
            Box::new(move |run| turn_ended(next(run), "base", 1)),
        ),
        (
            "turn_ended(unchanged, all time used)",
            Box::new(move |run| turn_ended(next(run), known(run), 600_000)),
        ),
        ("turn_ended(unusable)", Box::new(move |run| unusable(next(run)))),
        ("turn_ended(limited)", Box::new(move |run| limited(next(run)))),
        ("turn_ended(not signed in)", Box::new(move |run| signed_out(next(run)))),
        (
            "turn_ended(blocked, unchanged)",
            Box::new(move |run| blocked(next(run), known(run))),
        ),
        (
            "turn_ended(the turn before)",
            Box::new(|run| turn_ended(run.spend().turns, "new", 1)),
        ),
        (
            "turn_ended(a later turn)",
            Box::new(|run| turn_ended(run.spend().turns + 2, "new", 1)),
        ),
    ]
}

fn others() -> Vec<Column> {
    vec![
        ("opened", Box::new(|run| Event::Opened(Box::new(run.opening().clone())))),
        (
            "challenged(all turned red)",
            Box::new(|run| challenged(&run.opening().task, known(run), &Turned::Red { by: "it".into() })),
        ),
        (
            "challenged(all stayed green)",
            Box::new(|run| challenged(&run.opening().task, known(run), &Turned::Green)),
        ),
        (
            "answered(yes)",
            Box::new(|_| answered(Answer::Approved(vec![Digest::of(b"conftest.py")]))),
        ),
        (
            "answered(yes, to something else)",
            Box::new(|_| answered(Answer::Approved(vec![Digest::of(b"else")]))),
        ),
        ("answered(no)", Box::new(|_| answered(Answer::Rejected("no".into())))),
        ("committed", Box::new(|_| committed("c1"))),
        ("published", Box::new(|_| published("c1"))),
        ("published(another commit)", Box::new(|_| published("c9"))),
        ("publish_refused", Box::new(|_| publish_refused())),
        (
            "interrupted(keyboard)",
            Box::new(|_| interrupted(Stop::Keyboard, Some("left"))),
        ),
        ("interrupted(request)", Box::new(|_| interrupted(Stop::Request, None))),
        ("troubled", Box::new(|_| troubled())),
        ("troubled(no space)", Box::new(|_| no_space())),
        ("resumed", Box::new(|_| resumed())),
        ("space_freed", Box::new(|_| space_freed())),
        ("due", Box::new(|_| moment())),
        ("budget_set(9 turns)", Box::new(|_| more_budget())),
    ]
}

const fn work(work: Work) -> &'static str {
    match work {
        Work::Baseline => "baseline",
        Work::Turn => "turn",
        Work::Verify => "verify",
        Work::Confirm => "confirm",
        Work::Challenge => "challenge",
        Work::Commit => "commit",
        Work::Publish => "publish",
    }
}

fn name(position: &Position) -> String {
    match position {
        Position::Working(wanted) => format!("working: {}", work(*wanted)),
        Position::Paused(wanted, reason) => format!(
            "paused: {}, {}",
            work(*wanted),
            match reason {
                Reason::Stopped(Stop::Keyboard) => "stopped by keyboard",
                Reason::Stopped(Stop::Request) => "stopped by request",
                Reason::Trouble(_) => "trouble",
                Reason::NoSpace(_) => "no space",
                Reason::World { .. } => "waits for the model",
                Reason::AgentUnusable(_) => "agent unusable",
                Reason::NotSignedIn(_) => "not signed in",
                Reason::Blocked(_) => "blocked",
                Reason::BudgetSpent(Limit::Turns) => "turns spent",
                Reason::BudgetSpent(Limit::Time) => "time spent",
                Reason::BudgetSpent(Limit::Tokens) => "tokens spent",
                Reason::BudgetSpent(Limit::Money) => "money spent",
                Reason::BranchConflict(_) => "branch conflict",
                Reason::Asks(_) => "asks",
                Reason::Flaky(_) => "flaky",
            }
        ),
        Position::Done(outcome) => format!(
            "done: {}",
            match outcome {
                Outcome::Verified { .. } => "verified",
                Outcome::Refused(_) => "refused",
                Outcome::NothingToDo => "nothing to do",
            }
        ),
    }
}

fn places() -> Vec<Place> {
    let resting = paused().into_iter().chain(spent()).chain(asking()).chain(done());
    working().into_iter().chain(resting).collect()
}

/// What an event means at a place, by this way of applying it.
fn cell(place: &Place, event: &Event, apply: fn(&mut Run, &Event) -> bool) -> String {
    let mut run = place.run.clone();
    if apply(&mut run, event) {
        name(run.position())
    } else {
        "refused".into()
    }
}

fn page(apply: fn(&mut Run, &Event) -> bool) -> String {
    let mut page = INTRODUCTION.to_owned();
    for (title, columns) in [
        ("What checks saw", checks()),
        ("Turns", turns()),
        ("Everything else", others()),
    ] {
        let heads: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let line = format!(
            "\n## {title}\n\n| | {} |\n|---{}|\n",
            heads.join(" | "),
            "|---".repeat(heads.len())
        );
        page.push_str(&line);
        for place in places() {
            let cells: Vec<String> = columns
                .iter()
                .map(|(_, event)| cell(&place, &event(&place.run), apply))
                .collect();
            page.push_str(&format!("| **{}** | {} |\n", place.name, cells.join(" | ")));
        }
    }
    page
}

fn honest(run: &mut Run, event: &Event) -> bool {
    run.apply(event).is_ok()
}

#[test]
fn the_page_says_what_the_core_does() {
    let now = page(honest);
    if std::env::var_os("TRUEUP_BLESS").is_some() {
        fs::create_dir_all(Path::new(PAGE).parent().expect("a folder")).expect("the folder is made");
        fs::write(PAGE, &now).expect("the page is written");
    }
    let written = fs::read_to_string(PAGE).expect("docs/state-machine.md is there");
    for (now, written) in now.lines().zip(written.lines()) {
        assert_eq!(now, written, "run with TRUEUP_BLESS=1 if this change is meant");
    }
    assert_eq!(now.len(), written.len());
}

#[test]
fn a_changed_rule_changes_the_page() {
    // A core that let a paused run be stopped once more would show.
    let lenient: fn(&mut Run, &Event) -> bool = |run, event| matches!(event, Event::Troubled(_)) || honest(run, event);
    assert_ne!(page(honest), page(lenient));
}

#[test]
fn every_position_stands_on_the_page() {
    let all: Vec<String> = places().iter().map(|place| name(place.run.position())).collect();
    let mut wanted: Vec<String> = Vec::new();
    for work in [
        "baseline",
        "turn",
        "verify",
        "confirm",
        "challenge",
        "commit",
        "publish",
    ] {
        wanted.push(format!("working: {work}"));
        for reason in ["stopped by keyboard", "stopped by request", "trouble", "no space"] {
            wanted.push(format!("paused: {work}, {reason}"));
        }
    }
    for reason in [
        "agent unusable",
        "waits for the model",
        "not signed in",
        "blocked",
        "turns spent",
        "time spent",
        "tokens spent",
        "money spent",
    ] {
        wanted.push(format!("paused: turn, {reason}"));
    }
    wanted.push("paused: publish, branch conflict".to_owned());
    wanted.push("paused: commit, asks".to_owned());
    wanted.push("paused: verify, flaky".to_owned());
    for end in ["verified", "refused", "nothing to do"] {
        wanted.push(format!("done: {end}"));
    }
    for name in &wanted {
        assert!(all.contains(name), "{name} is missing");
    }
    for name in &all {
        assert!(wanted.contains(name), "{name} is new");
    }
}

#[test]
fn only_one_fact_at_one_place_ends_in_verified() {
    let mut ways = Vec::new();
    for place in places() {
        for (column, event) in checks().into_iter().chain(turns()).chain(others()) {
            if cell(&place, &event(&place.run), honest) == "done: verified" {
                ways.push((place.name.clone(), column));
            }
        }
    }
    assert_eq!(ways, [("working: publish".to_owned(), "published")]);
}
