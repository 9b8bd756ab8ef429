//! Tests of goals that are made to expect something else.

use crate::played::{Case, Failed, PYTEST, Passed, Played, Tests, changed, ended, goal, one_test, run_tests};
use trueup_core::criterion::{Check, Role, Visibility};
use trueup_inspect::challenge::{On, Probe};

const CODE: &str = "def total(prices):\n    return Paid(3)\n";
const TEST: &str = "def test_adds():\n    assert total([1, 2]) == 3\n";
const ADDS: &str = "tests.test_a::test_adds";
const OTHER: &str = "tests.test_b::test_other";
const NAME: &str = "other expectations";

/// New code, and a new test that this goal asks for.
fn wrote(check: Check, test: &str) -> Case {
    let files = [
        changed("price.py", None, Some(CODE)),
        changed("tests/test_a.py", None, Some(test)),
    ];
    let case = Case::of(check, &files).same("tests/test_b.py", "def test_other():\n    assert f() == 1\n");
    case.reports(&[(OTHER, Passed)], &[(ADDS, Passed), (OTHER, Passed)])
}

fn play(case: &Case, tests: Tests<'_>) -> Played {
    let played = case.play(Probe::Expectations, |_| ended(0, tests));
    assert!(played.shown.controls.is_empty());
    played
}

#[test]
fn a_goal_whose_tests_take_any_answer_is_told() {
    let told = "AnyAnswer A.1: `tests.test_a::test_adds` still passes";
    for check in [one_test("test_adds"), run_tests(None), goal(PYTEST)] {
        let case = wrote(check, TEST);
        let unmoved = play(&case, &[(ADDS, Passed)]);
        let laid = unmoved.laid(NAME, "tests/test_a.py").expect("a file");
        assert_eq!(laid, TEST.replace("== 3", "== (3 + 3 + 1)"));
        assert_eq!(unmoved.paths(NAME), ["tests/test_a.py"], "another test is left alone");
        assert!(unmoved.layouts.iter().all(|layout| layout.on == On::Tree));
        assert_eq!(unmoved.told().len(), 1);
        assert!(unmoved.told()[0].starts_with(told), "{:?}", unmoved.told());
        assert!(play(&case, &[(ADDS, Failed)]).told().is_empty(), "it looked");
        assert!(play(&case, &[]).told().is_empty(), "nothing was told of it");
    }
}

#[test]
fn no_test_of_a_hidden_check_is_named() {
    let mut check = one_test("test_adds");
    check.sight = Visibility::Hidden(Vec::new());
    let unmoved = play(&wrote(check, TEST), &[(ADDS, Passed)]);
    assert_eq!(unmoved.told(), ["AnyAnswer A.1: its tests still pass"]);
}

#[test]
fn one_test_that_looks_is_enough_for_a_goal() {
    let both = "def test_adds():\n    assert f() == 3\n\n\ndef test_more():\n    assert f() == 4\n";
    let mut case = wrote(run_tests(None), both);
    let more = "tests.test_a::test_more";
    case = case.reports(&[(OTHER, Passed)], &[(ADDS, Passed), (more, Passed), (OTHER, Passed)]);
    assert!(play(&case, &[(ADDS, Passed), (more, Failed)]).told().is_empty());
    assert_eq!(play(&case, &[(ADDS, Passed), (more, Passed)]).told().len(), 1);
}

#[test]
fn cases_are_found_again_under_the_names_that_other_values_give_them() {
    let table = "@pytest.mark.parametrize(\"given, want\", [(1, 2), (3, 4)])\n\
                 def test_adds(given, want):\n    assert total(given) == want\n";
    let mut case = wrote(one_test("test_adds"), table);
    let now = [("tests.test_a::test_adds[1-2]", Passed), (OTHER, Passed)];
    case = case.reports(&[(OTHER, Passed)], &now);
    assert!(
        play(&case, &[("tests.test_a::test_adds[1-3]", Failed)])
            .told()
            .is_empty()
    );
    assert_eq!(play(&case, &[("tests.test_a::test_adds[1-3]", Passed)]).told().len(), 1);
}

#[test]
fn a_test_of_another_file_is_not_taken_for_one_of_its_name() {
    let vague = "def test_other():\n    assert total([1])\n";
    let mut case = wrote(one_test("tests.test_a::test_other"), vague);
    let own = "tests.test_a::test_other";
    case = case.reports(&[(OTHER, Passed)], &[(own, Passed), (OTHER, Passed)]);
    assert!(
        play(&case, &[(own, Passed)]).layouts.is_empty(),
        "it says nothing itself"
    );
    let mut unknown = wrote(one_test("test_other"), vague);
    unknown = unknown.reports(&[], &[("test_other", Passed)]);
    assert!(play(&unknown, &[]).layouts.is_empty(), "it may lie in either");
}

#[test]
fn nothing_is_tried_where_nothing_says_what_is_expected() {
    let vague = wrote(one_test("test_adds"), "def test_adds():\n    assert total([1])\n");
    assert!(play(&vague, &[]).layouts.is_empty());
    let guard = wrote(
        Check {
            role: Role::Guard,
            ..goal(PYTEST)
        },
        TEST,
    );
    assert!(play(&guard, &[]).layouts.is_empty(), "a guard is no goal");
    let mut silent = wrote(goal(PYTEST), TEST);
    (silent.before, silent.now) = (None, None);
    assert!(play(&silent, &[]).layouts.is_empty(), "nothing was reported");
}

#[test]
fn what_is_handed_to_a_function_in_another_file_is_changed() {
    let test = "from tests.shared import check\n\n\ndef test_adds():\n    check([1, 2], 3)\n";
    let shared = "def check(prices, sum):\n    assert total(prices) == sum\n";
    let case = wrote(one_test("test_adds"), test).same("tests/shared.py", shared);
    let unmoved = play(&case, &[(ADDS, Passed)]);
    assert_eq!(
        unmoved.laid(NAME, "tests/test_a.py"),
        Some(test.replace(", 3)", ", (3 + 3 + 1))"))
    );
    assert_eq!(unmoved.told().len(), 1);
    assert!(play(&case, &[(ADDS, Failed)]).told().is_empty(), "it looked");
}
