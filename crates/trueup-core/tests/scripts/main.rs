//! Scripts in, traces out: the direct flow, line by line. A script is what
//! happens, one fact per line; a trace is what the run wants after each.

mod agents;
#[path = "../facts/changed.rs"]
mod changed;
mod changes;
#[path = "../facts/mod.rs"]
mod facts;
mod first;
mod installing;
mod isolation;
mod ladder;
mod lately;
mod meetings;
mod proof;
mod self_tested;
mod stuck;
mod time_spent;
mod verdict;

use facts::{
    RED, all, check, checked, committed, due, evidence, interrupted, no_space, opening, publish_refused, published,
    resumed, space_freed, task, troubled, turn_ended, unusable, warmed,
};
use trueup_core::{
    criterion::{Check, Role, Visibility},
    effect::{Effect, Wish},
    event::{Event, Interrupted, Opening, Signal, Stop},
    evidence::CheckOutcome,
    gate::Standing,
    ground::Warmth,
    id::{CommitId, Timestamp},
    ladder::Rung,
    run::{Outcome, Position, Reason, Run, Step},
    task::Task,
    turn::{Brief, CriterionBrief},
    usage::Meter,
};

/// Plays a script to a run and compares what it wants after each line.
fn play(opening: Opening, script: &[(&str, &str)]) -> Run {
    let mut run = Run::open(opening);
    for (line, wanted) in script {
        if *line != "open" {
            let applied = run.apply(&fact(&run, line));
            assert!(applied.is_ok(), "{line}: {applied:?}");
        }
        assert_eq!(wants(&run), *wanted, "after `{line}`");
    }
    run
}

fn plays(script: &[(&str, &str)]) -> Run {
    play(opening(task()), script)
}

/// Plays events to a run and compares what it wants after each of them.
fn plays_events(task: &Task, script: &[(Event, &str)]) -> Run {
    let mut run = Run::open(opening(task.clone()));
    for (event, wanted) in script {
        let applied = run.apply(event);
        assert!(applied.is_ok(), "{}: {applied:?}", event.kind());
        assert_eq!(wants(&run), *wanted, "after `{}`", event.kind());
    }
    run
}

/// One line of a script: a word, and what it is about.
fn fact(run: &Run, line: &str) -> Event {
    let (word, about) = line.split_once(' ').unwrap_or((line, ""));
    let task = &run.opening().task;
    let turn = run.spend().turns + 1;
    match word {
        "base" => checked("base", all(task, "base", |check| seen(check, about, due(check)))),
        "checks" => {
            let tree = wanted_tree(run);
            checked(
                &tree,
                all(task, &tree, |check| seen(check, about, CheckOutcome::Passed)),
            )
        }
        "warm-checks" => {
            let tree = wanted_tree(run);
            checked(
                &tree,
                warmed(all(task, &tree, |check| seen(check, about, CheckOutcome::Passed))),
            )
        }
        "turn" => turn_ended(turn, about, 1000),
        "long-turn" => turn_ended(turn, about, 600_000),
        "unusable" => unusable(turn),
        "stop" => interrupted(Stop::Keyboard, Some(about).filter(|rescue| !rescue.is_empty())),
        "trouble" => troubled(),
        "conflict" => publish_refused(),
        "resume" => resumed(),
        "full" => no_space(),
        "space" => space_freed(),
        "commit" => committed(about),
        "publish" => published(about),
        _ => evidence_of_nothing(run, line),
    }
}

/// A line no script should hold: it proves nothing and fits nowhere.
fn evidence_of_nothing(run: &Run, line: &str) -> Event {
    let task = &run.opening().task;
    let stranger = check(line, Role::Goal);
    checked(
        "nowhere",
        vec![evidence(task, (&task.criteria[0], &stranger), "nowhere", RED)],
    )
}

/// What a check saw: `A.1=green B.1=gone` names those that differ from the usual.
fn seen(check: &Check, about: &str, usual: CheckOutcome) -> CheckOutcome {
    let named = about
        .split(' ')
        .find_map(|word| word.strip_prefix(&format!("{}=", check.id)));
    match named {
        Some("green") => CheckOutcome::Passed,
        Some("red") => RED,
        Some("slow") => CheckOutcome::TimedOut,
        Some(_) => CheckOutcome::CannotRun { why: "gone".into() },
        None => usual,
    }
}

fn wanted_tree(run: &Run) -> String {
    match run.next() {
        Step::Do(effect) => match effect.wish {
            Wish::Verify(wish) => wish.tree.to_string(),
            Wish::Challenge(wish) => wish.verify.tree.to_string(),
            Wish::Turn(_) | Wish::Commit(_) | Wish::Publish(_) => String::new(),
        },
        Step::Await(_) | Step::Done(_) => String::new(),
    }
}

/// What a run wants, in a line.
fn wants(run: &Run) -> String {
    let effect = match run.next() {
        Step::Do(effect) => effect,
        Step::Await(Signal::Resume) => return "await".into(),
        Step::Await(Signal::Space) => return "await space".into(),
        Step::Await(Signal::Time(until)) => return format!("await {}", until.0),
        Step::Await(Signal::Budget) => return spent(run),
        Step::Await(Signal::Answer) => return asked(run),
        Step::Await(Signal::Advice) => return stuck::said(run),
        Step::Done(outcome) => return end(&outcome),
    };
    let id = &effect.id;
    match effect.wish {
        Wish::Verify(wish) => format!("{id} on {}", wish.tree),
        Wish::Challenge(wish) => format!("{id} on {}", wish.verify.tree),
        Wish::Turn(wish) => {
            let rescue = wish
                .rescue
                .map(|rescue| format!(" beside {rescue}"))
                .unwrap_or_default();
            format!("{id} from {}{rescue}", wish.from)
        }
        Wish::Commit(wish) => format!("{id} {} on {}", wish.tree, wish.parent),
        Wish::Publish(wish) => format!("{id} {}", wish.commit),
    }
}

fn asked(run: &Run) -> String {
    match run.position() {
        Position::Paused(_, Reason::Asks(asked)) => {
            let paths: Vec<&str> = asked.iter().map(|objection| objection.path.as_str()).collect();
            format!("asks about {}", paths.join(", "))
        }
        other @ (Position::Working(_) | Position::Paused(..) | Position::Done(_)) => format!("{other:?}"),
    }
}

fn spent(run: &Run) -> String {
    match run.position() {
        Position::Paused(_, Reason::BudgetSpent(limit)) => format!("{limit:?} spent"),
        other @ (Position::Working(_) | Position::Paused(..) | Position::Done(_)) => format!("{other:?}"),
    }
}

fn end(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Verified { tree, commit } => format!("verified {tree} as {commit}"),
        Outcome::Waived { tree, commit } => format!("waived {tree} as {commit}"),
        Outcome::Refused(refusals) => {
            let lines: Vec<String> = refusals
                .iter()
                .map(|refusal| format!("{}: {}", refusal.about, refusal.why))
                .collect();
            let lines: Vec<&str> = lines
                .iter()
                .map(|line| line.split([';', ',']).next().unwrap_or(line))
                .collect();
            format!("refused {}", lines.join(" / "))
        }
        Outcome::NothingToDo => "nothing to do".into(),
    }
}

fn brief(run: &Run) -> Option<Brief> {
    let Step::Do(effect) = run.next() else {
        return None;
    };
    match effect.wish {
        Wish::Turn(turn) => Some(turn.brief),
        Wish::Verify(_) | Wish::Challenge(_) | Wish::Commit(_) | Wish::Publish(_) => None,
    }
}

#[test]
fn a_good_turn_is_checked_committed_and_delivered() {
    let run = plays(&[
        ("open", "baseline on base"),
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("checks", "commit t1 on c0"),
        ("commit c1", "publish c1"),
        ("publish c1", "verified t1 as c1"),
    ]);
    assert_eq!(run.commit(), Some(&CommitId::new("c1")));
}

#[test]
fn a_red_round_is_told_and_tried_again() {
    let run = plays(&[
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("checks A.1=red B.1=slow", "turn-002 from t1"),
    ]);
    let brief = brief(&run).expect("a turn is wanted");
    assert_eq!((brief.turn, brief.turn_limit, brief.rung), (2, 3, Rung::Retry));
    let told: Vec<(&str, Standing, Vec<&str>)> = brief
        .criteria
        .iter()
        .map(|told| {
            (
                told.id.as_str(),
                told.standing,
                told.failures.iter().map(|f| f.check.as_str()).collect(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [("A", Standing::Unmet, vec!["A.1"]), ("B", Standing::Unmet, vec!["B.1"])]
    );
    plays(&[
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("checks A.2=red", "turn-002 from t1"),
        ("turn t2", "verify-002 on t2"),
        ("checks", "commit t2 on c0"),
    ]);
}

#[test]
fn what_was_seen_warm_is_seen_cold_before_it_ends_a_run() {
    plays(&[
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("warm-checks", "confirm-001 on t1"),
        ("stop", "await"),
        ("resume", "confirm-001-again-1 on t1"),
        ("checks", "commit t1 on c0"),
    ]);
}

#[test]
fn what_only_a_cache_made_green_is_tried_again() {
    for seen_cold in ["checks A.1=red", "warm-checks"] {
        plays(&[
            ("base", "turn-001 from base"),
            ("turn t1", "verify-001 on t1"),
            ("warm-checks", "confirm-001 on t1"),
            (seen_cold, "turn-002 from t1"),
        ]);
    }
}

#[test]
fn a_person_can_let_a_warm_verdict_end_a_run() {
    let mut task = task();
    task.ground.last = Warmth::Warm;
    play(
        opening(task),
        &[
            ("base", "turn-001 from base"),
            ("turn t1", "verify-001 on t1"),
            ("warm-checks", "commit t1 on c0"),
        ],
    );
}

#[test]
fn a_check_that_cannot_run_on_the_candidate_is_no_pass() {
    plays(&[
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("checks B.1=gone", "turn-002 from t1"),
    ]);
}

#[test]
fn an_unusable_agent_costs_no_turn() {
    let run = plays(&[
        ("base", "turn-001 from base"),
        ("unusable", "await"),
        ("resume", "turn-001-again-1 from base"),
        ("unusable", "await"),
        ("resume", "turn-001-again-2 from base"),
        ("turn t1", "verify-001 on t1"),
    ]);
    assert_eq!(run.spend().turns, 1);
}

#[test]
fn an_interrupted_turn_is_the_same_turn_again_with_what_it_left() {
    plays(&[
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("checks B.1=red", "turn-002 from t1"),
        ("stop half", "await"),
        ("resume", "turn-002-again-1 from t1 beside half"),
        ("turn t2", "verify-002 on t2"),
        ("checks B.1=red", "turn-003 from t2"),
    ]);
}

#[test]
fn what_a_broken_off_turn_left_is_kept_until_a_turn_ends() {
    plays(&[
        ("base", "turn-001 from base"),
        ("stop half", "await"),
        ("resume", "turn-001-again-1 from base beside half"),
        ("trouble", "await"),
        ("resume", "turn-001-again-2 from base beside half"),
        ("stop", "await"),
        ("resume", "turn-001-again-3 from base beside half"),
        ("stop more", "await"),
        ("resume", "turn-001-again-4 from base beside more"),
    ]);
}

#[test]
fn every_work_can_be_broken_off_and_taken_up_again() {
    plays(&[
        ("stop", "await"),
        ("resume", "baseline-again-1 on base"),
        ("trouble", "await"),
        ("resume", "baseline-again-2 on base"),
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("stop", "await"),
        ("resume", "verify-001-again-1 on t1"),
        ("checks", "commit t1 on c0"),
        ("trouble", "await"),
        ("resume", "commit-again-1 t1 on c0"),
        ("commit c1", "publish c1"),
        ("conflict", "await"),
        ("resume", "publish-again-1 c1"),
        ("publish c1", "verified t1 as c1"),
    ]);
}

#[test]
fn a_shortage_of_space_costs_no_turn_and_needs_no_person() {
    let run = plays(&[
        ("full", "await space"),
        ("space", "baseline-again-1 on base"),
        ("base", "turn-001 from base"),
        ("full", "await space"),
        ("space", "turn-001-again-1 from base"),
        ("full", "await space"),
        ("space", "turn-001-again-2 from base"),
        ("turn t1", "verify-001 on t1"),
    ]);
    assert_eq!(run.spend().turns, 1);
    let mut waiting = plays(&[("full", "await space")]);
    assert!(waiting.apply(&resumed()).is_err(), "a person's word makes no space");
    let mut stopped = plays(&[("stop", "await")]);
    assert!(stopped.apply(&space_freed()).is_err(), "space is not what it waits for");
}

#[test]
fn nothing_to_do_starts_no_agent() {
    plays(&[("base A.1=green B.1=green", "nothing to do")]);
}

#[test]
fn a_base_that_cannot_prove_the_task_refuses_it() {
    plays(&[(
        "base A.1=green",
        "refused A.1 `check A.1`: the goal is already green on the base",
    )]);
    plays(&[(
        "base A.2=red",
        "refused A.2 `check A.2`: the guard is red on the base (exit 1)",
    )]);
    plays(&[("base B.1=gone", "refused B.1 `check B.1`: it cannot be executed: gone")]);
    plays(&[(
        "base A.1=green A.2=slow",
        "refused A.2 `check A.2`: the guard is red on the base (reached its time limit) / A.1 `check A.1`: the goal is already green on the base",
    )]);
    plays(&[("base A.1=slow", "turn-001 from base")]);
}

#[test]
fn a_task_that_could_never_be_proved_is_refused_at_once() {
    let mut no_check = task();
    no_check.criteria[1].checks.clear();
    play(opening(no_check), &[("open", "refused B: it has no check")]);
    let mut no_goal = task();
    no_goal.criteria[0].checks.remove(0);
    no_goal.criteria.pop();
    play(opening(no_goal), &[("open", "refused T-1: it has no goal")]);
    let mut unmeterable = task();
    unmeterable.budget.tokens = Some(1000);
    let silent = opening(unmeterable);
    let mut reporting = silent.clone();
    reporting.agent.meter = Meter::Reports;
    play(
        silent,
        &[(
            "open",
            "refused budget: the agent `scripted` does not say what it costs",
        )],
    );
    let mut tokens_only = reporting.clone();
    tokens_only.agent.meter = Meter::Tokens;
    play(tokens_only.clone(), &[("open", "baseline on base")]);
    tokens_only.task.budget.millicents = Some(1000);
    play(
        tokens_only,
        &[(
            "open",
            "refused budget: the agent `scripted` does not say what money it costs",
        )],
    );
    play(reporting, &[("open", "baseline on base")]);
}

#[test]
fn turns_end_when_they_are_spent() {
    plays(&[
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("checks B.1=red", "turn-002 from t1"),
        ("turn t2", "verify-002 on t2"),
        ("checks B.1=red", "turn-003 from t2"),
        ("turn t3", "verify-003 on t3"),
        ("checks B.1=red", "Turns spent"),
    ]);
    let mut none = task();
    none.budget.turns = Some(0);
    play(opening(none), &[("base", "Turns spent")]);
}

#[test]
fn the_last_turn_may_still_succeed() {
    let mut one = task();
    one.budget.turns = Some(1);
    play(
        opening(one),
        &[
            ("base", "turn-001 from base"),
            ("long-turn t1", "verify-001 on t1"),
            ("checks", "commit t1 on c0"),
        ],
    );
}

#[test]
fn time_ends_when_it_is_spent() {
    plays(&[
        ("base", "turn-001 from base"),
        ("long-turn t1", "verify-001 on t1"),
        ("checks B.1=red", "Time spent"),
    ]);
}

#[test]
fn a_tree_whose_verdict_is_known_is_not_checked_again() {
    plays(&[
        ("base", "turn-001 from base"),
        ("turn base", "turn-002 from base"),
        ("turn t1", "verify-002 on t1"),
        ("checks B.1=red", "turn-003 from t1"),
        ("turn t1", "stuck, Unchanged: B.1 `check B.1`"),
    ]);
}

/// Whether a brief says anything about the hidden check `B.1`.
fn leaks(brief: &Brief) -> bool {
    let hidden = evidence(&task(), (&task().criteria[1], &check("B.1", Role::Goal)), "t1", RED);
    let text = serde_json::to_string(brief).unwrap_or_else(|error| format!("B.1 {error}"));
    let secrets = [
        "check B.1",
        "B.1",
        hidden.stdout.digest.as_str(),
        hidden.stderr.digest.as_str(),
    ];
    secrets.iter().any(|secret| text.contains(secret))
}

#[test]
fn a_hidden_check_is_never_told() {
    let mut task = task();
    task.criteria[1].checks[0].sight = Visibility::Hidden(Vec::new());
    let mut run = play(opening(task), &[("base", "turn-001 from base")]);
    for line in ["turn t1", "checks A.1=red B.1=red", "turn t2", "checks B.1=red"] {
        let told = brief(&run);
        assert!(!told.as_ref().is_some_and(leaks), "{told:?}");
        assert!(run.apply(&fact(&run, line)).is_ok(), "{line}");
    }
    let told = brief(&run).expect("the third turn is wanted");
    assert!(!leaks(&told), "{told:?}");
    assert_eq!(told.criteria[1].text, "B holds");
    assert_eq!(told.criteria[1].standing, Standing::Unmet);
    assert_eq!(told.criteria[1].failures, []);
}

#[test]
fn a_brief_that_tells_a_hidden_check_is_caught() {
    let run = plays(&[
        ("base", "turn-001 from base"),
        ("turn t1", "verify-001 on t1"),
        ("checks B.1=red", "turn-002 from t1"),
    ]);
    // The same check, open: its source and its output are told, and seen.
    let open = brief(&run).expect("a turn is wanted");
    assert!(leaks(&open));
    let only_output = Brief {
        criteria: open
            .criteria
            .into_iter()
            .map(|told| CriterionBrief {
                checks: Vec::new(),
                ..told
            })
            .collect(),
        ..open
    };
    assert!(leaks(&only_output));
}

#[test]
fn the_first_brief_tells_what_the_checks_saw_on_the_base() {
    let run = plays(&[("base", "turn-001 from base")]);
    let brief = brief(&run).expect("a turn is wanted");
    assert_eq!(brief.rung, Rung::First);
    assert!(brief.criteria.iter().all(|told| told.standing == Standing::Unmet));
    assert!(brief.criteria.iter().any(|told| !told.failures.is_empty()));
}

#[test]
fn a_broken_off_turn_counts_against_the_time_it_took() {
    let mut task = task();
    task.budget.time_ms = Some(1000);
    let mut run = play(opening(task), &[("base", "turn-001 from base")]);
    let broken_off = |took_ms| {
        Event::Interrupted(Interrupted {
            by: Stop::Keyboard,
            rescue: None,
            took_ms,
            at: Timestamp(0),
        })
    };
    for (took_ms, left) in [(400, 600), (599, 1)] {
        run.apply(&broken_off(took_ms)).expect("a turn is under way");
        run.apply(&fact(&run, "resume")).expect("it waits");
        let Step::Do(Effect {
            wish: Wish::Turn(turn), ..
        }) = run.next()
        else {
            panic!("a turn is wanted while time is left");
        };
        assert_eq!(turn.policy.time_limit_ms, left);
    }
    run.apply(&broken_off(1)).expect("a turn is under way");
    run.apply(&fact(&run, "resume")).expect("it waits");
    assert_eq!(spent(&run), "Time spent");
}

#[test]
fn two_answers_of_one_check_prove_nothing() {
    let mut run = plays(&[("base", "turn-001 from base"), ("turn t1", "verify-001 on t1")]);
    let Event::Checked(mut checked) = fact(&run, "checks") else {
        panic!("checks were executed");
    };
    let twice = checked.evidence[0].clone();
    checked.evidence.push(twice);
    run.apply(&Event::Checked(checked)).expect("the checks fit");
    assert!(matches!(run.next(), Step::Do(effect) if effect.id.as_str() == "turn-002"));
}
