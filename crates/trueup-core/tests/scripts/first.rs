//! Tests first: the phases of a task that is large enough for them.

use crate::{
    facts::{RED, all, checked, due, ended, opening, task, turn_ended},
    plays_events as plays,
    proof::tally,
    wants,
};
use trueup_core::{
    criterion::{Check, CheckMethod, Execution, Network, Role},
    effect::{Turn, Wish},
    ending::Ending,
    event::Event,
    evidence::{Because, CheckOutcome, Named},
    kind::{Format, Kind, Runner},
    phase::Rights,
    run::{Run, Step},
    task::{Size, Task},
};

/// A task of medium size: one goal that is a test, and one guard that runs all.
pub(crate) fn medium() -> Task {
    let mut task = task();
    task.size = Size::Medium;
    task.budget = Default::default();
    let execution = Execution {
        kind: Kind::Tests(Runner::Pytest),
        parse: Some(Format::Junit),
        ..Execution::new(vec!["pytest".into()], 1000, Network::Off)
    };
    task.criteria.truncate(1);
    for check in &mut task.criteria[0].checks {
        check.how = match check.role {
            Role::Goal => CheckMethod::Test {
                name: "test_it".into(),
                of: "tests".into(),
                execution: execution.clone(),
            },
            Role::Guard => CheckMethod::Named {
                name: "tests".into(),
                execution: execution.clone(),
            },
        };
    }
    task
}

pub(crate) fn base(task: &Task) -> Event {
    checked("base", all(task, "base", due))
}

/// The tests are there, and fail as the goal does for this reason.
pub(crate) fn written(task: &Task, tree: &str, because: Option<Because>, named: Named) -> Event {
    let mut seen = all(task, tree, |_| RED);
    for evidence in &mut seen {
        evidence.because.clone_from(&because);
        evidence.tally = Some(tally(named));
    }
    checked(tree, seen)
}

pub(crate) const FAILED: Named = Named {
    passed: 0,
    failed: 1,
    skipped: 0,
};

pub(crate) fn green(task: &Task, tree: &str) -> Event {
    checked(tree, all(task, tree, |_| CheckOutcome::Passed))
}

pub(crate) fn challenged(task: &Task, tree: &str) -> Event {
    use trueup_core::control::{Control, Reaction, Sabotage};
    let checks = task.criteria.iter().flat_map(|criterion| &criterion.checks);
    let controls = checks.flat_map(|check: &Check| {
        [Sabotage::Canary, Sabotage::Failing, Sabotage::Defaulting].map(|sabotage| Control {
            check: check.id.clone(),
            sabotage,
            about: "it".into(),
            turned: Reaction::Red { by: "it".into() },
            output: tally(FAILED).list,
            took_ms: 1,
        })
    });
    Event::Challenged(trueup_core::event::Challenged {
        tree: trueup_core::id::TreeId::new(tree),
        controls: controls.collect(),
        objections: Vec::new(),
        at: trueup_core::id::Timestamp(8),
    })
}

/// The turn that the run wants now.
pub(crate) fn turn(run: &Run) -> Option<Box<Turn>> {
    let Step::Do(effect) = run.next() else {
        return None;
    };
    match effect.wish {
        Wish::Turn(turn) => Some(turn),
        Wish::Verify(_) | Wish::Challenge(_) | Wish::Commit(_) | Wish::Publish(_) => None,
    }
}

pub(crate) fn rights(run: &Run) -> (Rights, String, String) {
    let wanted = turn(run).map(|turn| (turn.rights, turn.since.to_string(), turn.brief.phase));
    wanted.unwrap_or((Rights::All, String::new(), "no turn at all".into()))
}

/// As far as the proof of the work: tests in turn 1, the work in turn 2.
pub(crate) fn proved(task: &Task) -> Run {
    let run = plays(
        task,
        &[
            (base(task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (written(task, "t1", Some(Because::Missing), FAILED), "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(task, "t2"), "challenge-002 on t2"),
            (challenged(task, "t2"), "turn-003 from t2"),
        ],
    );
    assert_eq!(rights(&run), (Rights::Code, "t2".into(), "refactor".into()));
    run
}

#[test]
fn tests_come_first_then_the_work_then_one_turn_to_put_it_better() {
    let task = medium();
    let mut run = Run::open(opening(task.clone()));
    run.apply(&base(&task)).expect("it fits");
    assert_eq!(rights(&run), (Rights::Tests, "base".into(), "tests".into()));
    run.apply(&turn_ended(1, "t1", 1)).expect("it fits");
    run.apply(&written(&task, "t1", Some(Because::Assertion), FAILED))
        .expect("it fits");
    assert_eq!(rights(&run), (Rights::Code, "t1".into(), "implement".into()));
    let mut run = proved(&task);
    // Nothing to put better: what was proved is delivered.
    run.apply(&turn_ended(3, "t2", 1)).expect("it fits");
    assert_eq!(wants(&run), "commit t2 on c0");
}

#[test]
fn tests_that_do_not_fail_for_want_of_the_work_do_not_count() {
    let task = medium();
    let none = Named::default();
    for (because, named, told) in [
        (None, none, "no test called `test_it` ran"),
        (Some(Because::Assertion), none, "no test called `test_it` ran"),
        (
            Some(Because::Broken("SyntaxError".into())),
            FAILED,
            "the test itself is broken",
        ),
    ] {
        let run = plays(
            &task,
            &[
                (base(&task), "turn-001 from base"),
                (turn_ended(1, "t1", 1), "verify-001 on t1"),
                (written(&task, "t1", because, named), "turn-002 from t1"),
            ],
        );
        assert_eq!(rights(&run).0, Rights::Tests, "{told}");
        let turn = turn(&run).expect("a turn");
        let findings: String = turn.brief.findings.iter().map(|finding| finding.what.clone()).collect();
        assert!(findings.contains(told), "{findings}");
    }
    // Tests that pass before the work is done prove nothing.
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1"), "turn-002 from t1"),
        ],
    );
    assert_eq!(rights(&run).0, Rights::Tests);
}

#[test]
fn a_test_file_that_does_not_load_for_want_of_the_work_counts() {
    let task = medium();
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (
                written(&task, "t1", Some(Because::Missing), Named::default()),
                "turn-002 from t1",
            ),
        ],
    );
    assert_eq!(rights(&run).0, Rights::Code);
}

#[test]
fn what_was_only_put_better_is_kept_if_green_and_taken_back_otherwise() {
    let task = medium();
    let mut kept = proved(&task);
    for (event, wanted) in [
        (turn_ended(3, "t3", 1), "verify-003 on t3"),
        (green(&task, "t3"), "challenge-003 on t3"),
        (challenged(&task, "t3"), "commit t3 on c0"),
    ] {
        kept.apply(&event).expect("it fits");
        assert_eq!(wants(&kept), wanted);
    }
    let mut broken = proved(&task);
    broken.apply(&turn_ended(3, "t3", 1)).expect("it fits");
    broken
        .apply(&checked("t3", all(&task, "t3", |_| RED)))
        .expect("it fits");
    assert_eq!(wants(&broken), "commit t2 on c0");
    assert!(
        broken.verdict().is_some_and(|verdict| verdict.holds()),
        "of the tree that was proved"
    );
    let mut unproven = proved(&task);
    unproven.apply(&turn_ended(3, "t3", 1)).expect("it fits");
    unproven.apply(&green(&task, "t3")).expect("it fits");
    let mut silent = challenged(&task, "t3");
    if let Event::Challenged(challenged) = &mut silent {
        challenged.controls.truncate(1);
    }
    unproven.apply(&silent).expect("it fits");
    assert_eq!(wants(&unproven), "commit t2 on c0");
}

#[test]
fn tests_that_do_not_prove_the_work_are_made_stronger_by_a_turn_of_their_own() {
    let task = medium();
    let mut weak = challenged(&task, "t2");
    if let Event::Challenged(challenged) = &mut weak {
        for control in &mut challenged.controls {
            if control.sabotage == trueup_core::control::Sabotage::Defaulting {
                control.turned = trueup_core::control::Reaction::Green;
            }
        }
    }
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (written(&task, "t1", Some(Because::Missing), FAILED), "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(&task, "t2"), "challenge-002 on t2"),
            (weak, "turn-003 from t2"),
        ],
    );
    assert_eq!(rights(&run), (Rights::Tests, "t2".into(), "implement".into()));
    run.apply(&turn_ended(3, "t3", 1)).expect("it fits");
    run.apply(&checked("t3", all(&task, "t3", |_| RED))).expect("it fits");
    // The stronger tests are red: the work goes on, and leaves them alone.
    assert_eq!(rights(&run), (Rights::Code, "t3".into(), "implement".into()));
}

#[test]
fn what_a_person_would_be_asked_about_is_told_while_it_can_be_taken_back() {
    use trueup_core::{
        digest::Digest,
        objection::{Objection, ObjectionKind},
    };
    let task = medium();
    let with = |kind: ObjectionKind, tree: &str| {
        let mut event = written(&task, tree, Some(Because::Missing), FAILED);
        if let Event::Checked(checked) = &mut event {
            checked.objections.push(Objection {
                kind,
                path: "tests/conftest.py".into(),
                what: "it sets rules".into(),
                digest: Digest::of(b"conftest"),
                allowed: None,
                rule: None,
            });
        }
        event
    };
    let begin = [
        (base(&task), "turn-001 from base"),
        (turn_ended(1, "t1", 1), "verify-001 on t1"),
    ];
    let mut run = plays(&task, &begin);
    run.apply(&with(ObjectionKind::Protected, "t1")).expect("it fits");
    assert_eq!(rights(&run).0, Rights::Tests, "it is told first");
    run.apply(&turn_ended(2, "t2", 1)).expect("it fits");
    run.apply(&with(ObjectionKind::Protected, "t2")).expect("it fits");
    assert_eq!(rights(&run).0, Rights::Code, "and told once");
    // Tests that do not load hide those beside them, which is nobody's fault.
    let mut run = plays(&task, &begin);
    run.apply(&with(ObjectionKind::TestGone, "t1")).expect("it fits");
    assert_eq!(rights(&run).0, Rights::Code);
}

#[test]
fn what_is_proved_waits_for_nobody_who_would_only_put_it_better() {
    let task = medium();
    let why = "usage limit".to_owned();
    for ending in [
        Ending::Limited {
            until: None,
            why: why.clone(),
        },
        Ending::Unusable { why: why.clone() },
        Ending::ContextFull { why },
    ] {
        let mut run = proved(&task);
        run.apply(&crate::facts::ended(3, "t2", 1, ending.clone()))
            .expect("it fits");
        assert_eq!(wants(&run), "commit t2 on c0", "{ending:?}");
    }
}

#[test]
fn small_tasks_other_goals_and_files_that_need_no_test_go_straight_to_work() {
    let first = |task: &Task| {
        let mut run = Run::open(opening(task.clone()));
        run.apply(&base(task)).expect("it fits");
        rights(&run)
    };
    assert_eq!(first(&medium()).0, Rights::Tests);
    let mut small = medium();
    small.size = Size::Small;
    assert_eq!(first(&small), (Rights::All, "base".into(), "implement".into()));
    let mut plain = task();
    plain.size = Size::Large;
    assert_eq!(first(&plain).0, Rights::All);
    for (touch, wanted) in [
        (vec!["docs/**/*.md"], Rights::All),
        (
            vec!["vite.config.ts", "a.json", "b.yaml", "c.css", ".env.local"],
            Rights::All,
        ),
        (vec!["docs/*.md", "src/**"], Rights::Tests),
    ] {
        let mut task = medium();
        task.scope.touch = touch.iter().map(ToString::to_string).collect();
        assert_eq!(first(&task).0, wanted, "{touch:?}");
    }
}

#[test]
fn a_phase_has_turns_of_its_own() {
    let task = medium();
    let mut run = Run::open(opening(task.clone()));
    run.apply(&base(&task)).expect("it fits");
    for turn in 1..=20 {
        assert_eq!(rights(&run).0, Rights::Tests, "turn {turn}");
        let tree = format!("t{turn}");
        run.apply(&turn_ended(turn, &tree, 1)).expect("it fits");
        run.apply(&checked(&tree, Vec::new())).expect("it fits");
    }
    assert_eq!(wants(&run), "Turns spent");
}

#[test]
fn tests_of_what_was_there_are_told_once_and_judged_in_the_end() {
    let task = medium();
    let early = |tree: &str| checked(tree, all(&task, tree, |_| CheckOutcome::Passed));
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (early("t1"), "turn-002 from t1"),
            (turn_ended(2, "t1", 1), "turn-003 from t1"),
        ],
    );
    assert_eq!(rights(&run), (Rights::Code, "t1".into(), "implement".into()));
    // In their own phase less is objected to, so the same tree is looked at again.
    let mut run = run;
    run.apply(&turn_ended(3, "t1", 1)).expect("it fits");
    assert_eq!(wants(&run), "verify-003 on t1");
}

#[test]
fn of_tests_that_come_first_only_goals_are_looked_at() {
    let task = medium();
    let early = |check: &Check| match check.role {
        Role::Goal => CheckOutcome::Passed,
        Role::Guard => RED,
    };
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (checked("t1", all(&task, "t1", early)), "turn-002 from t1"),
            (turn_ended(2, "t1", 1), "turn-003 from t1"),
        ],
    );
    assert_eq!(rights(&run), (Rights::Code, "t1".into(), "implement".into()));
}

#[test]
fn who_asks_while_tests_are_written_is_heard() {
    let task = medium();
    let blocked = ended(
        2,
        "t1",
        1,
        Ending::Blocked {
            why: "which one?".into(),
        },
    );
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (
                checked("t1", all(&task, "t1", |_| CheckOutcome::Passed)),
                "turn-002 from t1",
            ),
            (blocked, "blocked: which one?"),
        ],
    );
}

#[test]
fn tests_that_are_not_there_are_not_gone_past() {
    let task = medium();
    let none = written(&task, "t1", Some(Because::Assertion), Named::default());
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (none, "turn-002 from t1"),
            (
                turn_ended(2, "t1", 1),
                "stuck, Unchanged: A.1 `check A.1`, A.2 `check A.2`, `check A.1`",
            ),
        ],
    );
    assert_eq!(run.spend().turns, 2);
}
