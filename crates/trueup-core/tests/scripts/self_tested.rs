//! Criteria that nothing proves but tests that the run itself wrote: a person
//! is shown them once, or accepted them beforehand.

use crate::{
    brief,
    facts::{all, checked, committed, due, published, turn_ended},
    first, plays_events as plays,
    proof::{challenged, findings, green, tests_task},
    wants,
};
use trueup_core::{
    control::{Reaction, Sabotage},
    criterion::{Check, CheckMethod, Role},
    digest::Digest,
    effect::Wish,
    event::{Answered, Event, PersonAnswer},
    evidence::{Because, Named},
    gate::{self, Proof},
    id::{Timestamp, TreeId},
    objection::{Objection, ObjectionKind},
    phase::Rights,
    report::{Report, Settlement},
    run::{Position, Reason, Run, Step},
    task::{SelfTested, Task},
};

/// A check that asks for tests of the run, whatever it asked for.
fn of_run(check: &mut Check) {
    let Some(execution) = check.execution().cloned() else {
        return;
    };
    check.how = CheckMethod::RunTests {
        name: None,
        of: "tests".into(),
        since: Some(TreeId::new("base")),
        execution,
    };
}

/// The small task, whose first criterion is measured by tests of the run alone.
fn task() -> Task {
    let mut task = tests_task();
    let goals = task.criteria[0].checks.iter_mut();
    goals.filter(|check| check.role == Role::Goal).for_each(of_run);
    task
}

#[test]
fn whoever_checks_a_task_knows_before_that_a_person_will_be_asked() {
    let mut task = task();
    let told = gate::will_be_asked(&task);
    let asked: Vec<&str> = told.iter().map(|question| question.about.as_str()).collect();
    assert_eq!(asked, [task.criteria[0].id.as_str()]);
    assert!(told[0].why.contains("allow: { self_tested: true }"), "{told:?}");
    task.allow.self_tested = SelfTested::Accepted;
    assert_eq!(gate::will_be_asked(&task), []);
    assert_eq!(gate::will_be_asked(&tests_task()), [], "a person wrote these tests");
}

fn base(task: &Task) -> Event {
    checked("base", all(task, "base", due))
}

fn asked(run: &Run) -> Vec<Objection> {
    match run.position() {
        Position::Paused(_, Reason::Asks(asked)) => asked.clone(),
        Position::Working(_) | Position::Paused(..) | Position::Done(_) => Vec::new(),
    }
}

fn approved(digest: &Digest) -> Event {
    Event::Answered(Answered {
        answer: PersonAnswer::Approved(vec![digest.clone()]),
        at: Timestamp(9),
    })
}

/// A turn whose tree is green and withstands every sabotage, and what then comes.
fn proved(task: &Task, then: &'static str) -> Run {
    plays(
        task,
        &[
            (base(task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(task, "t1", &[]), "challenge-001 on t1"),
            (challenged(task, "t1", None), then),
        ],
    )
}

/// What the commit says that the run wants; nothing where it wants another thing.
fn message(run: &Run) -> String {
    let Step::Do(effect) = run.next() else {
        return String::new();
    };
    let Wish::Commit(commit) = effect.wish else {
        return String::new();
    };
    commit.message
}

#[test]
fn a_person_is_shown_the_tests_once_and_what_they_accept_is_marked_for_ever() {
    let task = task();
    let mut run = proved(&task, "asks about A");
    let asked = asked(&run);
    assert_eq!(asked.len(), 1, "{asked:?}");
    let one = &asked[0];
    assert_eq!((one.kind, one.path.as_str()), (ObjectionKind::SelfTested, "A"));
    let told = "nothing proves it but tests that this run wrote or changed: what was laid";
    assert_eq!(one.what, told, "the tests of this check and of no other");
    assert_eq!(run.proof(&task.criteria[0].checks[0]), Proof::SelfTested);
    assert_eq!(Report::of_run(&run).objections[0].settled, Settlement::Open);

    run.apply(&approved(&one.digest)).expect("an answer");
    assert!(message(&run).contains("\nSelf-tested: A\n"), "{}", message(&run));
    run.apply(&committed("c1")).expect("a commit");
    run.apply(&published("c1")).expect("a branch");
    let report = Report::of_run(&run);
    assert_eq!(report.objections[0].settled, Settlement::Approved);
}

#[test]
fn a_task_that_accepts_them_beforehand_asks_nobody_and_says_so() {
    let mut task = task();
    task.allow.self_tested = SelfTested::Accepted;
    let run = proved(&task, "commit t1 on c0");
    assert!(message(&run).contains("\nSelf-tested: A\n"), "{}", message(&run));
    let report = Report::of_run(&run);
    assert_eq!(report.objections[0].settled, Settlement::Allowed);
    assert_eq!(report.objections[0].objection.allowed.as_deref(), Some("self_tested"));
}

#[test]
fn a_goal_that_the_run_did_not_write_makes_the_question_needless() {
    let mut task = task();
    let mut other = tests_task().criteria[0].checks[0].clone();
    other.id = trueup_core::id::CheckId::new("A.9");
    task.criteria[0].checks.push(other);
    let run = proved(&task, "commit t1 on c0");
    assert!(!message(&run).contains("Self-tested"), "{}", message(&run));
    assert_eq!(
        run.proof(&task.criteria[0].checks[0]),
        Proof::SelfTested,
        "the check is shown as it is"
    );
    assert!(Report::of_run(&run).objections.is_empty());
    let plain = tests_task();
    assert!(!message(&proved(&plain, "commit t1 on c0")).contains("Self-tested"));
}

#[test]
fn tests_that_pass_on_the_bases_code_do_not_show_the_work() {
    let task = task();
    let otherwise = Some(("A.1", Sabotage::RunTestsOverBase, Reaction::Green));
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
            (challenged(&task, "t1", otherwise), "turn-002 from t1"),
        ],
    );
    let told = findings(&run);
    assert!(
        told[0].contains("none of the run's own tests fails on the base's code"),
        "{told:?}"
    );
}

#[test]
fn the_agent_is_told_what_its_tests_have_to_show() {
    let task = task();
    let run = plays(&task, &[(base(&task), "turn-001 from base")]);
    let brief = brief(&run).expect("a turn");
    let told = &brief.criteria[0].checks;
    assert!(told[0].contains("fail on the code as it was"), "{told:?}");
    assert!(!told[1].contains("fail on the code as it was"), "{told:?}");
}

/// A task whose tests are written first, and are the run's own.
fn tests_first() -> Task {
    let mut task = first::medium();
    let goals = task.criteria[0].checks.iter_mut();
    goals.filter(|check| check.role == Role::Goal).for_each(of_run);
    task
}

#[test]
fn what_puts_code_better_asks_no_second_time() {
    let task = tests_first();
    let missing = first::written(&task, "t1", Some(Because::Missing), first::FAILED);
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (missing, "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(&task, "t2", &[]), "challenge-002 on t2"),
            (challenged(&task, "t2", None), "asks about A"),
        ],
    );
    let digest = asked(&run)[0].digest.clone();
    for (event, wanted) in [
        (approved(&digest), "turn-003 from t2"),
        (turn_ended(3, "t3", 1), "verify-003 on t3"),
        (green(&task, "t3", &[]), "challenge-003 on t3"),
        (challenged(&task, "t3", None), "commit t3 on c0"),
    ] {
        run.apply(&event).expect("it fits");
        assert_eq!(wants(&run), wanted);
    }
    assert_eq!(Report::of_run(&run).objections[0].settled, Settlement::Approved);
    assert!(message(&run).contains("Self-tested: A"), "{}", message(&run));
}

#[test]
fn tests_are_written_first_where_there_are_none_yet() {
    let task = tests_first();
    for because in [None, Some(Because::Assertion)] {
        let none = first::written(&task, "t1", because, Named::default());
        let run = plays(
            &task,
            &[
                (base(&task), "turn-001 from base"),
                (turn_ended(1, "t1", 1), "verify-001 on t1"),
                (none, "turn-002 from t1"),
            ],
        );
        let told = findings(&run);
        assert!(told[0].contains("no test was written or changed yet"), "{told:?}");
    }
    let fails = first::written(&task, "t1", Some(Because::Assertion), first::FAILED);
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (fails, "turn-002 from t1"),
        ],
    );
    assert!(findings(&run).is_empty(), "{:?}", findings(&run));
}

#[test]
fn who_waives_a_stronger_proof_is_not_asked_about_the_tests_as_well() {
    let task = task();
    let blind = Some(("A.1", Sabotage::RunTestsOverBase, Reaction::Green));
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &[]), "challenge-001 on t1"),
            (challenged(&task, "t1", blind), "turn-002 from t1"),
            (turn_ended(2, "t1", 1), "stuck, Unchanged: `check A.1`"),
        ],
    );
    let answer = PersonAnswer::Waived("it will do".into());
    let at = Timestamp(9);
    run.apply(&Event::Answered(Answered { answer, at }))
        .expect("it can be waived");
    assert_eq!(wants(&run), "commit t1 on c0");
    assert!(
        message(&run).contains("Self-tested: A\nWaived: it will do"),
        "{}",
        message(&run)
    );
}

#[test]
fn a_file_that_is_there_is_no_yardstick_beside_the_runs_own_tests() {
    let mut task = task();
    let mut other = task.criteria[0].checks[0].clone();
    other.id = trueup_core::id::CheckId::new("A.9");
    other.how = CheckMethod::FileExists { path: "NEWS".into() };
    task.criteria[0].checks.push(other);
    proved(&task, "asks about A");
}

#[test]
fn who_says_no_may_have_other_tests_written() {
    let task = tests_first();
    let missing = first::written(&task, "t1", Some(Because::Missing), first::FAILED);
    let answer = PersonAnswer::Rejected("test the empty cart, too".into());
    let at = Timestamp(9);
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (missing, "turn-002 from t1"),
            (turn_ended(2, "t2", 1), "verify-002 on t2"),
            (green(&task, "t2", &[]), "challenge-002 on t2"),
            (challenged(&task, "t2", None), "asks about A"),
            (Event::Answered(Answered { answer, at }), "turn-003 from t2"),
        ],
    );
    assert_eq!(first::rights(&run), (Rights::All, "t2".into(), "implement".into()));
    run.apply(&turn_ended(3, "t3", 1)).expect("it fits");
    run.apply(&checked("t3", all(&task, "t3", due))).expect("it fits");
    assert_eq!(
        first::rights(&run),
        (Rights::Code, "t3".into(), "implement".into()),
        "and stay then"
    );
}

#[test]
fn other_tests_are_another_question() {
    let task = task();
    let first = asked(&proved(&task, "asks about A"));
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t2", 1), "verify-001 on t2"),
            (green(&task, "t2", &[]), "challenge-001 on t2"),
            (challenged(&task, "t2", None), "asks about A"),
        ],
    );
    assert_ne!(asked(&run)[0].digest, first[0].digest);
}
