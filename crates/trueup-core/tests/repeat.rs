//! How often a check is executed before its answer is believed.

use trueup_core::{
    evidence::{CheckOutcome, Runs},
    repeat::{
        DOUBTED_FOR_MS,
        Next::{self, Again, Enough, Flaky},
        Repeat, RepeatPolicy,
    },
    task::DOUBT,
};

const NEVER: Runs = Runs { green: 0, red: 0 };
const BOTH: Runs = Runs { green: 1, red: 1 };
const POLICY: RepeatPolicy = RepeatPolicy {
    steady: 3,
    doubt: DOUBT,
    doubted_for_ms: DOUBTED_FOR_MS,
};

/// What follows each of these answers: `g`reen, `r`ed.
fn follows(before: (Runs, Runs), answers: &str) -> Vec<Next> {
    follows_slowly(before, answers, 0)
}

/// The same, where each answer takes so long to give.
fn follows_slowly((on_tree, on_base): (Runs, Runs), answers: &str, took_ms: u64) -> Vec<Next> {
    let mut repeat = Repeat::new(POLICY, on_tree, on_base);
    let answers = answers.chars().map(|answer| match answer {
        'g' => CheckOutcome::Passed,
        't' => CheckOutcome::TimedOut,
        _ => CheckOutcome::red(Some(1)),
    });
    answers.map(|saw| repeat.take(&saw, took_ms)).collect()
}

/// How often red is asked for again where nothing else is ever answered.
fn repeats(before: Runs, took_ms: u64) -> Option<usize> {
    let follows = follows_slowly((before, NEVER), "rrrrrrrrrrrr", took_ms);
    follows.iter().position(|next| *next == Enough)
}

#[test]
fn green_is_believed_at_once_and_red_the_eighth_time() {
    assert_eq!(follows((NEVER, NEVER), "g"), [Enough]);
    assert_eq!(repeats(NEVER, 0), Some(7));
}

#[test]
fn red_is_asked_for_once_more_always_and_oftener_only_while_that_is_cheap() {
    for most in [7, 5, 4, 2, 1] {
        let took = DOUBTED_FOR_MS / most;
        assert_eq!(repeats(NEVER, took), usize::try_from(most).ok(), "each took {took} ms");
    }
    assert_eq!(repeats(NEVER, DOUBTED_FOR_MS + 1), Some(1));
    assert_eq!(repeats(NEVER, u64::MAX), Some(1));
}

#[test]
fn the_time_of_the_first_answer_counts_only_as_a_forecast() {
    let mut repeat = Repeat::new(POLICY, NEVER, NEVER);
    assert_eq!(repeat.take(&CheckOutcome::red(Some(1)), DOUBTED_FOR_MS * 9), Again);
    assert_eq!(repeat.take(&CheckOutcome::red(Some(1)), DOUBTED_FOR_MS / 2), Again);
    assert_eq!(repeat.take(&CheckOutcome::red(Some(1)), 1), Again);
    assert_eq!(repeat.take(&CheckOutcome::red(Some(1)), DOUBTED_FOR_MS / 2), Enough);
}

#[test]
fn what_was_red_in_earlier_runs_is_asked_for_less_often_and_at_least_once() {
    for (red, wanted) in [(1, 6), (5, 2), (6, 1), (7, 1), (100, 1)] {
        assert_eq!(repeats(Runs { green: 0, red }, 0), Some(wanted), "{red}");
    }
}

#[test]
fn two_answers_ask_for_greens_in_a_row_and_any_red_ends_it() {
    assert_eq!(follows((NEVER, NEVER), "rggg"), [Again, Again, Again, Enough]);
    assert_eq!(follows((NEVER, NEVER), "tggg"), [Again, Again, Again, Enough]);
    assert_eq!(follows((NEVER, NEVER), "rgr"), [Again, Again, Flaky]);
    let late = follows((NEVER, NEVER), "rrrrrrrgr");
    assert_eq!(late.last(), Some(&Flaky), "{late:?}");
    for known in [(BOTH, NEVER), (NEVER, BOTH)] {
        assert_eq!(follows(known, "ggg"), [Again, Again, Enough]);
        assert_eq!(follows(known, "r"), [Flaky]);
        assert_eq!(follows(known, "gr"), [Again, Flaky]);
    }
    let green = Runs { green: 4, red: 0 };
    let slowly = follows_slowly((green, NEVER), "rgr", DOUBTED_FOR_MS);
    assert_eq!(slowly, [Again, Again, Flaky], "green in an earlier run");
    // The red between them is no answer in the row.
    assert_eq!(follows((green, NEVER), "grggg"), [Enough, Again, Again, Again, Enough]);
    let red = Runs { green: 0, red: 1 };
    let slowly = follows_slowly((red, NEVER), "ggg", DOUBTED_FOR_MS);
    assert_eq!(slowly, [Again, Again, Enough], "red in an earlier run");
}

#[test]
fn answers_on_the_base_count_only_where_they_made_it_flaky() {
    let red = Runs { green: 0, red: 9 };
    assert_eq!(follows((NEVER, red), "g"), [Enough]);
    let known = |on_tree, on_base| Repeat::new(POLICY, on_tree, on_base).told();
    assert_eq!(known(Runs { green: 2, red: 0 }, BOTH), Runs { green: 3, red: 1 });
    assert_eq!(known(BOTH, BOTH), BOTH, "its own answers tell enough");
}

#[test]
fn what_could_not_run_is_no_answer() {
    let mut repeat = Repeat::new(POLICY, NEVER, NEVER);
    let cannot = CheckOutcome::CannotRun { why: "no".to_owned() };
    assert_eq!(repeat.take(&cannot, 0), Enough);
    assert_eq!(repeat.now(), NEVER);
}

#[test]
fn what_is_told_says_that_it_is_flaky_whoever_saw_the_other_answer() {
    let red = CheckOutcome::red(Some(3));
    for (on_tree, on_base) in [(BOTH, NEVER), (NEVER, BOTH)] {
        let mut repeat = Repeat::new(POLICY, on_tree, on_base);
        let next = repeat.take(&red, 0);
        assert_eq!(repeat.told(), Runs { green: 1, red: 2 });
        assert_eq!(repeat.now(), Runs { green: 0, red: 1 });
        let CheckOutcome::Failed {
            exit: Some(3),
            why: Some(why),
        } = repeat.settled(red.clone(), next)
        else {
            panic!("it is red by its own exit code");
        };
        assert_eq!(why, "it is flaky: 1 green, 2 red on the same tree");
        let timed_out = repeat.settled(CheckOutcome::TimedOut, next);
        assert!(matches!(
            timed_out,
            CheckOutcome::Failed {
                exit: None,
                why: Some(_)
            }
        ));
    }
    let mut repeat = Repeat::new(POLICY, NEVER, NEVER);
    let next = repeat.take(&CheckOutcome::Passed, 0);
    assert!(repeat.told().is_one());
    assert_eq!(repeat.settled(CheckOutcome::Passed, next), CheckOutcome::Passed);
    assert_eq!(repeat.settled(red.clone(), Again), red);
}

#[test]
fn a_test_that_is_not_there_is_asked_for_once() {
    let one = Runs { green: 1, red: 0 };
    let fresh = || Repeat::new(POLICY, Runs::default(), Runs::default());
    assert_eq!(fresh().take_absent(), Enough);
    let mut seen = Repeat::new(POLICY, one, Runs::default());
    assert_eq!(seen.take_absent(), Again, "it was there in another execution");
    assert_eq!(seen.take_absent(), Flaky);
    let mut later = fresh();
    assert_eq!(later.take_absent(), Enough);
    assert_eq!(later.now(), Runs { green: 0, red: 1 });
    assert_eq!(later.take(&CheckOutcome::Passed, 0), Again, "it is there now");
}
