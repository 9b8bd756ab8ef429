//! Goals that ask for tests of the run: one of those must fail where the work
//! is missing.

use crate::played::{Case, Failed, PYTEST, Passed, Played, Tests, changed, check, ended, execution, run_tests};
use trueup_core::{
    control::Sabotage,
    criterion::{CheckMethod, Role},
};
use trueup_inspect::challenge::{On, Probe};

const OLD: &str = "tests.test_old::test_old";
const NEW: &str = "tests.test_new::test_new";

/// A function and its test are new, and a test of before was changed.
fn case() -> Case {
    let files = [
        changed("price.py", None, Some("def f(x):\n    return 2 * x\n")),
        changed(
            "tests/test_new.py",
            None,
            Some("def test_new():\n    assert f(2) == 4\n"),
        ),
        changed(
            "tests/test_old.py",
            Some("def test_old():\n    assert g(1)\n"),
            Some("def test_old():\n    assert g(1)\n    assert g(2)\n"),
        ),
    ];
    Case::of(run_tests(None), &files).reports(&[(OLD, Passed)], &[(OLD, Passed), (NEW, Passed)])
}

/// What comes of the probe where the base's code shows this, and everything
/// else fails.
fn over_base(case: &Case, exit: i32, tests: Tests<'_>) -> Played {
    case.play(Probe::Without, |layout| match layout.on {
        On::Base => ended(exit, tests),
        On::Tree => ended(1, &[(NEW, Failed), (OLD, Failed)]),
    })
}

fn turned(played: &Played) -> String {
    played.turned(Sabotage::RunTestsOverBase)
}

#[test]
fn one_test_of_the_run_that_fails_on_the_bases_code_is_enough() {
    let played = over_base(&case(), 1, &[(OLD, Passed), (NEW, Failed)]);
    assert_eq!(turned(&played), format!("red by {NEW}"));
    let about = &played.control(Sabotage::RunTestsOverBase).about;
    assert_eq!(*about, format!("{NEW}, {OLD}"), "all of them are named");
    let changed = over_base(&case(), 1, &[(OLD, Failed), (NEW, Passed)]);
    assert_eq!(turned(&changed), format!("red by {OLD}"));
    let about = &changed.control(Sabotage::RunTestsOverBase).about;
    assert_eq!(*about, format!("{OLD}, {NEW}"), "what failed there comes first");
    let broken = over_base(&case(), 2, &[]);
    assert!(
        turned(&broken).starts_with("nothing: on the base's code these tests do not load"),
        "{}",
        turned(&broken)
    );
}

#[test]
fn tests_of_the_run_that_pass_on_the_bases_code_do_not_show_its_work() {
    let played = over_base(&case(), 0, &[(OLD, Passed), (NEW, Passed)]);
    assert_eq!(turned(&played), "green");
    let other = over_base(
        &case(),
        1,
        &[(OLD, Passed), (NEW, Passed), ("tests.test_b::test_b", Failed)],
    );
    assert_eq!(turned(&other), "green", "one that is not the run's failed");
}

#[test]
fn a_case_in_the_middle_of_a_table_shows_the_work_on_the_base_and_nowhere_else() {
    let text = |cases: &str| format!("@parametrize('xs', [{cases}])\ndef test_n(xs):\n    assert f(xs)\n");
    let files = [
        changed(
            "price.py",
            Some("def f(x):\n    return x\n"),
            Some("def f(x):\n    return 1\n"),
        ),
        changed("tests/test_n.py", Some(&text("[1], [3]")), Some(&text("[1], [], [3]"))),
    ];
    let ids = [
        "tests.test_n::test_n[xs0]",
        "tests.test_n::test_n[xs1]",
        "tests.test_n::test_n[xs2]",
    ];
    let (old, now) = ([(ids[0], Passed), (ids[1], Passed)], ids.map(|id| (id, Passed)));
    let case = Case::of(run_tests(None), &files).reports(&old, &now);
    let play = |failing| {
        case.play(Probe::Without, |_| {
            ended(1, &ids.map(|id| (id, if id == failing { Failed } else { Passed })))
        })
    };
    assert_eq!(turned(&play(ids[1])), format!("red by {}", ids[1]));
    assert_eq!(turned(&play("tests.test_n::test_m[xs1]")), "green");
    // Without the functions it is the new names that must fail.
    assert_eq!(play(ids[1]).turned(Sabotage::Failing), "green");
    assert_eq!(play(ids[2]).turned(Sabotage::Failing), format!("red by {}", ids[2]));
}

#[test]
fn tests_that_nothing_on_the_base_names_do_not_load_there() {
    let other = ("tests.test_b::test_b", Passed);
    let left_out = over_base(&case(), 0, &[other]);
    assert!(
        turned(&left_out).starts_with("nothing: on the base's code these tests do not load"),
        "{}",
        turned(&left_out)
    );
    assert_eq!(turned(&over_base(&case(), 0, &[])), "green", "nothing is told at all");
    let one = over_base(&case(), 0, &[other, (OLD, Passed)]);
    assert_eq!(turned(&one), "green", "one of them is told of, and passes");
}

#[test]
fn where_a_name_is_said_only_tests_of_that_name_count() {
    let mut case = case();
    case.checks = vec![run_tests(Some("test_old"))];
    let played = over_base(&case, 1, &[(OLD, Passed), (NEW, Failed)]);
    assert_eq!(turned(&played), "green");
    assert_eq!(played.control(Sabotage::RunTestsOverBase).about, OLD);
}

#[test]
fn a_goal_that_asks_for_no_tests_of_the_run_is_not_tried_so() {
    let mut case = case();
    let how = CheckMethod::Command(execution(&["run-tests"], PYTEST));
    case.checks = vec![check("A.1", Role::Goal, how)];
    let played = over_base(&case, 1, &[(OLD, Passed), (NEW, Failed)]);
    let controls = played.shown.controls.iter();
    assert!(
        controls
            .into_iter()
            .all(|one| one.sabotage != Sabotage::RunTestsOverBase)
    );
}

#[test]
fn where_nothing_but_tests_changed_no_function_can_be_missed() {
    let mut case = case();
    case.files.retain(|file| file.path != "price.py");
    let played = over_base(&case, 0, &[(OLD, Passed), (NEW, Passed)]);
    assert_eq!(
        played.turned(Sabotage::Failing),
        "green",
        "the tests alone made it green"
    );
}
