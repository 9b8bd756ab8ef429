//! A check that runs only some of the tests does not make honest work
//! unprovable, and one that runs none is red.

use crate::place::{GOAL, HONEST, command, crate_of_prices, prices, python, task};

/// Runs what was there, and nothing new.
const SOME: &str = "python3 -m unittest tests.test_double";

#[test]
fn a_guard_over_some_of_the_tests_does_not_answer_for_the_others() {
    let ended = python(&task(&command(GOAL), &command(SOME), 2, ""), HONEST);
    assert!(ended.is_verified(), "{:#?}\n{:#?}", ended.run, ended.controls());
    assert_eq!(ended.turned("AC-2.1", "over_base").as_deref(), Some("nothing"));
    assert_eq!(ended.turned("AC-2.1", "canary").as_deref(), Some("red"));
}

#[test]
fn a_guard_that_runs_a_hollow_test_still_answers_for_it() {
    let hollow = format!(
        "{HONEST}\ncat >> tests/test_double.py <<'END'\n\n    def test_nothing(self):\n        \
         self.assertTrue(True)\nEND\n"
    );
    let ended = python(&task(&command(GOAL), &command(SOME), 1, ""), &hollow);
    assert!(!ended.is_verified(), "{:#?}", ended.run);
    assert_eq!(ended.turned("AC-2.1", "over_base").as_deref(), Some("green"));
}

#[test]
fn a_filter_that_selects_no_test_is_no_guard() {
    let none = "`cargo test --offline --test double no_such_test`";
    let household = crate_of_prices(&task("test adds in unit", none, 1, ""), "true\n");
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 3, "{run:#?}");
    assert!(
        run.stdout.contains("the guard is red on the base (no test ran)"),
        "{run:#?}"
    );
}

#[test]
fn a_name_that_no_test_has_is_told_with_those_that_are_near() {
    let agent = "if [ $TRUEUP_TURN = 1 ]; then\nsed -i 's/fn doubles()/fn doubles_two()/' tests/double.rs\nfi\n";
    let household = crate_of_prices(&task("test double in unit", "unit", 2, ""), agent);
    let run = household.trueup(&["run", "T-001"]);
    assert!(run.stdout.contains("no test called `double` ran; near are"), "{run:#?}");
    assert!(run.stdout.contains("doubles_nothing"), "{run:#?}");
}

#[test]
fn a_package_of_its_own_is_where_the_canary_of_its_check_is_laid() {
    let guard = "python3 -m unittest discover --start-directory other/tests --top-level-directory other";
    let household = prices(&task(&command(GOAL), &command(guard), 2, ""), HONEST);
    household.file("pyproject.toml", "[project]\nname = \"price\"\nversion = \"1\"\n");
    household.file("other/pyproject.toml", "[project]\nname = \"other\"\nversion = \"1\"\n");
    household.file("other/other.py", "def half(price):\n    return price // 2\n");
    household.file("other/tests/__init__.py", "");
    let test = "import unittest\n\nimport other\n\n\nclass Half(unittest.TestCase):\n    def test_halves(self):\n        \
                self.assertEqual(other.half(4), 2)\n";
    household.file("other/tests/test_half.py", test);
    household.commit("Two packages");
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
}
