//! What became of a task file and of an agent while a run was under way, and
//! what an older opening lacked.

use crate::{
    changed::{agent_changed, opening_completed, settings, task_changed},
    facts::{opening, task},
    plays, plays_events, wants,
};
use trueup_core::{
    agent_change::{self, AgentChoice, AgentState},
    criterion::Network,
    effect::{Effect, Wish},
    ending::Ending,
    event::{Agent, BudgetFrom, Event, Signal, Stop},
    ground::Preparation,
    id::{SessionId, TaskId, Timestamp},
    memory::{Memory, RecapReason},
    run::{Run, Step},
    settings::{AgentKind, AgentSettings},
    task::{Priority, Size, Task},
    task_change::{TaskFileState, compare},
};

const AT: Timestamp = Timestamp(6);

fn run() -> Run {
    Run::open(opening(task()))
}

/// What is said of a file that was changed so: its fields, or why not.
fn said(change: impl FnOnce(&mut Task)) -> String {
    let mut now = task();
    change(&mut now);
    let fields = |differences: Vec<trueup_core::difference::Difference>| {
        let lines = differences
            .into_iter()
            .map(|one| format!("{}: {} -> {}", one.field, one.was, one.now));
        lines.collect::<Vec<_>>().join("; ")
    };
    match compare(&run(), &now, AT) {
        TaskFileState::Same => "same".into(),
        TaskFileState::Changed { differences, .. } => format!("taken: {}", fields(differences)),
        TaskFileState::Refused(differences) => format!("refused: {}", fields(differences)),
        TaskFileState::Unkept(refusal) => format!("unkept: {}", refusal.about),
    }
}

#[test]
fn what_a_person_may_change_under_way_is_taken_in() {
    assert_eq!(said(|_| {}), "same");
    assert_eq!(
        said(|task| task.text = "Do it well.".into()),
        "taken: text: Do it. -> Do it well."
    );
    assert_eq!(
        said(|task| task.title = "Another".into()),
        "taken: title: A small task -> Another"
    );
    assert_eq!(said(|task| task.budget.turns = Some(9)), "taken: budget.turns: 3 -> 9");
    assert_eq!(said(|task| task.budget.time_ms = None), "taken: budget.time: 600 s -> ");
    assert_eq!(
        said(|task| task.allow.change.push("conftest.py".into())),
        "taken: allow.change:  -> conftest.py"
    );
    assert_eq!(
        said(|task| task.priority = Some(Priority::P1)),
        "taken: priority:  -> P1"
    );
    assert_eq!(
        said(|task| task.needs.push(TaskId::new("T-0"))),
        "taken: needs:  -> T-0"
    );
}

#[test]
fn what_evidence_and_plan_rest_on_is_refused_whatever_else_changed() {
    assert_eq!(said(|task| task.size = Size::Large), "refused: size: Small -> Large");
    assert_eq!(said(|task| task.base = Some("dev".into())), "refused: base:  -> dev");
    assert_eq!(
        said(|task| task.agent = Some("other".into())),
        "refused: agent:  -> other"
    );
    assert_eq!(
        said(|task| task.scope.touch.push("src/**".into())),
        "refused: scope.touch:  -> src/**"
    );
    assert_eq!(
        said(|task| task.criteria[0].text = "A differs".into()),
        "refused: A: A holds -> A differs"
    );
    assert_eq!(
        said(|task| task.criteria[0].checks[0].source = "`true`".into()),
        "refused: A.1: `check A.1` -> `true`"
    );
    assert_eq!(said(|task| drop(task.criteria.pop())), "refused: B: B holds -> ");
    let both = |task: &mut Task| {
        task.text = "Less.".into();
        task.criteria[1].checks.clear();
    };
    assert_eq!(said(both), "refused: B.1: `check B.1` -> ");
}

#[test]
fn a_limit_that_the_agent_could_not_keep_is_not_taken_in() {
    assert_eq!(said(|task| task.budget.tokens = Some(1)), "unkept: budget");
}

#[test]
fn only_the_lines_that_differ_are_shown_of_a_text() {
    let mut opening = opening(task());
    opening.task.text = "one\ntwo\nthree\nfour".into();
    let mut now = opening.task.clone();
    now.text = "one\n2\n2b\nfour".into();
    let TaskFileState::Changed { differences, .. } = compare(&Run::open(opening), &now, AT) else {
        unreachable!("a text may change");
    };
    assert_eq!(
        (differences[0].was.as_str(), differences[0].now.as_str()),
        ("two\nthree", "2\n2b")
    );
}

#[test]
fn a_changed_text_is_told_to_the_next_turn_and_evidence_stays_bound() {
    let mut run = plays(&[("open", "baseline on base"), ("base", "turn-001 from base")]);
    let before = run.opening().task.rules();
    run.apply(&task_changed("Do it well.", 3)).unwrap();
    assert_eq!(run.opening().task.text, "Do it well.");
    assert_eq!(run.opening().task.rules(), before);
    assert_eq!(run.task_changes(), 1);
    assert_eq!(wants(&run), "turn-001 from base");
}

#[test]
fn an_opening_is_completed_once() {
    let mut run = run();
    assert_eq!(run.opening().settings, None);
    run.apply(&opening_completed()).unwrap();
    assert_eq!(run.opening().settings.as_deref(), Some(&settings()));
    assert!(run.apply(&opening_completed()).is_err());
}

#[test]
fn an_opening_of_today_lacks_nothing() {
    let mut complete = opening(task());
    complete.settings = Some(Box::new(settings()));
    let text = serde_json::to_string(&Event::Opened(Box::new(complete.clone()))).unwrap();
    let read: Event = serde_json::from_str(&text).unwrap();
    assert_eq!(read, Event::Opened(Box::new(complete.clone())));
    assert!(Run::open(complete).apply(&opening_completed()).is_err());
}

#[test]
fn a_raised_budget_wakes_a_run_that_waits_for_it() {
    let mut one = task();
    one.budget.turns = Some(1);
    let base = crate::checked("base", crate::all(&one, "base", crate::due));
    let red = crate::checked("t1", crate::all(&one, "t1", crate::due));
    plays_events(
        &one,
        &[
            (base, "turn-001 from base"),
            (crate::turn_ended(1, "t1", 1), "verify-001 on t1"),
            (red, "Turns spent"),
            (task_changed("Do it well.", 1), "Turns spent"),
            (task_changed("Do it well.", 9), "turn-002-again-1 from t1"),
        ],
    );
}

/// A run of today: its opening lacks nothing.
fn complete() -> Run {
    let mut complete = opening(task());
    complete.settings = Some(Box::new(settings()));
    Run::open(complete)
}

/// What is said of an agent that is configured so.
fn configured(run: &Run, wanted: AgentChoice, change: impl FnOnce(&mut Agent, &mut AgentSettings)) -> String {
    let mut agent = run.opening().agent.clone();
    let mut settings = settings().agent;
    change(&mut agent, &mut settings);
    let fields = |differences: Vec<trueup_core::difference::Difference>| {
        let lines = differences
            .into_iter()
            .map(|one| format!("{}: {} -> {}", one.field, one.was, one.now));
        lines.collect::<Vec<_>>().join("; ")
    };
    match agent_change::compare(run, (agent, settings), wanted, AT) {
        AgentState::Same => "same".into(),
        AgentState::Changed { differences, .. } => format!("taken: {}", fields(differences)),
        AgentState::Left(differences) => format!("left: {}", fields(differences)),
        AgentState::Unkept(refusal) => format!("unkept: {}", refusal.about),
    }
}

#[test]
fn an_agent_configured_otherwise_is_taken_in_where_a_person_names_it() {
    let run = complete();
    let (named, nobody) = (AgentChoice::ByName, AgentChoice::NotAsked);
    assert_eq!(configured(&run, named, |_, _| {}), "same");
    let command = |_: &mut Agent, settings: &mut AgentSettings| settings.command = vec!["other".into(), "-x".into()];
    assert_eq!(configured(&run, named, command), "taken: command: scripted -> other -x");
    assert_eq!(configured(&run, nobody, command), "left: command: scripted -> other -x");
    let network = |agent: &mut Agent, _: &mut AgentSettings| agent.network = Network::Off;
    assert_eq!(configured(&run, named, network), "taken: network: on -> off");
    let variable = |_: &mut Agent, settings: &mut AgentSettings| {
        settings.env.insert("MANNER".into(), "kindly".into());
        settings.secret_env.push("A_TOKEN".into());
    };
    assert_eq!(
        configured(&run, named, variable),
        "taken: env.MANNER:  -> another value; env, secrets:  -> A_TOKEN"
    );
    let other = |agent: &mut Agent, settings: &mut AgentSettings| {
        agent.name = "codex".into();
        settings.kind = AgentKind::Codex;
        settings.model = Some("small".into());
    };
    assert_eq!(
        configured(&run, named, other),
        "taken: agent: scripted -> codex; kind: command -> codex; model:  -> small"
    );
}

#[test]
fn an_agent_that_cannot_be_started_is_replaced_by_what_is_configured() {
    let mut run = complete();
    run.apply(&crate::checked("base", crate::all(&task(), "base", crate::due)))
        .unwrap();
    run.apply(&crate::facts::unusable(1)).unwrap();
    assert_eq!(run.next(), Step::Await(Signal::Resume));
    let command = |_: &mut Agent, settings: &mut AgentSettings| settings.command = vec!["mended".into()];
    let said = configured(&run, AgentChoice::NotAsked, command);
    assert_eq!(said, "taken: command: scripted -> mended");
    run.apply(&agent_changed("scripted", "mended")).unwrap();
    assert_eq!(wants(&run), "turn-001-again-1 from base");
    let kept = run.opening().settings.as_deref().map(|kept| kept.agent.command.clone());
    assert_eq!(kept, Some(vec!["mended".into()]));
}

#[test]
fn an_agent_with_which_the_budget_could_not_be_kept_is_not_taken_in() {
    let mut metered = opening(task());
    metered.settings = Some(Box::new(settings()));
    metered.agent.meter = trueup_core::usage::Meter::Reports;
    metered.task.budget.tokens = Some(5);
    let mut run = Run::open(metered);
    let silent = |agent: &mut Agent, _: &mut AgentSettings| {
        agent.name = "silent".into();
        agent.meter = trueup_core::usage::Meter::Silent;
    };
    assert_eq!(configured(&run, AgentChoice::ByName, silent), "unkept: budget");
    assert!(run.apply(&agent_changed("silent", "silent")).is_err());
}

#[test]
fn another_agent_is_told_what_was_done_and_continues_no_conversation() {
    for (name, memory, recap) in [
        (
            "scripted",
            Memory::Continue {
                session: SessionId::new("s1"),
            },
            None,
        ),
        ("other", Memory::Fresh, Some(RecapReason::HandedOver)),
    ] {
        let mut run = complete();
        let mut talked = crate::turn_ended(1, "t1", 1);
        if let Event::TurnEnded(ended) = &mut talked {
            ended.outcome.session = Some(SessionId::new("s1"));
        }
        for event in [
            crate::checked("base", crate::all(&task(), "base", crate::due)),
            talked,
            crate::checked("t1", crate::all(&task(), "t1", crate::due)),
            agent_changed(name, "mended"),
        ] {
            run.apply(&event).unwrap();
        }
        let Step::Do(effect) = run.next() else {
            unreachable!("a red tree wants a turn");
        };
        let Wish::Turn(turn) = effect.wish else {
            unreachable!("a red tree wants a turn");
        };
        assert_eq!(turn.memory, memory, "{name}");
        assert_eq!(turn.brief.so_far.map(|recap| recap.why), recap, "{name}");
    }
}

/// Plays a run up to its second turn, and then these facts.
fn second_turn_then(facts: &[(Event, &'static str)]) {
    let task = task();
    let before = [
        (
            crate::checked("base", crate::all(&task, "base", crate::due)),
            "turn-001 from base",
        ),
        (crate::turn_ended(1, "t1", 1), "verify-001 on t1"),
        (
            crate::checked("t1", crate::all(&task, "t1", crate::due)),
            "turn-002 from t1",
        ),
    ];
    plays_events(&task, &[before.as_slice(), facts].concat());
}

#[test]
fn a_lowered_budget_is_kept_before_the_next_turn() {
    second_turn_then(&[
        (task_changed("Do it.", 2), "turn-002 from t1"),
        (task_changed("Do it.", 1), "Turns spent"),
        (task_changed("Do it.", 3), "turn-002-again-1 from t1"),
    ]);
}

#[test]
fn a_lowered_budget_goes_on_counting_tries() {
    let stop = || crate::facts::interrupted(Stop::Request, None);
    second_turn_then(&[
        (stop(), "await"),
        (crate::facts::resumed(), "turn-002-again-1 from t1"),
        (stop(), "await"),
        (crate::facts::resumed(), "turn-002-again-2 from t1"),
        (task_changed("Do it.", 1), "Turns spent"),
        (task_changed("Do it.", 3), "turn-002-again-3 from t1"),
    ]);
}

#[test]
fn an_older_change_of_the_budget_counts_after_the_next_turn() {
    let mut older = task_changed("Do it.", 1);
    if let Event::TaskChanged(event) = &mut older {
        event.budget_from = BudgetFrom::NextTurnsEnd;
    }
    second_turn_then(&[
        (older, "turn-002 from t1"),
        (crate::turn_ended(2, "t2", 1), "verify-002 on t2"),
    ]);
}

#[test]
fn another_agent_does_not_continue_a_conversation_that_was_broken_off() {
    let mut run = complete();
    let why = "usage limit reached".into();
    let until = Some(Timestamp(60_000));
    let mut limited = crate::facts::ended(1, "t1", 1, Ending::Limited { until, why });
    if let Event::TurnEnded(ended) = &mut limited {
        ended.outcome.session = Some(SessionId::new("s1"));
    }
    for event in [
        crate::checked("base", crate::all(&task(), "base", crate::due)),
        limited,
        agent_changed("other", "mended"),
    ] {
        run.apply(&event).unwrap();
    }
    let Step::Do(Effect {
        wish: Wish::Turn(turn), ..
    }) = run.next()
    else {
        unreachable!("a limited turn is wanted again");
    };
    assert_eq!(turn.memory, Memory::Fresh);
}

#[test]
fn another_preparation_unbinds_evidence() {
    let plain = task();
    let mut prepared = plain.clone();
    prepared.ground.prepare.push(Preparation {
        name: "node".into(),
        argv: vec!["npm".into(), "ci".into()],
        key: vec!["package-lock.json".into()],
        keep: vec!["node_modules".into()],
        timeout_ms: 1,
        env: Default::default(),
        pass_env: Vec::new(),
        secret_env: Vec::new(),
    });
    let mut other = prepared.clone();
    other.ground.prepare[0].argv[1] = "install".into();
    assert_eq!(plain.rules(), plain.digest, "older evidence stays what it was");
    assert!(plain.rules() != prepared.rules() && prepared.rules() != other.rules());
    let mut secret = prepared.clone();
    secret.ground.prepare[0].secret_env.push("NPM_TOKEN".into());
    assert!(prepared.rules() != secret.rules());
}
