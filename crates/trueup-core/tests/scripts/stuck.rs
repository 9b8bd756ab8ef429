//! An agent that brings nothing new: a person is asked, and says how to go on.

use crate::{
    facts::{all, checked, committed, due, ended, opening, published, resumed, task, turn_ended},
    plays_events as plays,
    proof::{challenged, green, tests_task},
    wants,
};
use trueup_core::{
    control::{Reaction, Sabotage},
    effect::Wish,
    ending::Ending,
    event::{Answered, Due, Event, Interrupted, PersonAnswer, Stop},
    evidence::CheckOutcome,
    id::{Timestamp, TreeId},
    ladder::{Standstill, WhenIdle},
    run::{Outcome, Position, Reason, Run, Step},
    task::Task,
    turn::Brief,
};

/// Why a run waits for a person's advice.
pub(crate) fn said(run: &Run) -> String {
    match run.position() {
        Position::Paused(_, Reason::Stuck(stuck)) => {
            let missing: Vec<&str> = stuck.missing.iter().map(|finding| finding.path.as_str()).collect();
            format!("stuck, {:?}: {}", stuck.by, missing.join(", "))
        }
        Position::Paused(_, Reason::Blocked(why)) => format!("blocked: {why}"),
        other @ (Position::Working(_) | Position::Paused(..) | Position::Done(_)) => format!("{other:?}"),
    }
}

fn base(task: &Task) -> Event {
    checked("base", all(task, "base", due))
}

fn red(task: &Task, tree: &str) -> Event {
    checked(tree, all(task, tree, due))
}

/// What is missing where nothing was done.
const IDLE: &str = "stuck, Unchanged: A.1 `check A.1`, B.1 `check B.1`";

type Script = Vec<(Event, &'static str)>;

/// A turn whose tree is red, and what comes after.
fn after_red(task: &Task, more: &[(Event, &'static str)]) -> Script {
    let red = [
        (base(task), "turn-001 from base"),
        (turn_ended(1, "t1", 1), "verify-001 on t1"),
        (red(task, "t1"), "turn-002 from t1"),
    ];
    [red.as_slice(), more].concat()
}

/// A turn whose tree is green, and what comes after.
fn after_green(task: &Task, more: &[(Event, &'static str)]) -> Script {
    let green = [
        (base(task), "turn-001 from base"),
        (turn_ended(1, "t1", 1), "verify-001 on t1"),
        (green(task, "t1", &[]), "challenge-001 on t1"),
    ];
    [green.as_slice(), more].concat()
}

/// One check stays green though a failing test was laid.
fn blind(task: &Task, tree: &str) -> Event {
    challenged(task, tree, Some(("A.1", Sabotage::Canary, Reaction::Green)))
}

/// The same, and somebody must know something.
fn objected(mut event: Event) -> Event {
    if let Event::Challenged(challenged) = &mut event {
        challenged.objections.push(crate::proof::objection("conftest.py"));
    }
    event
}

fn answered(answer: PersonAnswer) -> Event {
    let at = Timestamp(9);
    Event::Answered(Answered { answer, at })
}

fn told(words: &str) -> Event {
    answered(PersonAnswer::Told(words.into()))
}

fn waived() -> Event {
    answered(PersonAnswer::Waived("the change is one constant".into()))
}

fn brief(run: &Run) -> Brief {
    match run.next() {
        Step::Do(effect) => match effect.wish {
            Wish::Turn(turn) => turn.brief,
            other @ (Wish::Verify(_) | Wish::Challenge(_) | Wish::Commit(_) | Wish::Publish(_)) => {
                unreachable!("{other:?}")
            }
        },
        other @ (Step::Await(_) | Step::Done(_)) => unreachable!("{other:?}"),
    }
}

#[test]
fn an_agent_that_does_nothing_is_asked_about_after_its_second_turn() {
    let task = task();
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "base", 1), "turn-002 from base"),
            (turn_ended(2, "base", 1), IDLE),
            (resumed(), "turn-003-again-1 from base"),
        ],
    );
}

#[test]
fn what_is_missing_is_said_with_what_the_check_saw() {
    let task = task();
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "base", 1), "turn-002 from base"),
            (turn_ended(2, "base", 1), IDLE),
        ],
    );
    let Position::Paused(_, Reason::Stuck(stuck)) = run.position() else {
        unreachable!("{:?}", run.position());
    };
    assert_eq!(stuck.by, Standstill::Unchanged);
    assert_eq!(stuck.missing[0].what, "exit 1");
}

#[test]
fn a_tree_that_stays_red_is_checked_again_when_a_person_says_go_on() {
    let task = task();
    plays(
        &task,
        &after_red(
            &task,
            &[
                (turn_ended(2, "t1", 1), IDLE),
                // The machine may have been mended, and then no turn is needed.
                (resumed(), "verify-002-again-1 on t1"),
                (green(&task, "t1", &[]), "commit t1 on c0"),
            ],
        ),
    );
    plays(
        &task,
        &after_red(
            &task,
            &[
                (turn_ended(2, "t1", 1), IDLE),
                (resumed(), "verify-002-again-1 on t1"),
                (red(&task, "t1"), "turn-003 from t1"),
                (turn_ended(3, "t1", 1), IDLE),
            ],
        ),
    );
}

#[test]
fn an_agent_that_goes_in_circles_is_asked_about_at_its_third_turn() {
    let task = task();
    plays(
        &task,
        &after_red(
            &task,
            &[
                (turn_ended(2, "t2", 1), "verify-002 on t2"),
                (red(&task, "t2"), "turn-003 from t2"),
                (turn_ended(3, "t1", 1), "verify-003 on t1"),
                (red(&task, "t1"), "stuck, Returned: A.1 `check A.1`, B.1 `check B.1`"),
                (resumed(), "Turns spent"),
            ],
        ),
    );
}

#[test]
fn whoever_returns_to_what_is_green_is_delivered() {
    let task = task();
    plays(
        &task,
        &after_red(
            &task,
            &[
                (turn_ended(2, "t2", 1), "verify-002 on t2"),
                (red(&task, "t2"), "turn-003 from t2"),
                (turn_ended(3, "t1", 1), "verify-003 on t1"),
                (green(&task, "t1", &[]), "commit t1 on c0"),
            ],
        ),
    );
}

#[test]
fn an_agent_that_was_ended_gets_one_more_turn_than_one_that_had_its_say() {
    let mut task = task();
    task.budget.turns = Some(9);
    let slow = |turn| ended(turn, "base", 1, Ending::TimedOut);
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (slow(1), "turn-002 from base"),
            (slow(2), "turn-003 from base"),
            (slow(3), IDLE),
        ],
    );
}

#[test]
fn what_only_sabotage_showed_is_told_before_a_person_is_asked() {
    let task = tests_task();
    let odd = [crate::proof::objection("conftest.py")];
    let blind = blind(&task, "t1");
    plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "t1", 1), "verify-001 on t1"),
            (green(&task, "t1", &odd), "turn-002 from t1"),
            (turn_ended(2, "t1", 1), "challenge-002 on t1"),
            (blind, "turn-003 from t1"),
        ],
    );
}

#[test]
fn a_run_that_was_opened_before_goes_on_while_its_budget_lasts() {
    let task = task();
    let mut older = opening(task.clone());
    older.when_idle = WhenIdle::GoOn;
    let mut run = Run::open(older);
    for event in [base(&task), turn_ended(1, "base", 1), turn_ended(2, "base", 1)] {
        run.apply(&event).expect("it fits");
    }
    assert_eq!(wants(&run), "turn-003 from base");
}

#[test]
fn a_persons_words_are_told_in_every_turn_from_then_on() {
    let mut task = task();
    task.budget.turns = Some(9);
    let mut run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (turn_ended(1, "base", 1), "turn-002 from base"),
            (turn_ended(2, "base", 1), IDLE),
            (told("Take the second\nof the two."), "turn-003 from base"),
        ],
    );
    assert!(brief(&run).text.ends_with("- Take the second\n  of the two."));
    run.apply(&turn_ended(3, "t3", 1)).expect("a turn was wanted");
    run.apply(&red(&task, "t3")).expect("checks were wanted");
    assert!(brief(&run).text.contains("Take the second"));
}

#[test]
fn a_blocked_agent_can_be_answered() {
    let task = task();
    let why = || "which of the two?".to_owned();
    let run = plays(
        &task,
        &[
            (base(&task), "turn-001 from base"),
            (
                ended(1, "base", 1, Ending::Blocked { why: why() }),
                "blocked: which of the two?",
            ),
            (told("The second."), "turn-002 from base"),
        ],
    );
    assert!(brief(&run).text.contains("The second."));
}

#[test]
fn weak_proof_is_waived_by_a_person_and_never_called_verified() {
    let task = tests_task();
    let blind = blind(&task, "t1");
    let mut run = plays(
        &task,
        &after_green(
            &task,
            &[
                (blind, "turn-002 from t1"),
                (turn_ended(2, "t1", 1), "stuck, Unchanged: `check A.1`"),
                (waived(), "commit t1 on c0"),
            ],
        ),
    );
    assert_eq!(run.waiver(), Some("the change is one constant"));
    let Step::Do(effect) = run.next() else {
        unreachable!("a commit is wanted");
    };
    let Wish::Commit(commit) = effect.wish else {
        unreachable!("a commit is wanted");
    };
    assert!(
        commit.message.ends_with("\nWaived: the change is one constant\n"),
        "{}",
        commit.message
    );
    run.apply(&committed("c1")).expect("it fits");
    run.apply(&published("c1")).expect("it fits");
    let tree = TreeId::new("t1");
    assert!(matches!(run.position(), Position::Done(Outcome::Waived { tree: done, .. }) if *done == tree));
}

#[test]
fn what_is_red_cannot_be_waived() {
    let task = task();
    let mut run = plays(&task, &after_red(&task, &[(turn_ended(2, "t1", 1), IDLE)]));
    assert!(!run.can_be_waived());
    assert!(run.apply(&waived()).is_err());
}

#[test]
fn a_waiver_holds_for_its_tree_alone() {
    let mut task = tests_task();
    task.budget.turns = Some(9);
    let blind = |tree| blind(&task, tree);
    plays(
        &task,
        &after_green(
            &task,
            &[
                (objected(blind("t1")), "turn-002 from t1"),
                (turn_ended(2, "t1", 1), "stuck, Unchanged: `check A.1`"),
                (waived(), "asks about conftest.py"),
                (answered(PersonAnswer::Rejected("no".into())), "turn-003 from t1"),
                (turn_ended(3, "t3", 1), "verify-003 on t3"),
                (green(&task, "t3", &[]), "challenge-003 on t3"),
                (blind("t3"), "turn-004 from t3"),
            ],
        ),
    );
}

#[test]
fn a_spent_budget_does_not_stand_between_a_person_and_what_will_do() {
    let mut task = tests_task();
    task.budget.turns = Some(1);
    let blind = blind(&task, "t1");
    plays(
        &task,
        &after_green(&task, &[(blind, "Turns spent"), (waived(), "commit t1 on c0")]),
    );
}

#[test]
fn nobody_waives_what_was_not_tried() {
    let task = tests_task();
    let mut run = Run::open(opening(task.clone()));
    for event in [
        base(&task),
        turn_ended(1, "t1", 1),
        checked("t1", all(&task, "t1", |_| CheckOutcome::Passed)),
    ] {
        run.apply(&event).expect("it fits");
    }
    assert!(run.apply(&waived()).is_err());
    assert!(run.apply(&told("go on")).is_err());
}

#[test]
fn a_tree_that_was_not_checked_cannot_be_waived_by_what_another_proved() {
    let mut task = tests_task();
    task.budget.time_ms = Some(5_000);
    let blind = blind(&task, "t1");
    let (until, why) = (None, "usage limit reached".into());
    let mut run = plays(&task, &after_green(&task, &[(blind, "turn-002 from t1")]));
    run.apply(&ended(2, "t9", 6_000, Ending::Limited { until, why }))
        .expect("a turn was wanted");
    run.apply(&Event::Due(Due {
        at: Timestamp(i64::MAX),
    }))
    .expect("it waits for a moment");
    assert_eq!(wants(&run), "Time spent");
    assert!(run.apply(&waived()).is_err());
}

#[test]
fn what_sabotage_showed_of_a_tree_is_remembered_when_it_is_checked_again() {
    let mut task = tests_task();
    task.budget.turns = Some(9);
    let shown = objected(challenged(&task, "t1", None));
    plays(
        &task,
        &after_green(
            &task,
            &[
                (shown, "turn-002 from t1"),
                // Something red on purpose, and then the tree that was objected to.
                (turn_ended(2, "t2", 1), "verify-002 on t2"),
                (red(&task, "t2"), "turn-003 from t2"),
                (turn_ended(3, "t1", 1), "verify-003 on t1"),
                (green(&task, "t1", &[]), "asks about conftest.py"),
            ],
        ),
    );
}

#[test]
fn a_turn_that_was_tried_goes_on_counting_whatever_a_person_says_between() {
    let mut task = tests_task();
    task.budget.time_ms = Some(5_000);
    let blind = objected(blind(&task, "t1"));
    let stopped = Event::Interrupted(Interrupted {
        by: Stop::Keyboard,
        rescue: None,
        took_ms: 6_000,
        at: Timestamp(8),
    });
    let mut raised = task.budget;
    raised.time_ms = Some(90_000);
    let mut run = plays(
        &task,
        &after_green(
            &task,
            &[
                (blind, "turn-002 from t1"),
                (stopped, "await"),
                (resumed(), "Time spent"),
                (waived(), "asks about conftest.py"),
            ],
        ),
    );
    let mut changed = crate::changed::task_changed("Do it.", 9);
    if let Event::TaskChanged(changed) = &mut changed {
        changed.budget = raised;
    }
    run.apply(&changed).expect("a file can be changed");
    run.apply(&answered(PersonAnswer::Rejected("no".into())))
        .expect("it asks");
    assert_eq!(wants(&run), "turn-002-again-1 from t1");
}
