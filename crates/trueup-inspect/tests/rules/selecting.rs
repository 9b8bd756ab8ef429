//! Commands that run only some of a runner's tests.

use crate::words;
use trueup_core::{
    kind::Runner,
    test_results::{Test, TestOutcome},
};
use trueup_inspect::rules::selecting;

/// An id, and the file where it is known.
type Reported<'a> = (&'a str, Option<&'a str>);

fn selected(runner: Runner, line: &str, tests: &[Reported<'_>]) -> Option<String> {
    let test = |(id, file): &Reported<'_>| Test {
        id: (*id).to_owned(),
        outcome: TestOutcome::Passed,
        file: file.map(str::to_owned),
        line: None,
        message: String::new(),
    };
    let tests: Vec<Test> = tests.iter().map(test).collect();
    let tests: Vec<&Test> = tests.iter().collect();
    selecting(runner, &words(line), &tests).map(|argv| argv.join(" "))
}

#[test]
fn each_runner_is_told_in_its_own_words() {
    let python = [
        ("tests.test_a::test_b[x-1]", None),
        ("tests.test_a.TestC::test_d", None),
    ];
    let rust = [("price::tests::adds", None), ("other", None)];
    let go = [("example.org/m::TestA/case one", None), ("example.org/m::TestB", None)];
    let node = [("a > b", Some("src/a.test.ts")), ("a > c", Some("src/a.test.ts"))];
    let rows: [(Runner, &str, &[Reported<'_>], &str); 9] = [
        (
            Runner::Pytest,
            "uv run pytest -q",
            &python,
            "uv run pytest -q -k test_b or test_d",
        ),
        (
            Runner::Pytest,
            ".venv/bin/python -m pytest",
            &python,
            ".venv/bin/python -m pytest -k test_b or test_d",
        ),
        (
            Runner::GoTest,
            "go test -json ./...",
            &go,
            "go test -json ./... -run ^(TestA|TestB)$",
        ),
        (
            Runner::CargoTest,
            "cargo test --offline",
            &rust,
            "cargo test --offline -- adds other",
        ),
        (
            Runner::CargoTest,
            "cargo test -- --nocapture",
            &rust,
            "cargo test -- --nocapture adds other",
        ),
        (
            Runner::Nextest,
            "cargo nextest run",
            &rust,
            "cargo nextest run adds other",
        ),
        (Runner::Vitest, "npx vitest run", &node, "npx vitest run src/a.test.ts"),
        (
            Runner::Jest,
            "node_modules/.bin/jest --ci",
            &node,
            "node_modules/.bin/jest --ci src/a.test.ts",
        ),
        (
            Runner::Vitest,
            "timeout 60 npx vitest run",
            &node,
            "timeout 60 npx vitest run src/a.test.ts",
        ),
    ];
    for (runner, line, tests, wanted) in rows {
        assert_eq!(selected(runner, line, tests).as_deref(), Some(wanted), "{line}");
    }
}

#[test]
fn files_are_named_where_they_are_known() {
    let known = [("tests.test_a::test_b", Some("tests/test_a.py"))];
    let wanted = "pytest -k test_b -o testpaths=tests/test_a.py";
    assert_eq!(selected(Runner::Pytest, "pytest", &known).as_deref(), Some(wanted));
    for file in [None, Some("--config=a.test.js")] {
        assert_eq!(selected(Runner::Vitest, "vitest run", &[("a > b", file)]), None);
    }
}

#[test]
fn what_is_told_already_or_cannot_be_told_is_left_alone() {
    let plain = [("tests.test_a::test_b", Some("tests/test_a.py"))];
    let rows = [
        (Runner::Pytest, "pytest -k other"),
        (Runner::Pytest, "pytest -kother"),
        (Runner::GoTest, "go test -run=Other ./..."),
        (Runner::Unittest, "python3 -m unittest"),
        (Runner::Pytest, "sh -c pytest"),
        (Runner::Pytest, "sh -c 'pytest -q'"),
        (Runner::Pytest, "make test"),
        (Runner::GoTest, "go test ./... -run TestOther"),
        (Runner::GoTest, "gotestsum"),
        (Runner::CargoTest, "cargo test --doc"),
        (Runner::CargoTest, "cargo test -- --exact other"),
        (Runner::Nextest, "cargo nextest run -E all"),
        (Runner::Mocha, "mocha"),
        (Runner::Maven, "mvn test"),
    ];
    for (runner, line) in rows {
        assert_eq!(selected(runner, line, &plain), None, "{line}");
    }
    assert_eq!(selected(Runner::Pytest, "pytest", &[]), None);
    assert_eq!(
        selected(Runner::Pytest, "pytest", &[("tests::a or b", None)]),
        None,
        "words of a language"
    );
}
