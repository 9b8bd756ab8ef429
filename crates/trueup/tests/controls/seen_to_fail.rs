//! Verifiers that cannot fail.

use crate::place::{Ended, GOAL, GUARD, HONEST, RUST_HONEST, command, prices, python, rust, shell, task};
use std::fs;
use trueup_testkit::household::output;

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
fn a_filter_that_selects_nothing_is_red_whatever_it_says_of_itself() {
    // Newer runners of Python say by themselves that nothing ran.
    let guard = shell(&format!("{GUARD} -k no_such_test; test $? -eq 0 -o $? -eq 5 || true"));
    let ended = python(&task(&command(GOAL), &guard, 1, ""), HONEST);
    assert_eq!(ended.run.code, 3, "{:#?}", ended.run);
    assert!(
        ended.run.stdout.contains("red on the base (no test ran)"),
        "{:#?}",
        ended.run
    );
    let goal = shell(&format!(
        "test -f tests/test_total.py && ({GUARD} -k no_such_test || true)"
    ));
    let ended = python(&task(&goal, &command(GUARD), 1, ""), HONEST);
    assert_eq!(ended.run.code, 6, "{:#?}", ended.run);
    assert!(ended.run.stderr.contains("AC-1 ✗ no test ran"), "{:#?}", ended.run);
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

#[test]
fn a_build_turns_red_by_a_fault_of_its_kind_or_proves_nothing() {
    let done = "file src/done.rs exists";
    let agent = "printf 'pub fn done() {}\\n' > src/done.rs\nprintf 'pub mod done;\\n' >> src/lib.rs\n";
    let ended = rust(&task(done, &command("cargo check --offline"), 1, ""), agent);
    assert!(ended.is_verified(), "{:#?}\n{:#?}", ended.run, ended.controls());
    assert_eq!(ended.turned("AC-2.1", "violation").as_deref(), Some("red"));
    let ended = rust(&task(done, &shell("cargo check --offline || true"), 1, ""), agent);
    demand_unproved(&ended, "AC-2.1", "violation");
}

#[test]
fn a_compiler_of_c_that_looks_for_faults_is_shown_one_in_c_though_tests_are_in_python() {
    let lint = "$(CC) -Wall -Wextra -Werror -fsyntax-only $(wildcard *.c)";
    let agent =
        "printf 'int total(int a, int b);\\n\\nint total(int a, int b) {\\n    return a + b;\\n}\\n' > total.c\n";
    let linted = |lint: &str| {
        let household = prices(&task("file total.c exists", "lint", 1, ""), agent);
        let configuration = fs::read_to_string(household.checkout().join("trueup.toml")).expect("configuration");
        let configuration = format!("{configuration}\n[checks.lint]\nrun = \"make lint\"\n");
        household.file("trueup.toml", &configuration);
        household.file("Makefile", &format!("lint:\n\t{lint}\n"));
        household.file("double.c", "int main(void) {\n    return 0;\n}\n");
        household.commit("A linter");
        let run = household.trueup(&["run", "T-001"]);
        Ended { household, run }
    };
    let ended = linted(lint);
    assert!(ended.is_verified(), "{:#?}\n{:#?}", ended.run, ended.controls());
    assert_eq!(ended.turned("AC-2.1", "violation").as_deref(), Some("red"));
    demand_unproved(&linted(&format!("{lint} || true")), "AC-2.1", "violation");
}

#[test]
fn a_fault_that_was_found_is_not_laid_again_while_the_rules_stay() {
    let done = "file src/done.rs exists";
    let agent = "printf 'pub fn done() {}\\n' > src/done.rs\nprintf 'pub mod done;\\n' >> src/lib.rs\n";
    let text = task(done, &command("cargo check --offline"), 1, "");
    let ended = rust(&text, agent);
    let took = |ended: &Ended| {
        let controls = ended.controls();
        let violation = controls.iter().find(|control| control["sabotage"] == "violation");
        violation.expect("a control")["took_ms"].as_u64().expect("a time")
    };
    assert!(took(&ended) > 0, "{:#?}", ended.controls());
    let again = |ended: Ended, changed: (&str, &str)| {
        let household = ended.household;
        household.file(changed.0, changed.1);
        household.task(
            "T-001",
            &text.replace("Add prices", &format!("Add prices, {}", changed.0)),
        );
        household.commit("A new base");
        household.git(&["branch", "--quiet", "-D", "trueup/T-001"]);
        let run = household.trueup(&["run", "T-001"]);
        let ended = Ended { household, run };
        assert!(ended.is_verified(), "{:#?}\n{:#?}", ended.run, ended.controls());
        ended
    };
    let same = again(ended, ("README.md", "A word more.\n"));
    assert_eq!(took(&same), 0, "kept from the first run: {:#?}", same.controls());
    let other = again(same, ("Makefile", "all:\n\ttrue\n"));
    assert!(took(&other) > 0, "other rules: {:#?}", other.controls());
}

#[test]
fn a_challenge_that_was_killed_is_taken_up_where_it_was() {
    let task = task(&command(GOAL), &command(GUARD), 1, "");
    let points = |at: Option<usize>| {
        let household = prices(&task, HONEST);
        let log = household.folder().join("points");
        let mut run = household.command(&["run", "T-001"]);
        run.env("TRUEUP_CRASH_LOG", &log);
        if let Some(at) = at {
            run.env("TRUEUP_CRASH_AT", at.to_string());
        }
        let code = output(&mut run).code;
        let log = fs::read_to_string(log).expect("points");
        let names = log
            .lines()
            .map(|line| line.rsplit(' ').next().unwrap_or_default().to_owned());
        (household, code, names.collect::<Vec<String>>())
    };
    let (_, code, passed) = points(None);
    assert_eq!(code, 0);
    // Rooms are laid beside each other, so only the last point is sure to come late.
    let last = passed.iter().rposition(|name| name == "control.after");
    let last = last.expect("a point") + 1;
    let (household, code, passed) = points(Some(last));
    assert_ne!(code, 0, "it was killed");
    assert!(passed.iter().any(|name| name.starts_with("control.")), "{passed:?}");
    let again = household.trueup(&["resume", "T-001"]);
    assert_eq!(again.code, 0, "{again:#?}");
    assert_eq!(household.show("T-001")["outcome"], "verified");
}

#[test]
fn assertions_that_assert_nothing_are_seen_by_a_test_that_fails_by_them() {
    let deaf =
        "printf 'import unittest\\n\\nunittest.TestCase.assertEqual = lambda *all: None\\n' > tests/__init__.py\n";
    let allow = "allow: { change: [\"tests/**\"] }\n";
    let ended = python(
        &task(&command(GOAL), &command(GUARD), 1, allow),
        &format!("{HONEST}\n{deaf}"),
    );
    demand_unproved(&ended, "AC-1.1", "canary");
    demand_unproved(&ended, "AC-2.1", "canary");
}
