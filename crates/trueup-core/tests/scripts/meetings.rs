//! Rules of a run that decide only where two of them meet: phases and
//! objections, controls of several checks, a coin in the last phase.

use crate::{
    facts::{RED, all, checked, due, ended, moment, turn_ended},
    first::{self, FAILED, medium, rights, written},
    plays_events as plays,
    proof::{self, challenged, control, findings, objection, tally, tests_task},
    wants,
};
use trueup_core::{
    control::{Reaction, Sabotage},
    criterion::{CheckMethod, Role},
    ending::Ending,
    event::Event,
    evidence::{Because, CheckOutcome, Named, Runs, Tally},
    gate::Proof,
    kind::Kind,
    objection::{Objection, ObjectionKind},
    phase::Rights,
    run::Run,
    task::Task,
};

fn base(task: &Task) -> Event {
    checked("base", all(task, "base", due))
}

#[test]
fn only_tests_that_were_written_first_are_made_stronger_by_a_turn_of_their_own() {
    let task = tests_task();
    let weak = challenged(&task, "t1", Some(("B.1", Sabotage::Defaulting, Reaction::Green)));
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (proof::green(&task, "t1", &[]), "challenge-001 on t1"),
            (weak, "turn-002 from t1"),
        ],
    );
    assert_eq!(rights(&run), (Rights::All, "base".into(), "implement".into()));
}

#[test]
fn a_lint_that_proves_nothing_is_no_reason_to_change_tests() {
    let mut task = medium();
    if let Some(execution) = task.criteria[0].checks[1].execution_mut() {
        execution.kind = Kind::Lint;
        execution.parse = None;
    }
    let mut blind = first::challenged(&task, "t2");
    if let Event::Challenged(event) = &mut blind {
        let lint = &task.criteria[0].checks[1];
        event.controls.push(control(lint, Sabotage::Violation, Reaction::Green));
    }
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (written(&task, "t1", Some(Because::Missing), FAILED), "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (first::green(&task, "t2"), "challenge-002 on t2"),
            (blind, "turn-003 from t2"),
        ],
    );
    assert_eq!(rights(&run), (Rights::Code, "t1".into(), "implement".into()));
}

#[test]
fn a_guard_may_stay_green_while_the_tests_are_written_that_the_goal_asks_for() {
    let task = medium();
    let mut event = written(&task, "t1", Some(Because::Missing), FAILED);
    if let Event::Checked(checked) = &mut event {
        (checked.evidence[1].saw, checked.evidence[1].because) = (CheckOutcome::Passed, None);
    }
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (event, "turn-002 from t1"),
        ],
    );
    assert_eq!(rights(&run).0, Rights::Code);
}

#[test]
fn an_objection_is_kept_once_whoever_finds_it_again() {
    let task = tests_task();
    let (known, new) = (objection("conftest.py"), objection("tests/test_a.py"));
    let mut event = challenged(&task, "t1", None);
    if let Event::Challenged(challenged) = &mut event {
        challenged.objections = vec![known.clone(), new.clone()];
    }
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (
                proof::green(&task, "t1", std::slice::from_ref(&known)),
                "turn-002 from t1",
            ),
            (turn_ended(2, "t1", 1), "challenge-002 on t1"),
            (event, "turn-003 from t1"),
        ],
    );
    assert_eq!(run.objections(), [known, new]);
}

#[test]
fn a_test_that_is_gone_is_told_once_the_work_has_begun() {
    let task = crate::facts::task();
    let gone = Objection {
        kind: ObjectionKind::TestGone,
        ..objection("test_old")
    };
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (proof::green(&task, "t1", &[gone]), "turn-002 from t1"),
        ],
    );
}

/// A test of its own for each goal, of which the base knows the first.
fn named_tests() -> (Task, Event) {
    let mut task = tests_task();
    let checks = task.criteria.iter_mut().flat_map(|criterion| &mut criterion.checks);
    for check in checks.filter(|check| check.role == Role::Goal) {
        let Some(execution) = check.execution().cloned() else {
            continue;
        };
        let (name, of) = ("test_it".into(), "tests".into());
        check.how = CheckMethod::Test { name, of, execution };
    }
    let mut seen = all(&task, "base", due);
    let body = seen[0].stdout.clone();
    for (one, named) in seen.iter_mut().zip([FAILED, Named::default(), Named::default()]) {
        one.tally = Some(Tally {
            passed: 0,
            list: body.clone(),
            ..tally(named)
        });
    }
    (task, checked("base", seen))
}

#[test]
fn who_wrote_a_test_is_asked_of_that_test() {
    let (task, base) = named_tests();
    let mut event = challenged(&task, "t1", None);
    if let Event::Challenged(challenged) = &mut event {
        let failing = challenged.controls.iter_mut();
        for control in failing.filter(|control| control.sabotage == Sabotage::Failing) {
            control.turned = Reaction::Nothing { why: "no code".into() };
        }
    }
    let run = plays(
        &task,
        &[
            (base, "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (proof::green(&task, "t1", &[]), "challenge-001 on t1"),
            (event, "commit t1 on c0"),
        ],
    );
    let proof = |criterion: usize| run.proof(&task.criteria[criterion].checks[0]);
    assert_eq!(proof(0), Proof::SeenToFail, "a person's");
    assert_eq!(proof(1), Proof::CanaryOnly, "the run's");
}

#[test]
fn a_coin_that_falls_while_the_work_is_put_better_takes_that_back() {
    let task = medium();
    let mut run: Run = first::proved(&task);
    run.apply(&turn_ended(3, "t3", 1)).expect("it fits");
    let mut seen = all(&task, "t3", |_| CheckOutcome::Passed);
    (seen[1].saw, seen[1].runs) = (RED, Runs { green: 1, red: 1 });
    run.apply(&checked("t3", seen)).expect("it fits");
    assert_eq!(wants(&run), "commit t2 on c0");
}

#[test]
fn what_is_missing_of_tests_is_told_of_the_tree_it_is_missing_in() {
    let task = medium();
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (written(&task, "t1", None, Named::default()), "turn-002 from t1"),
        ],
    );
    assert!(findings(&run).concat().contains("no test called `test_it` ran"));
    // The next turn is broken off by the world after it wrote something.
    let limited = Ending::Limited {
        until: None,
        why: "usage limit".into(),
    };
    run.apply(&ended(2, "t2", 1, limited)).expect("it fits");
    run.apply(&moment()).expect("it fits");
    assert_eq!(wants(&run), "turn-002-again-1 from t2");
    assert_eq!(findings(&run), [""; 0], "nobody looked at t2 yet");
}
