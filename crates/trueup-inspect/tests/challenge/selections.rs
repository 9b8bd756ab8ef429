//! Tests that are run alone in the place of a whole suite: what they show must
//! be what the suite would have shown.

use std::collections::BTreeSet;

use crate::played::{Case, Failed, PYTEST, Passed, Played, Tests, changed, check, ended, execution, report};
use trueup_core::{
    control::Sabotage::{Failing, OverBase},
    criterion::{CheckMethod, Role},
    evidence::CheckOutcome,
    id::CheckId,
    judge::{Trial, endless},
};
use trueup_inspect::challenge::{Layout, Probe};

const ID: &str = "tests.test_total::test_adds";
const ALONE: &str = "these tests alone";

/// A function and its test are new, in a suite of many tests.
fn case(others: usize) -> Case {
    let files = [
        changed("price.py", None, Some("def total(xs):\n    return sum(xs)\n")),
        changed(
            "tests/test_total.py",
            None,
            Some("def test_adds():\n    assert total([1, 2]) == 3\n"),
        ),
    ];
    let how = CheckMethod::Test {
        name: "test_adds".to_owned(),
        of: "unit".to_owned(),
        execution: execution(&["python3", "-m", "pytest", "-q"], PYTEST),
    };
    let old: Vec<String> = (0..others).map(|at| format!("tests.test_old::test_{at}")).collect();
    let old: Vec<_> = old.iter().map(|id| (id.as_str(), Passed)).collect();
    let now = [old.clone(), vec![(ID, Passed)]].concat();
    Case::of(check("A.1", Role::Goal, how), &files).reports(&old, &now)
}

/// What comes of it where tests that are run alone show this, and whole suites that.
fn play(case: &Case, alone: impl Fn(&Layout) -> Trial, whole: Tests<'_>) -> Played {
    case.play(Probe::Without, |layout| match &layout.argv {
        Some(argv) => {
            assert_eq!(
                argv.join(" "),
                "python3 -m pytest -q -k test_adds -o testpaths=tests/test_total.py"
            );
            alone(layout)
        }
        None => ended(1, whole),
    })
}

/// They pass as they are, and fail where something is taken away.
fn honest(layout: &Layout) -> Trial {
    match layout.name == ALONE {
        true => ended(0, &[(ID, Passed)]),
        false => ended(1, &[(ID, Failed)]),
    }
}

#[test]
fn in_a_large_suite_the_tests_of_goals_are_run_alone() {
    let played = play(&case(30), honest, &[]);
    let whole: Vec<&str> = played
        .layouts
        .iter()
        .filter(|layout| layout.argv.is_none())
        .map(|layout| layout.name.as_str())
        .collect();
    assert_eq!(whole, [""; 0], "no whole suite is run");
    assert_eq!(
        played.names().first(),
        Some(&ALONE),
        "they are seen to pass alone first"
    );
    for sabotage in [OverBase, Failing] {
        assert_eq!(played.turned(sabotage), format!("red by {ID}"));
    }
    let took = |sabotage| played.control(sabotage).took_ms;
    assert_eq!((took(OverBase), took(Failing)), (20, 10), "no time goes untold");
}

#[test]
fn in_a_small_suite_all_tests_are_run() {
    let played = play(&case(2), honest, &[(ID, Failed)]);
    assert!(played.layouts.iter().all(|layout| layout.argv.is_none()));
    assert_eq!(played.turned(Failing), format!("red by {ID}"));
}

#[test]
fn tests_that_do_not_pass_alone_are_run_with_the_others() {
    for (exit, seen) in [(1, Failed), (1, Passed)] {
        let played = play(&case(30), |_| ended(exit, &[(ID, seen)]), &[(ID, Failed)]);
        let alone = played.layouts.iter().filter(|layout| layout.argv.is_some());
        assert_eq!(alone.count(), 1);
        assert_eq!(played.turned(Failing), format!("red by {ID}"));
    }
}

#[test]
fn a_trial_that_does_not_tell_of_every_test_proves_nothing_by_its_exit_code() {
    // A runner that finds no test of the name ends with another code than 0.
    let vanished = |layout: &Layout| match layout.name == ALONE {
        true => ended(0, &[(ID, Passed)]),
        false => ended(5, &[]),
    };
    let played = case(30).play(Probe::Without, |layout| match &layout.argv {
        Some(_) => vanished(layout),
        None => ended(0, &[(ID, Passed)]),
    });
    assert_eq!(played.turned(Failing), "green", "the whole suite says what happens");
    let names = played.names();
    assert!(names.contains(&"functions fail"), "{names:?}");
    assert!(names.contains(&"functions fail, these tests alone"), "{names:?}");
}

#[test]
fn what_does_not_end_is_not_waited_for_twice() {
    let endless = |layout: &Layout| match layout.name == ALONE {
        true => ended(0, &[(ID, Passed)]),
        false => Trial {
            ended: Err(CheckOutcome::TimedOut),
            ..ended(0, &[])
        },
    };
    let played = play(&case(30), endless, &[]);
    assert!(
        played.layouts.iter().all(|layout| layout.argv.is_some()),
        "{:?}",
        played.names()
    );
    assert_eq!(played.turned(Failing), "otherwise: it ran out of time");
}

#[test]
fn what_takes_many_times_as_long_as_on_the_tree_does_not_end_and_is_red() {
    let play_with = |usual_ms: u64| {
        case(30).play(Probe::Without, |layout| match layout.name == ALONE {
            true => Trial {
                took_ms: usual_ms,
                ..ended(0, &[(ID, Passed)])
            },
            false => Trial {
                ended: Err(endless()),
                saw: vec![(CheckId::new("A.1"), endless())],
                ..ended(0, &[])
            },
        })
    };
    let patience = |usual_ms| {
        let layouts = play_with(usual_ms).layouts.into_iter();
        let most = layouts.map(|layout| (layout.name == ALONE, layout.patience_ms));
        most.collect::<BTreeSet<_>>()
    };
    assert_eq!(patience(9_000), [(true, None), (false, Some(45_000))].into());
    assert_eq!(
        patience(10),
        [(true, None), (false, Some(20_000))].into(),
        "at the least"
    );
    let played = play_with(10);
    assert_eq!(played.turned(Failing), "red by it does not end");
    assert_eq!(played.turned(OverBase), format!("red by {ID}"));
    assert!(
        played.layouts.iter().all(|layout| layout.argv.is_some()),
        "none again with all tests"
    );
}

#[test]
fn a_goal_of_all_tests_is_answered_by_all_tests() {
    let mut case = case(30);
    let how = CheckMethod::Command(execution(&["python3", "-m", "pytest", "-q"], PYTEST));
    case.checks.push(check("A.2", Role::Goal, how));
    let played = play(&case, honest, &[(ID, Failed)]);
    assert!(played.layouts.iter().all(|layout| layout.argv.is_none()));
}

#[test]
fn a_suite_of_mostly_these_tests_is_not_selected_from() {
    let mut case = case(30);
    let many: Vec<String> = (0..30).map(|at| format!("tests.test_total::test_adds[{at}]")).collect();
    let many: Vec<_> = many.iter().map(|id| (id.as_str(), Passed)).collect();
    let others: Vec<_> = (0..5).map(|at| format!("tests.test_old::test_{at}")).collect();
    let others: Vec<_> = others.iter().map(|id| (id.as_str(), Passed)).collect();
    for (before, now) in [
        (vec![], many.clone()),
        (others.clone(), [many.clone(), others].concat()),
    ] {
        (case.before, case.now) = (Some(report(&before)), Some(report(&now)));
        let played = play(&case, honest, &many);
        assert!(played.layouts.iter().all(|layout| layout.argv.is_none()));
    }
}
