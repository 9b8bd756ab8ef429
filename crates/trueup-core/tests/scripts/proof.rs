//! What stands between a green tree and its delivery: objections, controls,
//! what only a person can judge, and checks that give two answers.

use crate::{
    facts::{RED, all, checked, committed, due, opening, published, task, turn_ended},
    plays_events as plays, wants,
};
use trueup_core::{
    control::{Control, Reaction, Sabotage},
    criterion::{Check, CheckMethod, Role, Visibility},
    digest::Digest,
    effect::Wish,
    event::{Answered, Challenged, Checked, Event, PersonAnswer, Resumed},
    evidence::{Body, CheckOutcome, Named, Runs, Tally},
    gate::{self, Proof, Standing},
    id::{Timestamp, TreeId},
    kind::{Kind, Runner},
    objection::{Objection, ObjectionKind},
    run::{Position, Reason, Run, Step},
    task::Task,
};

/// The small task, whose checks all call a test runner.
pub(crate) fn tests_task() -> Task {
    let mut task = task();
    for check in task.criteria.iter_mut().flat_map(|criterion| &mut criterion.checks) {
        if let Some(execution) = check.execution_mut() {
            execution.kind = Kind::Tests(Runner::Pytest);
        }
    }
    task
}

/// What a report says in which three tests passed, and these were asked for.
pub(crate) fn tally(named: Named) -> Tally {
    Tally {
        passed: 3,
        failed: named.failed,
        skipped: 0,
        named,
        near: Vec::new(),
        findings: 0,
        new_findings: 0,
        lines: 0,
        reached: 0,
        list: Body {
            digest: Digest::of(b"list"),
            bytes: 4,
        },
    }
}

pub(crate) fn objection(path: &str) -> Objection {
    Objection {
        kind: ObjectionKind::Protected,
        path: path.into(),
        what: "it sets the rules".into(),
        digest: Digest::of(path.as_bytes()),
        allowed: None,
        rule: None,
    }
}

pub(crate) fn green(task: &Task, tree: &str, objections: &[Objection]) -> Event {
    Event::Checked(Checked {
        tree: TreeId::new(tree),
        evidence: all(task, tree, |_| CheckOutcome::Passed),
        objections: objections.to_vec(),
        at: Timestamp(7),
    })
}

pub(crate) fn control(check: &Check, sabotage: Sabotage, turned: Reaction) -> Control {
    Control {
        check: check.id.clone(),
        sabotage,
        about: "what was laid".into(),
        turned,
        output: Body {
            digest: Digest::of(b"it failed"),
            bytes: 9,
        },
        took_ms: 1,
    }
}

const SABOTAGES: [Sabotage; 5] = [
    Sabotage::Canary,
    Sabotage::Failing,
    Sabotage::Defaulting,
    Sabotage::OverBase,
    Sabotage::RunTestsOverBase,
];

fn red() -> Reaction {
    Reaction::Red { by: "it".into() }
}

/// Every check turned red by everything, but for what is said otherwise.
pub(crate) fn challenged(task: &Task, tree: &str, otherwise: Option<(&str, Sabotage, Reaction)>) -> Event {
    let checks = task.criteria.iter().flat_map(|criterion| &criterion.checks);
    let controls = checks.flat_map(|check| {
        SABOTAGES.map(|sabotage| match &otherwise {
            Some((id, what, turned)) if check.id.as_str() == *id && *what == sabotage => {
                control(check, sabotage, turned.clone())
            }
            Some(_) | None => control(check, sabotage, red()),
        })
    });
    Event::Challenged(Challenged {
        tree: TreeId::new(tree),
        controls: controls.collect(),
        objections: Vec::new(),
        at: Timestamp(8),
    })
}

fn base(task: &Task) -> Event {
    checked("base", all(task, "base", due))
}

fn answered(answer: PersonAnswer) -> Event {
    let at = Timestamp(9);
    Event::Answered(Answered { answer, at })
}

fn approval(names: &[&str]) -> Event {
    let names = names.iter().map(|name| Digest::of(name.as_bytes()));
    answered(PersonAnswer::Approved(names.collect()))
}

pub(crate) fn findings(run: &Run) -> Vec<String> {
    let Step::Do(effect) = run.next() else {
        return Vec::new();
    };
    let Wish::Turn(turn) = effect.wish else {
        return Vec::new();
    };
    let told = turn.brief.findings.iter();
    told.map(|finding| format!("{}: {}", finding.path, finding.what))
        .collect()
}

#[test]
fn a_verifier_that_turns_red_when_it_must_is_believed() {
    let task = tests_task();
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
            (challenged(&task, "t1", None), "commit t1 on c0"),
            (committed("c1"), "publish c1"),
            (published("c1"), "verified t1 as c1"),
        ],
    );
    for check in task.criteria.iter().flat_map(|criterion| &criterion.checks) {
        assert_eq!(run.proof(check), Proof::SeenToFail, "{}", check.id);
        assert_eq!(run.controls_of(check).count(), 5);
    }
}

#[test]
fn one_that_stays_green_is_not_and_the_agent_is_told() {
    let task = tests_task();
    for (check, sabotage, turned) in [
        ("A.1", Sabotage::Canary, Reaction::Green),
        ("A.2", Sabotage::Canary, Reaction::Green),
        ("A.2", Sabotage::OverBase, Reaction::Green),
        ("B.1", Sabotage::Defaulting, Reaction::Green),
        ("A.1", Sabotage::Canary, Reaction::NotLaid { why: "no place".into() }),
        (
            "A.1",
            Sabotage::Canary,
            Reaction::Otherwise {
                why: "it crashed".into(),
            },
        ),
    ] {
        let run = plays(
            &task,
            &[
                (base(&task), "turn-001 from base"),
                (turn_ended(1, "t1", 1), "verify-001 on t1"),
                (green(&task, "t1", &[]), "challenge-001 on t1"),
                (
                    challenged(&task, "t1", Some((check, sabotage, turned))),
                    "turn-002 from t1",
                ),
            ],
        );
        let told = findings(&run).concat();
        assert!(
            told.contains(&format!("`check {check}`: this check proves nothing yet")),
            "{told}"
        );
    }
}

#[test]
fn a_tree_whose_verifiers_prove_nothing_is_not_delivered_by_waiting() {
    let task = tests_task();
    let green_canary = challenged(&task, "t1", Some(("A.1", Sabotage::Canary, Reaction::Green)));
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
            (green_canary, "turn-002 from t1"),
            // The same tree again: nothing new is known of it, and a person is asked.
            (turn_ended(2, "t1", 1), "stuck, Unchanged: `check A.1`"),
        ],
    );
}

#[test]
fn a_challenge_that_says_nothing_of_a_check_proves_nothing() {
    let task = tests_task();
    let mut event = challenged(&task, "t1", None);
    if let Event::Challenged(challenged) = &mut event {
        challenged.controls.retain(|control| control.check.as_str() != "B.1");
    }
    let mut silent = event.clone();
    if let Event::Challenged(challenged) = &mut silent {
        challenged.controls.clear();
    }
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
            (silent, "turn-002 from t1"),
        ],
    );
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
            (event, "turn-002 from t1"),
        ],
    );
}

#[test]
fn a_challenge_of_another_tree_fits_nowhere() {
    let task = tests_task();
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
        ],
    );
    assert!(run.apply(&challenged(&task, "t0", None)).is_err());
    assert!(run.apply(&challenged(&task, "t1", None)).is_ok());
}

#[test]
fn an_objection_is_told_first_and_asked_if_it_stays() {
    let task = task();
    let odd = [objection("conftest.py")];
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &odd), "turn-002 from t1"),
        ],
    );
    let told = findings(&run).concat();
    assert!(
        told.contains("conftest.py: it sets the rules: take that back unless the task asks for it, or say in your last words why it must stay"),
        "{told}"
    );
    let script = [
        (base(&task), "turn-001 from base"),
        (turn_ended(1, "t1", 1), "verify-001 on t1"),
        (green(&task, "t1", &odd), "turn-002 from t1"),
        // The agent changes nothing: a person has to say.
        (turn_ended(2, "t1", 1), "asks about conftest.py"),
        (approval(&["conftest.py"]), "commit t1 on c0"),
    ];
    plays(&task, &script);
    // The agent changes something else, and the objection stays.
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &odd), "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(&task, "t2", &odd), "asks about conftest.py"),
        ],
    );
    // It takes it back.
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &odd), "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(&task, "t2", &[]), "commit t2 on c0"),
        ],
    );
}

#[test]
fn what_the_task_allows_is_not_asked() {
    let task = task();
    let mut odd = objection("conftest.py");
    odd.allowed = Some("conftest.py".into());
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[odd]), "commit t1 on c0"),
        ],
    );
    assert_eq!(run.objections().len(), 1, "it is shown all the same");
}

#[test]
fn an_objection_told_beside_a_red_criterion_is_not_told_twice() {
    let task = task();
    let odd = [objection("conftest.py")];
    let mut half = green(&task, "t1", &odd);
    if let Event::Checked(checked) = &mut half {
        checked.evidence[0].saw = RED;
    }
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (half, "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(&task, "t2", &odd), "asks about conftest.py"),
        ],
    );
}

#[test]
fn another_byte_is_another_objection() {
    let task = task();
    let (one, other) = (objection("conftest.py"), objection("conftest.py, changed"));
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[one]), "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(&task, "t2", &[other]), "turn-003 from t2"),
        ],
    );
}

#[test]
fn only_what_is_asked_can_be_answered_and_only_by_an_answer() {
    let task = task();
    let odd = [objection("conftest.py")];
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &odd), "turn-002 from t1"),
            (turn_ended(2, "t1", 1), "asks about conftest.py"),
        ],
    );
    assert!(run.apply(&approval(&["something else"])).is_err());
    assert!(run.apply(&approval(&[])).is_err());
    assert!(run.apply(&Event::Resumed(Resumed { at: Timestamp(9) })).is_err());
    assert!(run.apply(&approval(&["conftest.py"])).is_ok());
    assert!(run.apply(&approval(&["conftest.py"])).is_err(), "it asks no more");
}

#[test]
fn a_no_is_told_to_the_agent_with_its_reason_once() {
    let task = task();
    let odd = [objection("conftest.py")];
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &odd), "turn-002 from t1"),
            (turn_ended(2, "t1", 1), "asks about conftest.py"),
            (
                answered(PersonAnswer::Rejected("keep the old one".into())),
                "turn-003 from t1",
            ),
        ],
    );
    assert!(findings(&run).contains(&"a person said no: keep the old one".to_owned()));
}

#[test]
fn objections_of_a_challenge_are_told_and_asked_like_others() {
    let task = tests_task();
    let mut event = challenged(&task, "t1", None);
    if let Event::Challenged(challenged) = &mut event {
        challenged.objections = vec![objection("tests/test_a.py")];
    }
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
            (event, "turn-002 from t1"),
            (turn_ended(2, "t1", 1), "asks about tests/test_a.py"),
            (approval(&["tests/test_a.py"]), "commit t1 on c0"),
        ],
    );
}

#[test]
fn nobody_is_asked_about_what_proves_nothing() {
    let task = tests_task();
    let odd = [objection("conftest.py")];
    let blind = challenged(&task, "t1", Some(("A.1", Sabotage::Canary, Reaction::Green)));
    let told = [
        (base(&task), "turn-001 from base"),
        (turn_ended(1, "t1", 1), "verify-001 on t1"),
        (green(&task, "t1", &odd), "turn-002 from t1"),
        (turn_ended(2, "t1", 1), "challenge-002 on t1"),
    ];
    let asked = [&told[..], &[(challenged(&task, "t1", None), "asks about conftest.py")]].concat();
    plays(&task, &asked);
    let not_asked = [&told[..], &[(blind, "turn-003 from t1")]].concat();
    plays(&task, &not_asked);
}

#[test]
fn what_only_a_person_can_judge_is_asked_last_and_bound_to_the_tree() {
    let mut task = task();
    task.criteria[1].checks.push(Check {
        how: CheckMethod::Manual {
            who: "@ann".into(),
            steps: "look at the page".into(),
        },
        source: "manual @ann \"look at the page\"".into(),
        ..crate::facts::check("B.2", Role::Goal)
    });
    let executed = |tree: &str, saw: fn(&Check) -> CheckOutcome| {
        let mut seen = all(&task, tree, saw);
        seen.retain(|evidence| evidence.check.as_str() != "B.2");
        checked(tree, seen)
    };
    let mut run = plays(
        &task,
        &[
            (executed("base", due), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (executed("t1", |_| CheckOutcome::Passed), "asks about B.2"),
        ],
    );
    let standing = |run: &Run| run.verdict().map(|verdict| verdict.criteria[1].1);
    assert_eq!(standing(&run), Some(Standing::Asked));
    let Position::Paused(_, Reason::Asks(asked)) = run.position().clone() else {
        panic!("it asks");
    };
    let yes = answered(PersonAnswer::Approved(vec![asked[0].digest.clone()]));
    assert!(run.apply(&yes).is_ok());
    assert_eq!(wants(&run), "commit t1 on c0");
    assert_eq!(standing(&run), Some(Standing::Met));
}

#[test]
fn a_task_that_only_a_person_could_judge_is_refused() {
    let mut task = task();
    task.criteria.truncate(1);
    task.criteria[0].checks.truncate(1);
    task.criteria[0].checks[0].how = CheckMethod::Manual {
        who: "@ann".into(),
        steps: "look".into(),
    };
    let run = Run::open(opening(task));
    assert!(
        wants(&run).starts_with("refused T-1: it has no goal"),
        "{}",
        wants(&run)
    );
}

#[test]
fn a_flaky_check_is_never_a_pass_and_costs_no_turn() {
    let task = task();
    let flaky = |red: &[&str], flaky: &[&str]| {
        let mut event = green(&task, "t1", &[]);
        if let Event::Checked(checked) = &mut event {
            for evidence in &mut checked.evidence {
                if red.contains(&evidence.check.as_str()) {
                    evidence.saw = RED;
                }
                if flaky.contains(&evidence.check.as_str()) {
                    evidence.runs = Runs { green: 3, red: 1 };
                }
            }
        }
        event
    };
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (flaky(&["A.2"], &["A.2"]), "await"),
            (Event::Resumed(Resumed { at: Timestamp(9) }), "verify-001-again-1 on t1"),
        ],
    );
    assert_eq!(run.spend().turns, 1);
    // Twelve greens in a row are a pass, and it is still known to be flaky.
    assert!(run.apply(&flaky(&[], &["A.2"])).is_ok());
    assert_eq!(wants(&run), "commit t1 on c0");
    // A steady red beside it is the agent's to mend.
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (flaky(&["A.1", "A.2"], &["A.2"]), "turn-002 from t1"),
        ],
    );
}

#[test]
fn a_guard_that_stays_green_where_it_must_fail_is_doubted_before_a_run() {
    let task = tests_task();
    let (goal, guard) = (&task.criteria[0].checks[0], &task.criteria[0].checks[1]);
    let blind = |check: &Check, sabotage, turned| gate::blind_guards(&task, &[control(check, sabotage, turned)]);
    let told = blind(guard, Sabotage::Canary, Reaction::Green);
    assert_eq!(told.len(), 1);
    assert!(
        told[0].why.contains("a failing test was laid (what was laid)"),
        "{told:?}"
    );
    assert_eq!(told[0].line, guard.line);
    let told = blind(guard, Sabotage::Violation, Reaction::Green);
    assert!(told[0].why.contains("a fault of its kind was laid"), "{told:?}");
    let why = || String::from("why");
    for other in [
        red(),
        Reaction::Nothing { why: why() },
        Reaction::NotLaid { why: why() },
        Reaction::Otherwise { why: why() },
    ] {
        assert!(blind(guard, Sabotage::Canary, other.clone()).is_empty(), "{other:?}");
    }
    assert!(
        blind(goal, Sabotage::Canary, Reaction::Green).is_empty(),
        "a goal has its run before it"
    );
}

#[test]
fn a_task_that_is_seen_from_inside_alone_is_told_how_to_look_from_outside() {
    let task = tests_task();
    let told = gate::seen_from_inside_alone(&task).expect("a suggestion");
    assert_eq!(told.line, task.criteria[0].checks[0].line);
    assert!(told.why.contains("verify hidden"), "{told:?}");
    let with_first_goal = |change: &dyn Fn(&mut Check)| {
        let mut other = task.clone();
        change(&mut other.criteria[0].checks[0]);
        gate::seen_from_inside_alone(&other)
    };
    let hidden = with_first_goal(&|check| check.sight = Visibility::Hidden(Vec::new()));
    let outside = with_first_goal(&|check| check.execution_mut().expect("an execution").kind = Kind::Plain);
    assert_eq!((hidden, outside), (None, None));
}
