//! A change that installs something else: nothing is executed on it before a
//! person says that it may.

use crate::{
    brief,
    changed::task_changed,
    facts::{all, checked, due, opening, turn_ended},
    plays_events as plays,
    proof::{green, objection, tests_task},
    wants,
};
use std::collections::BTreeMap;
use trueup_core::{
    criterion::CheckMethod,
    digest::Digest,
    effect::Wish,
    event::{Answered, Checked, Event, PersonAnswer},
    evidence::CheckOutcome,
    ground::Preparation,
    id::{Timestamp, TreeId},
    ladder::WhenIdle,
    objection::{Objection, ObjectionKind},
    run::{Run, Step},
    task::{Size, Task},
};

fn lock(content: &str) -> Objection {
    Objection {
        kind: ObjectionKind::Lockfile,
        path: "uv.lock".into(),
        what: "it changes what is installed: + six 1.17".into(),
        digest: Digest::of(content.as_bytes()),
        allowed: None,
        rule: None,
    }
}

/// A task whose packages are installed first.
fn prepared() -> Task {
    let mut task = tests_task();
    task.ground.prepare.push(Preparation {
        name: "python".into(),
        argv: vec!["uv".into(), "sync".into()],
        key: vec!["uv.lock".into()],
        keep: vec![".venv".into()],
        timeout_ms: 1000,
        env: BTreeMap::new(),
        pass_env: Vec::new(),
        secret_env: Vec::new(),
    });
    task
}

/// What checks see on a tree that may not be installed.
fn barred(task: &Task, tree: &str, objections: &[Objection]) -> Event {
    let barred = |_: &_| CheckOutcome::CannotRun {
        why: "nobody approved that".into(),
    };
    Event::Checked(Checked {
        tree: TreeId::new(tree),
        evidence: all(task, tree, barred),
        objections: objections.to_vec(),
        at: Timestamp(7),
    })
}

fn answered(answer: PersonAnswer) -> Event {
    Event::Answered(Answered {
        answer,
        at: Timestamp(9),
    })
}

fn approved(objection: &Objection) -> Event {
    answered(PersonAnswer::Approved(vec![objection.digest.clone()]))
}

/// What the run tells whoever executes checks of what was approved.
fn may_install(run: &Run) -> Vec<Digest> {
    let Step::Do(effect) = run.next() else {
        return Vec::new();
    };
    match effect.wish {
        Wish::Verify(verify) => verify.approved.into_iter().collect(),
        Wish::Challenge(challenge) => challenge.verify.approved.into_iter().collect(),
        Wish::Turn(_) | Wish::Commit(_) | Wish::Publish(_) => Vec::new(),
    }
}

fn asking(task: &Task) -> Run {
    plays(
        task,
        &[
            (checked("base", all(task, "base", due)), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (barred(task, "t1", &[lock("one")]), "asks about uv.lock"),
        ],
    )
}

#[test]
fn a_person_is_asked_at_once_and_what_they_approve_is_installed_and_tried() {
    let task = prepared();
    let mut run = asking(&task);
    assert_eq!(run.spend().turns, 1, "no turn is spent on what only a person can say");
    run.apply(&approved(&lock("one"))).expect("an answer");
    assert_eq!(wants(&run), "verify-001-again-1 on t1");
    assert_eq!(may_install(&run), [lock("one").digest]);
    run.apply(&green(&task, "t1", &[lock("one")])).expect("evidence");
    assert_eq!(
        wants(&run),
        "challenge-001 on t1",
        "it was approved, and nobody is asked again"
    );
    assert_eq!(may_install(&run), [lock("one").digest]);
}

#[test]
fn what_else_is_objected_to_is_told_to_the_agent_first_as_ever() {
    let task = prepared();
    let other = objection("pytest.ini");
    let both = [lock("one"), other.clone()];
    let mut run = plays(
        &task,
        &[
            (checked("base", all(&task, "base", due)), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (barred(&task, "t1", &both), "asks about uv.lock"),
            (approved(&lock("one")), "verify-001-again-1 on t1"),
        ],
    );
    run.apply(&green(&task, "t1", &both)).expect("evidence");
    assert_eq!(wants(&run), "turn-002 from t1");
    assert!(
        brief(&run)
            .expect("a turn")
            .findings
            .iter()
            .any(|told| told.path == other.path)
    );
}

#[test]
fn a_task_that_allows_it_after_all_is_tried_again() {
    let task = prepared();
    let mut run = asking(&task);
    let mut edited = task_changed("as before", 9);
    if let Event::TaskChanged(edited) = &mut edited {
        edited.allow.lockfiles = vec!["uv.lock".into()];
    }
    run.apply(&edited).expect("an edit");
    assert_eq!(wants(&run), "verify-001-again-1 on t1");
}

#[test]
fn another_content_is_another_question() {
    let task = prepared();
    let mut run = asking(&task);
    run.apply(&approved(&lock("one"))).expect("an answer");
    let red = all(&task, "t1", due);
    let seen = Event::Checked(Checked {
        tree: TreeId::new("t1"),
        evidence: red,
        objections: vec![lock("one")],
        at: Timestamp(8),
    });
    run.apply(&seen).expect("evidence");
    assert_eq!(wants(&run), "turn-002 from t1");
    run.apply(&turn_ended(2, "t2", 1)).expect("a turn");
    run.apply(&barred(&task, "t2", &[lock("two")])).expect("evidence");
    assert_eq!(wants(&run), "asks about uv.lock");
    assert!(!run.hears(&PersonAnswer::Approved(vec![lock("one").digest])));
    assert!(run.hears(&PersonAnswer::Approved(vec![lock("two").digest])));
}

#[test]
fn whoever_says_no_is_heard_by_the_agent() {
    let task = prepared();
    let mut run = asking(&task);
    run.apply(&answered(PersonAnswer::Rejected("use what is there".into())))
        .expect("an answer");
    assert_eq!(wants(&run), "turn-002 from t1");
    let told = brief(&run).expect("a turn").findings;
    assert!(told.iter().any(|told| told.what == "use what is there"), "{told:?}");
    assert!(told.iter().any(|told| told.path == "uv.lock"), "{told:?}");
}

#[test]
fn a_lock_file_that_keeps_nothing_from_running_is_told_to_the_agent_first() {
    let task = prepared();
    let run = plays(
        &task,
        &[
            (checked("base", all(&task, "base", due)), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[lock("one")]), "turn-002 from t1"),
        ],
    );
    assert!(
        brief(&run)
            .expect("a turn")
            .findings
            .iter()
            .any(|told| told.path == "uv.lock")
    );
}

#[test]
fn what_cannot_run_for_another_cause_asks_nobody_about_packages() {
    let mut allowed = lock("one");
    allowed.allowed = Some("uv.lock".into());
    let no_key = Objection {
        path: "go.sum".into(),
        ..lock("one")
    };
    let task = prepared();
    for objections in [Vec::new(), vec![allowed], vec![no_key]] {
        plays(
            &task,
            &[
                (checked("base", all(&task, "base", due)), "turn-001 from base"),
                (turn_ended(1, "t1", 1), "verify-001 on t1"),
                (barred(&task, "t1", &objections), "turn-002 from t1"),
            ],
        );
    }
    let mut one_ran = barred(&task, "t1", &[lock("one")]);
    if let Event::Checked(checked) = &mut one_ran {
        checked.evidence[0].saw = CheckOutcome::red(Some(1));
    }
    plays(
        &task,
        &[
            (checked("base", all(&task, "base", due)), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (one_ran, "turn-002 from t1"),
        ],
    );
}

/// A look at a file executes nothing, so that it can answer all the same.
#[test]
fn what_executes_nothing_has_no_say_in_whether_packages_are_asked_about() {
    let mut task = prepared();
    let first = &mut task.criteria[0].checks[0];
    first.how = CheckMethod::FileExists { path: "a".into() };
    let mut seen = barred(&task, "t1", &[lock("one")]);
    if let Event::Checked(checked) = &mut seen {
        checked.evidence[0].saw = CheckOutcome::Passed;
    }
    plays(
        &task,
        &[
            (checked("base", all(&task, "base", due)), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (seen, "asks about uv.lock"),
        ],
    );
}

#[test]
fn tests_that_come_first_may_need_a_package_too() {
    let mut task = prepared();
    task.size = Size::Medium;
    let run = asking(&task);
    assert!(run.hears(&PersonAnswer::Approved(vec![lock("one").digest])));
}

#[test]
fn runs_of_older_builds_go_on_as_they_did() {
    let task = prepared();
    let mut older = opening(task.clone());
    older.when_idle = WhenIdle::GoOn;
    let mut run = Run::open(older);
    for event in [
        checked("base", all(&task, "base", due)),
        turn_ended(1, "t1", 1),
        barred(&task, "t1", &[lock("one")]),
    ] {
        run.apply(&event).expect("an event");
    }
    assert_eq!(wants(&run), "turn-002 from t1");
}
