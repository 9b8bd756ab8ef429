//! Verifiers that cannot fail.

use crate::place::{Ended, GOAL, GUARD, HONEST, RUST_HONEST, command, python, rust, shell, task};

fn demand_unproved(ended: &Ended, check: &str, sabotage: &str) {
    assert!(!ended.is_verified(), "{:#?}", ended.run);
    let turned = ended.turned(check, sabotage);
    assert_eq!(
        turned.as_deref(),
        Some("green"),
        "{:#?}\n{:#?}",
        ended.run,
        ended.controls()
    );
}

#[test]
fn honest_work_is_verified_by_checks_that_were_seen_to_fail() {
    let ended = python(&task(&command(GOAL), &command(GUARD), 1, ""), HONEST);
    assert!(ended.is_verified(), "{:#?}\n{:#?}", ended.run, ended.controls());
    for (check, sabotage) in [
        ("AC-1.1", "canary"),
        ("AC-1.1", "failing"),
        ("AC-1.1", "defaulting"),
        ("AC-1.1", "over_base"),
        ("AC-2.1", "canary"),
        ("AC-2.1", "over_base"),
    ] {
        let turned = ended.turned(check, sabotage);
        assert_eq!(
            turned.as_deref(),
            Some("red"),
            "{check} {sabotage}: {:#?}",
            ended.controls()
        );
    }
}

#[test]
fn honest_work_is_verified_test_by_test() {
    let ended = rust(&task("test adds in unit", "unit", 1, ""), RUST_HONEST);
    assert!(ended.is_verified(), "{:#?}\n{:#?}", ended.run, ended.controls());
    for sabotage in ["canary", "failing", "defaulting", "over_base"] {
        let turned = ended.turned("AC-1.1", sabotage);
        assert_eq!(turned.as_deref(), Some("red"), "{sabotage}: {:#?}", ended.controls());
    }
}

#[test]
fn a_check_that_says_or_true_proves_nothing() {
    let guard = shell(&format!("{GUARD} || true"));
    let ended = python(&task(&command(GOAL), &guard, 1, ""), HONEST);
    demand_unproved(&ended, "AC-2.1", "canary");
    let goal = shell(&format!("test -f tests/test_total.py && ({GOAL} || true)"));
    let ended = python(&task(&goal, &command(GUARD), 1, ""), HONEST);
    demand_unproved(&ended, "AC-1.1", "canary");
}

#[test]
fn a_check_whose_exit_code_is_lost_in_a_pipe_proves_nothing() {
    let guard = shell(&format!("{GUARD} 2>&1 | tail -5"));
    let ended = python(&task(&command(GOAL), &guard, 1, ""), HONEST);
    demand_unproved(&ended, "AC-2.1", "canary");
    let goal = shell(&format!("test -f tests/test_total.py && {GOAL} 2>&1 | tail -5"));
    let ended = python(&task(&goal, &command(GUARD), 1, ""), HONEST);
    demand_unproved(&ended, "AC-1.1", "canary");
}

#[test]
fn a_filter_that_selects_nothing_proves_nothing() {
    // Newer runners of Python say by themselves that nothing ran.
    let guard = shell(&format!("{GUARD} -k no_such_test; test $? -eq 0 -o $? -eq 5 || true"));
    let ended = python(&task(&command(GOAL), &guard, 1, ""), HONEST);
    demand_unproved(&ended, "AC-2.1", "canary");
    let goal = shell(&format!(
        "test -f tests/test_total.py && ({GUARD} -k no_such_test || true)"
    ));
    let ended = python(&task(&goal, &command(GUARD), 1, ""), HONEST);
    demand_unproved(&ended, "AC-1.1", "canary");
}

#[test]
fn a_new_test_that_asserts_nothing_proves_nothing() {
    let nothing = "cat > tests/test_total.py <<'END'\nimport unittest\n\n\nclass Total(unittest.TestCase):\n\
                   \x20   def test_adds(self):\n        self.assertTrue(True)\nEND\n";
    let ended = python(&task(&command(GOAL), &command(GUARD), 1, ""), nothing);
    demand_unproved(&ended, "AC-1.1", "over_base");
    let goal = "file tests/test_total.py exists";
    let ended = python(&task(goal, &command(GUARD), 1, ""), nothing);
    demand_unproved(&ended, "AC-2.1", "over_base");
}

#[test]
fn a_test_that_calls_the_work_and_asserts_nothing_is_no_goal() {
    let lax = HONEST.replace("self.assertEqual(price.total([1, 2]), 3)", "price.total([1, 2])");
    let ended = python(&task(&command(GOAL), &command(GUARD), 1, ""), &lax);
    demand_unproved(&ended, "AC-1.1", "defaulting");
}

#[test]
fn a_new_test_of_what_was_there_is_seen_to_fail_without_it() {
    let more = "cat > tests/test_more.py <<'END'\nimport unittest\n\nimport price\n\n\n\
                class More(unittest.TestCase):\n    def test_doubles_five(self):\n        \
                self.assertEqual(price.double(5), 10)\nEND\n";
    let ended = python(&task("file tests/test_more.py exists", &command(GUARD), 1, ""), more);
    assert!(ended.is_verified(), "{:#?}\n{:#?}", ended.run, ended.controls());
    assert_eq!(ended.turned("AC-2.1", "over_base").as_deref(), Some("red"));
}
