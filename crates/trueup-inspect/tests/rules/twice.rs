//! Commands that run their tests twice.

use crate::words;
use trueup_core::kind::Runner;
use trueup_inspect::rules::twice;

fn made(runner: Runner, line: &str) -> Option<String> {
    twice(runner, &words(line), "w1").map(|made| made.argv.join(" "))
}

#[test]
fn each_runner_that_can_is_told_in_its_own_words() {
    let rows = [
        (Runner::Pytest, "pytest -q", "pytest -q -p order_w1"),
        (
            Runner::Pytest,
            "uv run python -m pytest -k test_a",
            "uv run python -m pytest -k test_a -p order_w1",
        ),
        (
            Runner::GoTest,
            "go test -count=1 ./...",
            "go test -count=1 ./... -count=2",
        ),
        (
            Runner::GoTest,
            "go test -json ./... -run TestA",
            "go test -json ./... -run TestA -count=2",
        ),
    ];
    for (runner, line, told) in rows {
        assert_eq!(made(runner, line).as_deref(), Some(told));
    }
}

#[test]
fn what_cannot_be_told_is_left_alone() {
    let rows = [
        (Runner::Pytest, "bash -c pytest"),
        (Runner::Pytest, "tox"),
        (Runner::Pytest, "env PYTHONPATH=src pytest"),
        (Runner::Pytest, "pytest -- tests"),
        (Runner::GoTest, "go test ./... -bench=."),
        (Runner::GoTest, "go test ./... -args x"),
        (Runner::CargoTest, "cargo test"),
        (Runner::Nextest, "cargo nextest run"),
        (Runner::Vitest, "vitest run"),
        (Runner::NodeTest, "node --test"),
        (Runner::Unittest, "python3 -m unittest"),
    ];
    for (runner, line) in rows {
        assert_eq!(made(runner, line), None, "{line}");
    }
}

#[test]
fn pytest_is_given_a_plugin_from_where_nobody_looks_for_tests() {
    let made = twice(Runner::Pytest, &words("pytest"), "w1").expect("a command");
    let (path, text) = made.file.expect("a plugin");
    assert_eq!(path, ".w1/order_w1.py");
    assert!(text.contains("items[::-1] * 2"));
    assert_eq!(made.variable, Some(("PYTHONPATH".to_owned(), ".w1".to_owned())));
}
