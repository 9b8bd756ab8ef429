//! The positions a run can reach, each with events that lead there.

use crate::{
    asked::{answered, challenged, flaky, objected, tests},
    changed::opening_completed,
    facts::{
        self, all, checked, committed, due, ended, interrupted, no_space, opening, publish_refused, published, task,
        troubled, turn_ended, unusable,
    },
};
use trueup_core::{
    control::Reaction,
    ending::{Ending, SignIn},
    event::{Event, Opening, PersonAnswer, Stop},
    evidence::CheckOutcome,
    id::Timestamp,
    run::Run,
    task::Task,
    usage::{Meter, Usage},
};

/// A position of a run, with the events that lead there.
pub(crate) struct Situation {
    pub(crate) name: String,
    pub(crate) run: Run,
}

/// Where a run stands after these events; all of them must fit.
pub(crate) fn stand(name: &str, opening: Opening, events: &[Event]) -> Situation {
    let opened = Event::Opened(Box::new(opening));
    let run = Run::replay(std::iter::once(&opened).chain(events));
    assert!(run.is_ok(), "{name}: {:?}", run.err());
    Situation {
        name: name.to_owned(),
        run: run.unwrap_or_else(|_| Run::open(facts::opening(task()))),
    }
}

pub(crate) fn base(task: &Task) -> Event {
    checked("base", all(task, "base", due))
}

pub(crate) fn green(task: &Task, tree: &str) -> Event {
    checked(tree, all(task, tree, |_| CheckOutcome::Passed))
}

pub(crate) fn warm(task: &Task, tree: &str) -> Event {
    checked(tree, facts::warmed(all(task, tree, |_| CheckOutcome::Passed)))
}

pub(crate) fn red(task: &Task, tree: &str) -> Event {
    checked(tree, all(task, tree, due))
}

/// A task that has only so many turns.
pub(crate) fn short(turns: u32) -> Task {
    let mut task = task();
    task.budget.turns = Some(turns);
    task
}

pub(crate) fn working() -> Vec<Situation> {
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

pub(crate) fn paused() -> Vec<Situation> {
    let mut situations = Vec::new();
    for situation in working() {
        let name = situation.name.replace("working", "paused");
        let mut after = |reason: &str, event: &Event| {
            let mut run = situation.run.clone();
            if run.apply(event).is_ok() {
                let name = format!("{name}, {reason}");
                situations.push(Situation { name, run });
            }
        };
        after("stopped by keyboard", &interrupted(Stop::Keyboard, Some("left")));
        after("stopped by request", &interrupted(Stop::Request, None));
        after("trouble", &troubled());
        after("no space", &no_space());
        let turn = situation.run.spend().turns + 1;
        after("agent unusable", &unusable(turn));
        after("waits for the model", &limited(turn));
        after("not signed in", &signed_out(turn));
        after("blocked", &blocked(turn, known(&situation.run)));
        after("branch conflict", &publish_refused());
    }
    situations
}

pub(crate) fn asking() -> Vec<Situation> {
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

/// Runs whose agent brings nothing new, and what a person makes of one.
pub(crate) fn stuck() -> Vec<Situation> {
    let task = task();
    let tests = tests();
    let idle = [base(&task), turn_ended(1, "base", 1), turn_ended(2, "base", 1)];
    let red = [
        base(&task),
        turn_ended(1, "t1", 1),
        red(&task, "t1"),
        turn_ended(2, "t1", 1),
    ];
    let weak = [
        base(&tests),
        turn_ended(1, "t1", 1),
        green(&tests, "t1"),
        challenged(&tests, "t1", &Reaction::Green),
        turn_ended(2, "t1", 1),
    ];
    let waived = [weak.as_slice(), &[answered(PersonAnswer::Waived("it will do".into()))]].concat();
    let committed = [waived.as_slice(), &[committed("c1")]].concat();
    let done = [committed.as_slice(), &[published("c1")]].concat();
    let of_tests = |name: &str, events: &[Event]| stand(name, opening(tests.clone()), events);
    vec![
        stand("paused: turn, stuck", opening(task.clone()), &idle),
        stand("paused: verify, stuck (red)", opening(task), &red),
        of_tests("paused: verify, stuck (weak proof)", &weak),
        of_tests("working: commit (waived)", &waived),
        of_tests("working: publish (waived)", &committed),
        of_tests("done: waived", &done),
    ]
}

pub(crate) fn done() -> Vec<Situation> {
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

pub(crate) fn spent() -> Vec<Situation> {
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
pub(crate) fn limited(turn: u32) -> Event {
    let until = Some(Timestamp(60_000));
    let why = "usage limit reached".into();
    ended(turn, "base", 0, Ending::Limited { until, why })
}

pub(crate) fn signed_out(turn: u32) -> Event {
    let (why, sign_in) = ("no key".into(), SignIn::Same);
    ended(turn, "base", 0, Ending::NotSignedIn { why, sign_in })
}

/// A turn that changed nothing, whose agent says it cannot go on.
pub(crate) fn blocked(turn: u32, tree: &str) -> Event {
    let why = "there is no database".into();
    ended(turn, tree, 0, Ending::Blocked { why })
}

/// A turn that costs ten of everything.
pub(crate) fn costly(tree: &str) -> Event {
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
pub(crate) fn known(run: &Run) -> &'static str {
    match run.spend().turns {
        0 => "base",
        1 => "t1",
        _ => "t2",
    }
}

pub(crate) fn situations() -> Vec<Situation> {
    let resting = paused()
        .into_iter()
        .chain(spent())
        .chain(asking())
        .chain(stuck())
        .chain(done());
    working().into_iter().chain(resting).chain(complete()).collect()
}

/// Runs whose openings hold the configuration, at a turn of the agent.
pub(crate) fn complete() -> Vec<Situation> {
    let before = || vec![opening_completed(), base(&task())];
    let stand = |name: &str, event: Option<Event>| {
        let name = format!("{name} (complete opening)");
        let events: Vec<Event> = before().into_iter().chain(event).collect();
        stand(&name, opening(task()), &events)
    };
    vec![
        stand("working: turn", None),
        stand("paused: turn, trouble", Some(troubled())),
        stand("paused: turn, agent unusable", Some(unusable(1))),
        stand("paused: turn, waits for the model", Some(limited(1))),
        stand("paused: turn, not signed in", Some(signed_out(1))),
    ]
}
