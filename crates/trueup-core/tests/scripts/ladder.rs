//! The ladder: what a run does about a criterion that stays unmet.
//!
//! A history says what each turn left, one word a turn:
//!
//! | word | what the turn left |
//! |---|---|
//! | `a` | another tree; `A` fails with the error `a`, `B` is met |
//! | `a/x` | `A` fails with `a`, `B` with `x`; `+` is met, `.` fails without telling an error |
//! | `!a` | the same, where the error is one that no agent should weigh |
//! | `a=` | the tree that was there |
//! | `a^` | the tree that the first turn had left |
//! | `a#` | the agent says that it cannot go on |
//! | `L` | nothing: the provider's limit was reached, and waited for |
//! | `S` | nothing: a person stopped the run, and it was resumed |
//! | `T` | nothing: a person who was asked told the agent something |
//!
//! A trace says what the run wants after each word: a `r`etry, a `P`ivot, a
//! `R`esearch, an answer to a question that it asks (`?`) or that its agent
//! asks (`B`), or its `V`erified tree committed.

#![expect(clippy::expect_used, reason = "a history that does not fit is over")]

use crate::facts::{all, checked, due, ended, interrupted, opening, resumed, task};
use trueup_core::{
    approach::{Approach, ErrorKind},
    effect::Wish,
    ending::Ending,
    event::{Answered, Due, Event, PersonAnswer, Stop},
    evidence::{CheckOutcome, ErrorSeen, Evidence},
    id::{SessionId, Timestamp},
    ladder::{Ladder, Rung, Standstill},
    memory::{Memory, RecapReason},
    run::{Position, Reason, Run, Step},
    signature::Signature,
    task::{Size, Task},
    turn::Brief,
};

/// A run with room for every attempt.
fn run_on(ladder: Ladder) -> Run {
    let task = patient_task();
    let mut opening = opening(task.clone());
    opening.ladder = Some(ladder);
    let mut run = Run::open(opening);
    run.apply(&checked("base", all(&task, "base", due))).expect("a base");
    run
}

fn patient_task() -> Task {
    let mut task = task();
    task.size = Size::Greenfield;
    task.budget.turns = Some(50);
    task.budget.time_ms = None;
    task
}

/// The error of a word; that of a danger begins with an exclamation mark.
fn error_seen(word: &str) -> ErrorSeen {
    let kind = match word.starts_with('!') {
        true => ErrorKind::Security,
        false => ErrorKind::Test,
    };
    let signature = Signature::of(word);
    ErrorSeen { signature, kind }
}

/// Every check on a tree, as a word tells.
fn seen(task: &Task, tree: &str, word: &str) -> Vec<Evidence> {
    let (of_a, of_b) = word.split_once('/').unwrap_or((word, "+"));
    let told = |check: &str| match check {
        "A.1" => of_a,
        "B.1" => of_b,
        _ => "+",
    };
    let outcome = |check: &str| match told(check) {
        "+" => CheckOutcome::Passed,
        _ => CheckOutcome::red(Some(1)),
    };
    let mut evidence = all(task, tree, |check| outcome(check.id.as_str()));
    for one in &mut evidence {
        one.error = match told(one.check.as_str()) {
            "+" | "." => None,
            error => Some(error_seen(error)),
        };
    }
    evidence
}

/// Takes a turn that leaves what the word says, and has its tree checked where
/// the run wants that.
fn take_turn(run: &mut Run, word: &str) {
    let turn = run.spend().turns + 1;
    let left = word.trim_end_matches(['=', '^', '#']);
    let current = match run.next() {
        Step::Do(effect) => match effect.wish {
            Wish::Turn(turn) => turn.from.to_string(),
            other @ (Wish::Verify(_) | Wish::Challenge(_) | Wish::Commit(_) | Wish::Publish(_)) => {
                unreachable!("{other:?}")
            }
        },
        other @ (Step::Await(_) | Step::Done(_)) => unreachable!("no turn is wanted for `{word}`: {other:?}"),
    };
    let tree = match word.chars().last() {
        Some('=') => current,
        Some('^') => "t1".into(),
        _ => format!("t{turn}"),
    };
    let ending = match word.ends_with('#') {
        true => Ending::Blocked { why: "which?".into() },
        false => Ending::Finished,
    };
    let mut event = ended(turn, &tree, 1, ending);
    if let Event::TurnEnded(event) = &mut event {
        event.outcome.session = Some(SessionId::new(format!("s{turn}")));
    }
    run.apply(&event).expect("a turn was wanted");
    let task = run.opening().task.clone();
    if matches!(run.position(), Position::Working(trueup_core::run::Work::Verify)) {
        let event = checked(&tree, seen(&task, &tree, left));
        run.apply(&event).expect("checks were wanted");
    }
}

fn wait_for_the_provider(run: &mut Run) {
    let (until, why) = (None, "usage limit reached".into());
    let turn = run.spend().turns + 1;
    let tree = run
        .checked()
        .map_or_else(|| "base".to_owned(), |(tree, _)| tree.to_string());
    run.apply(&ended(turn, &tree, 1, Ending::Limited { until, why }))
        .expect("a turn was wanted");
    let at = Timestamp(i64::MAX);
    run.apply(&Event::Due(Due { at })).expect("it waits for a moment");
}

fn live(run: &mut Run, word: &str) {
    match word {
        "L" => wait_for_the_provider(run),
        "S" => {
            run.apply(&interrupted(Stop::Keyboard, None)).expect("it works");
            run.apply(&resumed()).expect("it waits");
        }
        "T" => {
            let answer = PersonAnswer::Told("look at the parser".into());
            let at = Timestamp(9);
            run.apply(&Event::Answered(Answered { answer, at })).expect("it asks");
        }
        _ => take_turn(run, word),
    }
}

fn brief(run: &Run) -> Option<(Brief, Memory)> {
    match run.next() {
        Step::Do(effect) => match effect.wish {
            Wish::Turn(turn) => Some((turn.brief, turn.memory)),
            Wish::Verify(_) | Wish::Challenge(_) | Wish::Commit(_) | Wish::Publish(_) => None,
        },
        Step::Await(_) | Step::Done(_) => None,
    }
}

fn wants(run: &Run) -> &'static str {
    match (run.position(), brief(run)) {
        (_, Some((brief, _))) => match brief.rung {
            Rung::First => "f",
            Rung::Retry => "r",
            Rung::Pivot => "P",
            Rung::Research => "R",
        },
        (Position::Paused(_, Reason::Stuck(_)), None) => "?",
        (Position::Paused(_, Reason::Blocked(_)), None) => "B",
        (Position::Working(_), None) => "V",
        (Position::Paused(..) | Position::Done(_), None) => "-",
    }
}

/// What a run wants after each word of its history.
fn trace(ladder: Ladder, history: &str) -> (String, Run) {
    let mut run = run_on(ladder);
    let words = history.split_whitespace().map(|word| {
        live(&mut run, word);
        wants(&run)
    });
    let trace = words.collect::<Vec<_>>().join(" ");
    (trace, run)
}

/// Histories of runs on the standard ladder, and what each comes to.
const STANDARD: [(&str, &str); 47] = [
    // Each attempt in turn, and the question after the last.
    ("a", "r"),
    ("a b", "r r"),
    ("a b c", "r r r"),
    ("a b c d", "r r r P"),
    ("a b c d e", "r r r P R"),
    ("a b c d e f", "r r r P R ?"),
    // Whatever rung they are on, the work may be done.
    ("+", "V"),
    ("a +", "r V"),
    ("a b c d +", "r r r P V"),
    ("a b c d e +", "r r r P R V"),
    // The same error for the third time in a row leaves the rung.
    ("a a", "r r"),
    ("a a a", "r r P"),
    ("a a a a", "r r P R"),
    ("a a a a a", "r r P R ?"),
    ("b a a a", "r r r P"),
    ("a b b b", "r r r P"),
    ("a a b b", "r r r P"),
    ("a a b b b", "r r r P R"),
    ("a b a b a b", "r r r P R ?"),
    // A turn that tells no error breaks the row.
    ("a a . a", "r r r P"),
    ("a . a", "r r r"),
    (". . .", "r r r"),
    (". . . . . .", "r r r P R ?"),
    // A turn that brings nothing new leaves the rung, too.
    ("a a=", "r P"),
    ("a a= a=", "r P R"),
    ("a a= a= a=", "r P R ?"),
    ("a= a=", "r P"),
    ("a= a= a= a=", "r P R ?"),
    ("a a= b c", "r P R ?"),
    ("a b a^", "r r P"),
    ("a b a^ a^", "r r P R"),
    // An agent that cannot go on is believed, but for one that tries another approach.
    ("a#", "B"),
    ("a b#", "r B"),
    ("a b c d e#", "r r r P R"),
    ("a b c d e f#", "r r r P R B"),
    // What no agent should weigh is asked about at once, and once.
    ("!a", "?"),
    ("a !b", "r ?"),
    ("!a T !a", "? r r"),
    ("!a T !b", "? r ?"),
    // Each criterion has attempts of its own; the one with the most decides.
    ("a/x b/y c/z d/w", "r r r P"),
    ("a/x b/+ c/x d/y e/z f/w", "r r r P R ?"),
    ("+/x +/y a/+ b/+ c/+", "r r r r r"),
    ("a/x a/y a/z", "r r P"),
    // A failure of the world burns no attempt, and a stop none.
    ("a L b L c L d L e L f", "r r r r r r P P R R ?"),
    ("a b c d S e S f", "r r r P P R R ?"),
    // A person who says how to go on gives every attempt back.
    ("a b c d e f T g", "r r r P R ? r r"),
    ("a b c d e f T g h i j k l", "r r r P R ? r r r r P R ?"),
];

/// The same on the patient one.
const PATIENT: [(&str, &str); 6] = [
    ("a b c d e f g h i", "r r r P P P R R ?"),
    ("a a a a a a a a", "r r P P P R R ?"),
    ("a b c d e f g h +", "r r r P P P R R V"),
    ("a a= b c d", "r P P P R"),
    ("a a= a= a=", "r P R ?"),
    ("a b c d e# f", "r r r P R R"),
];

#[test]
fn every_history_climbs_exactly_the_rungs_it_should() {
    let histories = STANDARD.map(|row| (Ladder::Standard, row)).into_iter();
    let histories = histories.chain(PATIENT.map(|row| (Ladder::Patient, row)));
    let mut wrong = Vec::new();
    for (ladder, (history, expected)) in histories {
        let (seen, _) = trace(ladder, history);
        if seen != expected {
            wrong.push(format!("{ladder:?} `{history}`: expected {expected}, saw {seen}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The most attempts in a row on which no question came, of one criterion that
/// is never met; the first turn is none.
fn attempts(trace: &str) -> usize {
    let words: Vec<&str> = trace.split(' ').collect();
    let runs = words.split(|word| ["?", "B"].contains(word));
    runs.map(|run| run.iter().filter(|word| ["r", "P", "R"].contains(word)).count())
        .max()
        .unwrap_or_default()
}

/// Every history of so many turns on a criterion that is never met.
fn hopeless(turns: u32) -> impl Iterator<Item = String> {
    const WORDS: [&str; 5] = ["a", "b", ".", "a=", "a^"];
    let all = WORDS.len().pow(turns);
    (0..all).map(move |mut number| {
        let mut history = Vec::new();
        for _ in 0..turns {
            history.push(WORDS[number % WORDS.len()]);
            number /= WORDS.len();
        }
        history.join(" ")
    })
}

#[test]
fn nobody_waits_longer_than_the_attempts_of_a_ladder() {
    for (ladder, most) in [(Ladder::Standard, 5), (Ladder::Patient, 8)] {
        assert_eq!(ladder.attempts().len(), most);
    }
    for history in hopeless(6) {
        let mut run = run_on(Ladder::Standard);
        let mut seen = Vec::new();
        for word in history.split(' ') {
            live(&mut run, word);
            seen.push(wants(&run));
            if seen.last() == Some(&"?") {
                break;
            }
        }
        let trace = seen.join(" ");
        assert!(attempts(&trace) <= 5, "{history}: {trace}");
        assert!(trace.ends_with('?'), "{history}: nobody was asked: {trace}");
    }
}

/// The count above can fail: a ladder that gives every attempt back at a pivot is caught.
#[test]
fn a_ladder_that_begins_anew_at_each_pivot_is_caught() {
    assert_eq!(attempts("r r r P R ? r r"), 5);
    assert!(attempts("r r r P r r r P R ?") > 5);
}

#[test]
fn a_pivot_and_a_research_remember_nothing_and_are_told_what_was_tried() {
    let (_, retry) = trace(Ladder::Standard, "a b c");
    let (_, pivot) = trace(Ladder::Standard, "a b c d");
    let (_, research) = trace(Ladder::Standard, "a b c d e");
    let memory =
        |run: &Run| brief(run).map(|(brief, memory)| (memory, brief.so_far.map(|told| (told.why, told.turns.len()))));
    let session = SessionId::new("s3");
    assert_eq!(memory(&retry), Some((Memory::Continue { session }, None)));
    assert_eq!(memory(&pivot), Some((Memory::Fresh, Some((RecapReason::BegunAnew, 4)))));
    assert_eq!(
        memory(&research),
        Some((Memory::Fresh, Some((RecapReason::BegunAnew, 5))))
    );
}

#[test]
fn whoever_is_asked_last_is_told_what_is_missing_and_what_the_last_turn_did() {
    for (history, by) in [
        ("a b c d e f", Standstill::Exhausted),
        ("a a= a= a=", Standstill::Unchanged),
        ("a b a^ c a^", Standstill::Returned),
    ] {
        let (_, run) = trace(Ladder::Standard, history);
        let Position::Paused(_, Reason::Stuck(stuck)) = run.position() else {
            unreachable!("{history}: {:?}", run.position());
        };
        let missing: Vec<&str> = stuck.missing.iter().map(|finding| finding.path.as_str()).collect();
        assert_eq!((stuck.by, missing), (by, vec!["A.1 `check A.1`"]), "{history}");
    }
}

#[test]
fn whoever_says_go_on_has_the_tree_checked_before_another_turn() {
    let (_, mut run) = trace(Ladder::Standard, "a b c d e f");
    run.apply(&resumed()).expect("it asks");
    let task = run.opening().task.clone();
    assert!(matches!(
        run.position(),
        Position::Working(trueup_core::run::Work::Verify)
    ));
    // What was red for want of a server is green by then.
    run.apply(&checked("t6", seen(&task, "t6", "+")))
        .expect("checks were wanted");
    assert_eq!(wants(&run), "V");
    let (_, mut run) = trace(Ladder::Standard, "a b c d e f");
    run.apply(&resumed()).expect("it asks");
    run.apply(&checked("t6", seen(&task, "t6", "f")))
        .expect("checks were wanted");
    assert_eq!(wants(&run), "r");
}

#[test]
fn a_run_without_a_ladder_only_ever_retries() {
    let task = patient_task();
    let mut run = Run::open(opening(task.clone()));
    run.apply(&checked("base", all(&task, "base", due))).expect("a base");
    for word in ["a", "a", "a", "a", "a", "a", "a"] {
        live(&mut run, word);
        assert_eq!(wants(&run), "r");
    }
}

#[test]
fn no_approach_is_offered_twice() {
    let mut run = run_on(Ladder::Patient);
    let mut offered: Vec<String> = Vec::new();
    for turn in 0..40 {
        let word = format!("e{turn}");
        live(&mut run, &word);
        let Some((brief, _)) = brief(&run) else {
            live(&mut run, "T");
            continue;
        };
        assert_eq!(brief.approach.is_some(), brief.rung == Rung::Pivot && offered.len() < 8);
        assert_eq!(brief.tried, offered, "after turn {turn}");
        if let Some(approach) = brief.approach {
            assert!(Approach::called(&approach).is_some(), "{approach}");
            assert!(!offered.contains(&approach), "{approach}");
            offered.push(approach);
        }
    }
    // Five for a failing test, three for anything.
    assert_eq!(offered.len(), 8, "{offered:?}");
}

#[test]
fn a_danger_that_the_base_told_already_is_what_the_task_is_about() {
    let task = patient_task();
    let mut opening = opening(task.clone());
    opening.ladder = Some(Ladder::Standard);
    let mut run = Run::open(opening);
    run.apply(&checked("base", seen(&task, "base", "!a/x")))
        .expect("a base");
    live(&mut run, "!a/+");
    assert_eq!(wants(&run), "r");
}
