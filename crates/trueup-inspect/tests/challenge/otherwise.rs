//! Tests of goals that are run otherwise than checks run them.

use crate::played::{
    Case, Failed, PYTEST, Passed, Played, Skipped, Tests, changed, ended, execution, goal, one_test, run_tests,
};
use trueup_core::{
    criterion::{Check, CheckMethod, Visibility},
    evidence::CheckOutcome,
    judge::{Trial, endless},
};
use trueup_inspect::challenge::{Layout, On, Probe};

const ADDS: &str = "tests.test_a::test_adds";
const OTHER: &str = "tests.test_b::test_other";
const FIRST: &str = "otherwise";
const AGAIN: &str = "elsewhere";
const USUAL: &str = "as usual";
const BASE: &str = "elsewhere, on the base";
const TWICE: &str = "twice";
const TWICE_BASE: &str = "twice, on the base";

/// New code, and a new test that this goal asks for.
fn wrote(check: Check) -> Case {
    let files = [
        changed("price.py", None, Some("def total(prices):\n    return 3\n")),
        changed(
            "tests/test_a.py",
            None,
            Some("def test_adds():\n    assert total([1, 2]) == 3\n"),
        ),
    ];
    let case = Case::of(check, &files).same("tests/test_b.py", "def test_other():\n    assert f() == 1\n");
    case.reports(&[(OTHER, Passed)], &[(ADDS, Passed), (OTHER, Passed)])
}

/// All pass, but for what a trial of this name shows.
fn play(case: &Case, shows: impl Fn(&str) -> Option<Trial>) -> Played {
    let fine = |layout: &Layout| match layout.on {
        On::Tree => ended(0, &[(ADDS, Passed), (OTHER, Passed)]),
        On::Base => ended(0, &[(OTHER, Passed)]),
    };
    let played = case.play(Probe::Otherwise, |layout| {
        shows(&layout.name).unwrap_or_else(|| fine(layout))
    });
    assert!(played.shown.controls.is_empty());
    played
}

/// What is told where some trials show this, and all others that all is well.
fn told(case: &Case, names: &[&str], shown: &Trial) -> Vec<String> {
    play(case, |name| names.contains(&name).then(|| shown.clone())).told()
}

/// A goal of one test, by pytest itself.
fn by_pytest() -> Check {
    let mut check = one_test("test_adds");
    if let CheckMethod::Test { execution: of, .. } = &mut check.how {
        *of = execution(&["pytest"], PYTEST);
    }
    check
}

fn failed(tests: Tests<'_>) -> Trial {
    ended(1, tests)
}

#[test]
fn what_passes_elsewhere_too_is_run_once() {
    for check in [one_test("test_adds"), run_tests(None), goal(PYTEST)] {
        let played = play(&wrote(check), |_| None);
        assert_eq!(played.names(), [FIRST]);
        assert!(played.told().is_empty());
    }
}

#[test]
fn elsewhere_every_variable_that_tells_a_place_has_another_value() {
    let red = failed(&[(ADDS, Failed)]);
    let played = play(&wrote(one_test("test_adds")), |name| {
        [FIRST, AGAIN].contains(&name).then(|| red.clone())
    });
    let of = |name: &str| {
        let layout = played
            .layouts
            .iter()
            .find(|layout| layout.name == name)
            .expect("a trial");
        layout.variables.clone()
    };
    let names: Vec<String> = of(FIRST).into_keys().collect();
    assert_eq!(names.join(" "), "CI HOSTNAME LANG LOGNAME SHELL TERM TZ USER");
    assert_ne!(of(FIRST)["TERM"], "dumb", "it is that in every sandbox");
    assert_ne!(of(FIRST)["USER"], of(AGAIN)["USER"], "nobody can know who it is");
    assert_eq!(of(FIRST)["USER"], of(FIRST)["LOGNAME"]);
    assert!(of(USUAL).is_empty());
    assert_eq!(of(BASE)["TZ"], of(FIRST)["TZ"]);
}

#[test]
fn a_goal_whose_test_fails_elsewhere_is_told() {
    let told_of = ["HereOnly A.1: `tests.test_a::test_adds` fails where variables"];
    for check in [one_test("test_adds"), run_tests(None), goal(PYTEST)] {
        let case = wrote(check);
        assert_eq!(told(&case, &[FIRST, AGAIN], &failed(&[(ADDS, Failed)])), told_of);
        let other = failed(&[(ADDS, Passed), (OTHER, Failed)]);
        assert!(
            told(&case, &[FIRST, AGAIN], &other).is_empty(),
            "another test makes no goal"
        );
    }
}

#[test]
fn no_test_of_a_hidden_check_is_named() {
    let mut check = one_test("test_adds");
    check.sight = Visibility::Hidden(Vec::new());
    let told = told(&wrote(check), &[FIRST, AGAIN], &failed(&[(ADDS, Failed)]));
    assert_eq!(told, ["HereOnly A.1: its tests fail where"]);
}

#[test]
fn a_program_that_ends_before_it_tells_of_any_test_is_red_elsewhere() {
    let case = wrote(one_test("test_adds"));
    assert_eq!(told(&case, &[FIRST, AGAIN], &failed(&[])).len(), 1);
    assert!(told(&case, &[FIRST, AGAIN], &ended(0, &[])).is_empty(), "it ended well");
    for never in [endless(), CheckOutcome::TimedOut] {
        let slow = Trial {
            ended: Err(never),
            ..failed(&[])
        };
        assert!(told(&case, &[FIRST, AGAIN], &slow).is_empty(), "it may have been slow");
    }
    let skipped = ended(0, &[(ADDS, Skipped)]);
    assert!(
        told(&case, &[FIRST, AGAIN], &skipped).is_empty(),
        "it says that it does not hold there"
    );
}

#[test]
fn what_fails_by_chance_is_not_told() {
    let (case, red) = (wrote(one_test("test_adds")), failed(&[(ADDS, Failed)]));
    assert!(told(&case, &[FIRST], &red).is_empty(), "it passed the second time");
    assert!(
        told(&case, &[FIRST, AGAIN, USUAL], &red).is_empty(),
        "it fails as usual"
    );
}

#[test]
fn what_the_base_fails_by_as_well_is_not_the_work_of_the_run() {
    let red = failed(&[(ADDS, Failed)]);
    let case = wrote(one_test("test_adds")).reports(&[(ADDS, Passed)], &[(ADDS, Passed), (OTHER, Passed)]);
    assert!(told(&case, &[FIRST, AGAIN, BASE], &red).is_empty());
    assert_eq!(told(&case, &[FIRST, AGAIN], &red).len(), 1, "it passes there");
    let mended = wrote(one_test("test_adds")).reports(&[(ADDS, Failed)], &[(ADDS, Passed)]);
    assert_eq!(
        told(&mended, &[FIRST, AGAIN, BASE], &red).len(),
        1,
        "it failed there anyhow"
    );
    let nothing = failed(&[]);
    let case = wrote(one_test("test_adds"));
    assert!(
        told(&case, &[FIRST, AGAIN, BASE], &nothing).is_empty(),
        "no test can be run there"
    );
}

#[test]
fn the_tests_of_goals_are_run_alone_where_that_can_be() {
    let others: Vec<String> = (0..9).map(|at| format!("tests.test_b::test_{at}")).collect();
    let old: Vec<_> = others.iter().map(|id| (id.as_str(), Passed)).collect();
    let case = wrote(by_pytest()).reports(&old, &[old.clone(), vec![(ADDS, Passed)]].concat());
    let played = play(&case, |name| {
        [FIRST, AGAIN].contains(&name).then(|| failed(&[(ADDS, Failed)]))
    });
    for layout in &played.layouts {
        let alone = layout.argv.as_ref().is_some_and(|argv| argv.contains(&"-k".to_owned()));
        assert_eq!(alone, layout.on == On::Tree, "{}", layout.name);
    }
    assert_eq!(played.told().len(), 1);
}

#[test]
fn both_ways_are_tried_at_once_and_apart_only_where_that_is_red() {
    let case = wrote(by_pytest());
    let fine = play(&case, |_| None);
    assert_eq!(fine.names(), [FIRST]);
    let both = fine.layouts.first().expect("a trial");
    assert!(both.variables.contains_key("TZ") && both.variables.contains_key("PYTHONPATH"));
    assert_eq!(both.files.len(), 1, "a plugin is laid");
    let red = play(&case, |name| (name == FIRST).then(|| failed(&[(ADDS, Failed)])));
    assert_eq!(red.names(), [FIRST, AGAIN, USUAL, BASE, TWICE, TWICE_BASE]);
    assert!(red.told().is_empty(), "neither fails apart");
    let of = |name: &str| {
        let mut layouts = red.layouts.iter().filter(|layout| layout.name == name);
        let layout = layouts.next().expect("a trial");
        let has = |name: &str| layout.variables.contains_key(name);
        (has("TZ"), has("PYTHONPATH"), layout.files.len())
    };
    assert_eq!((of(AGAIN), of(BASE)), ((true, false, 0), (true, false, 0)));
    assert_eq!((of(TWICE), of(TWICE_BASE)), ((false, true, 1), (false, true, 1)));
    assert_eq!(of(USUAL), (false, false, 0));
}

#[test]
fn a_goal_whose_test_fails_the_second_time_is_told_by_that_alone() {
    let (case, red) = (wrote(by_pytest()), failed(&[(ADDS, Failed)]));
    let once = ["OnceOnly A.1: `tests.test_a::test_adds` fails where all"];
    assert_eq!(told(&case, &[FIRST, TWICE], &red), once);
    assert_eq!(told(&case, &[FIRST, TWICE, AGAIN], &red).len(), 2, "it fails by both");
    let was = case.reports(&[(ADDS, Passed)], &[(ADDS, Passed)]);
    assert!(
        told(&was, &[FIRST, TWICE, TWICE_BASE], &red).is_empty(),
        "it always did"
    );
}

#[test]
fn a_runner_that_cannot_be_told_to_run_twice_is_no_fault_of_the_goal() {
    let nothing = ended(4, &[]);
    let case = wrote(by_pytest());
    assert!(told(&case, &[FIRST, TWICE, TWICE_BASE], &nothing).is_empty());
    let new = case.clone().reports(&[], &[(ADDS, Passed)]);
    let played = play(&new, |name| [FIRST, TWICE].contains(&name).then(|| nothing.clone()));
    assert_eq!(played.names(), [FIRST, AGAIN, USUAL, TWICE], "the base has no tests");
    assert!(played.told().is_empty(), "nothing shows that it can be told");
    assert_eq!(told(&case, &[FIRST, TWICE], &nothing).len(), 1, "on the base it can");
}

#[test]
fn nothing_is_run_where_no_test_of_a_goal_is_told_of() {
    let case = wrote(one_test("test_adds")).reports(&[(OTHER, Passed)], &[(OTHER, Passed)]);
    assert!(play(&case, |_| None).layouts.is_empty());
}
