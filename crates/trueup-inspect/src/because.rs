//! Why tests failed, as far as runners say: something was not as asserted,
//! something they use is not there, or the tests themselves are broken.
//!
//! Nothing rests on this but when the work may begin. A test that is taken for
//! a good one and is not still has to turn green without being changed, and
//! red again whenever the work is taken away from under it.

use crate::{
    code::is_test_path,
    report::{Report, Test, TestOutcome},
};
use trueup_core::evidence::Because;

/// How much of an output is looked through, from its end.
const MOST: usize = 1024 * 1024;

/// Words of Python and JavaScript for something that is not there.
const MISSING: [&str; 17] = [
    "ImportError",
    "ModuleNotFoundError",
    "AttributeError",
    "NotImplementedError",
    "takes no arguments",
    "positional argument",
    "unexpected keyword argument",
    "is not a function",
    "is not a constructor",
    "Cannot find module",
    "Failed to resolve import",
    "Failed to load url",
    "does not provide an export",
    "Cannot read properties of undefined",
    "ERR_MODULE_NOT_FOUND",
    "not implemented",
    "not yet implemented",
];

/// Words of Go's compiler for something that is not there, or not so.
const MISSING_GO: [&str; 10] = [
    "undefined: ",
    "undefined (",
    "not declared by package",
    "has no field or method",
    "arguments in call",
    "unknown field",
    "cannot use ",
    "no required module provides package",
    "is not in GOROOT",
    "cannot find package",
];

/// What the failing tests that a check asks for failed for; where none of them
/// ran, what kept them from running. `None` if neither can be told.
pub fn because(report: Option<&Report>, name: Option<&str>, printed: [&[u8]; 2]) -> Option<Because> {
    let none = Report::default();
    let report = report.unwrap_or(&none);
    let failed = |test: &&Test| test.outcome == TestOutcome::Failed;
    let asked: Vec<&Test> = match name {
        Some(name) => report.named(name).into_iter().filter(failed).collect(),
        None => report.tests.iter().filter(failed).collect(),
    };
    let printed = printed.map(tail);
    let loading = || {
        let messages = report.tests.iter().filter(failed).map(|test| test.message.as_str());
        let texts: Vec<&str> = messages.chain(printed.iter().map(String::as_str)).collect();
        of_loading(&texts)
    };
    if asked.is_empty() {
        return loading();
    }
    let each = asked.iter().map(|test| match test.message.trim() {
        "" => loading().unwrap_or(Because::Assertion),
        said => of_text(said).unwrap_or(Because::Assertion),
    });
    each.reduce(|one, other| match (&one, &other) {
        (Because::Broken(_), _) => one,
        (_, Because::Broken(_)) => other,
        (Because::Assertion, _) | (_, Because::Assertion) => Because::Assertion,
        (Because::Missing, Because::Missing) => Because::Missing,
    })
}

/// What kept tests from running.
fn of_loading(texts: &[&str]) -> Option<Because> {
    let compiled = texts.iter().find_map(|text| of_compiler(text));
    compiled.or_else(|| {
        let mut told = texts.iter().filter_map(|text| of_text(text));
        let first = told.next()?;
        Some(told.fold(first, |one, other| match other {
            Because::Broken(_) => other,
            Because::Assertion | Because::Missing => one,
        }))
    })
}

/// What a compiler of Rust or Go says. What differs from the code that was
/// there are tests alone, so whatever they name and the compiler does not find
/// is the work; a fault of form is their own.
fn of_compiler(text: &str) -> Option<Because> {
    let mut missing = None;
    for line in text.lines() {
        if let Some(what) = line.strip_prefix("error: ") {
            let follows = [
                "could not compile",
                "command `",
                "aborting",
                "test failed",
                "build failed",
            ];
            if text.contains(" --> ") && !follows.iter().any(|start| what.starts_with(start)) {
                return Some(Because::Broken(what.to_owned()));
            }
        } else if line.starts_with("error[E") {
            missing = Some(Because::Missing);
        } else if let Some((_, what)) = of_go(line) {
            if MISSING_GO.iter().any(|word| what.contains(word)) {
                missing = missing.or(Some(Because::Missing));
            } else if !what.starts_with("too many errors") {
                return Some(Because::Broken(line.trim().to_owned()));
            }
        }
    }
    missing
}

/// A diagnostic of Go's compiler about a test: its file, and what it says.
fn of_go(line: &str) -> Option<(&str, &str)> {
    let (place, what) = line.split_once(": ")?;
    let mut parts = place.trim_start_matches("./").split(':');
    let (file, number) = (parts.next()?, parts.next()?);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (file.ends_with("_test.go") && is_number && !file.contains(' ')).then_some((file, what))
}

/// What an interpreter of Python or JavaScript says.
fn of_text(text: &str) -> Option<Because> {
    if let Some(line) = fault_of_form(text) {
        return Some(Because::Broken(line.to_owned()));
    }
    if text.lines().any(is_missing) {
        return Some(Because::Missing);
    }
    let asserts = ["AssertionError", "assert ", "panicked at", "--- FAIL", "FAILED"];
    asserts
        .iter()
        .any(|word| text.contains(word))
        .then_some(Because::Assertion)
}

fn is_missing(line: &str) -> bool {
    if let Some((_, module)) = line.split_once("No module named '") {
        let module = module.split('\'').next().unwrap_or_default();
        // A test that is not there is no work that is missing.
        return !is_test_path(&format!("{}.py", module.replace('.', "/")));
    }
    MISSING.iter().any(|word| line.contains(word))
}

/// The line that says that a test cannot be read, or does not know its own words.
fn fault_of_form(text: &str) -> Option<&str> {
    text.lines().find(|line| {
        let said = line.strip_prefix("E  ").unwrap_or(line).trim_start();
        let starts = |words: &[&str]| words.iter().any(|word| said.starts_with(word));
        let unreadable = starts(&["SyntaxError:", "IndentationError:", "TabError:"]);
        let untransformed = starts(&["Error: Transform failed", "Transform failed"]);
        let unknown = starts(&["NameError: name", "ReferenceError: "]);
        (unreadable && (names_a_test(said) || text.lines().any(names_a_test_file)))
            || untransformed
            || (unknown && is_raised_in_a_test(text))
            || (said.starts_with("fixture '") && said.ends_with("not found"))
    })
}

/// `SyntaxError: /tree/tests/a.test.js: Unexpected token (3:4)`.
fn names_a_test(said: &str) -> bool {
    let mut words = said.split_whitespace().map(|word| word.trim_end_matches(':'));
    words.any(|word| word.contains('.') && is_test_path(word))
}

/// `File "…", line 3` or `file:///…:3`, of a test: where an interpreter says
/// what it cannot read.
fn names_a_test_file(line: &str) -> bool {
    let python = line.split_once("File \"").and_then(|(_, rest)| rest.split('"').next());
    let script = line.strip_prefix("file://").and_then(|rest| rest.split(':').next());
    python.or(script).is_some_and(is_test_path)
}

/// Whether the last place of a traceback of Python, or the first of a stack of
/// JavaScript, lies in a test.
fn is_raised_in_a_test(text: &str) -> bool {
    let place = |line: &str| {
        let line = line.trim().trim_start_matches(['❯', ' ']);
        let line = line.strip_prefix("at ").unwrap_or(line);
        let path = line.split(':').next().unwrap_or_default();
        let path = path.rsplit(['(', ' ']).next().unwrap_or_default();
        let follows = line.split_once(':').map(|(_, rest)| rest).unwrap_or_default();
        let is_place = path.contains('.') && follows.starts_with(|c: char| c.is_ascii_digit());
        is_place.then(|| path.to_owned())
    };
    let mut places = text.lines().filter_map(place);
    let python = text.contains("NameError");
    let found = if python { places.next_back() } else { places.next() };
    found.is_some_and(|path| is_test_path(&path)) || (python && last_file(text).is_some_and(is_test_path))
}

/// The last `File "…"` of a traceback.
fn last_file(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once("File \"")?;
    rest.split('"').next()
}

fn tail(bytes: &[u8]) -> String {
    let end = bytes.get(bytes.len().saturating_sub(MOST)..).unwrap_or_default();
    String::from_utf8_lossy(end).into_owned()
}

#[cfg(test)]
mod tests {
    use super::because;
    use crate::report::{Report, Test, TestOutcome};
    use trueup_core::evidence::Because;

    fn failed(id: &str, message: &str) -> Test {
        Test {
            id: id.to_owned(),
            outcome: TestOutcome::Failed,
            file: None,
            line: None,
            message: message.to_owned(),
        }
    }

    fn of_test(message: &str) -> Option<Because> {
        let report = Report {
            tests: vec![failed("tests.test_a::test_two", message)],
            ..Report::default()
        };
        because(Some(&report), Some("test_two"), [b"", b""])
    }

    fn of_output(stderr: &str) -> Option<Because> {
        because(None, Some("test_two"), [b"", stderr.as_bytes()])
    }

    fn is_broken(because: Option<Because>) -> bool {
        matches!(because, Some(Because::Broken(_)))
    }

    #[test]
    fn a_test_that_ran_fails_by_what_it_asserts_or_by_what_is_not_there() {
        for said in [
            "AssertionError: assert 1 == 2",
            "expected 1 to be 2 // Object.is equality",
            "ZeroDivisionError: division by zero",
            "Failed: DID NOT RAISE <class 'SyntaxError'>",
            "SyntaxError: my own parser says so\nsrc/parser.py:3: SyntaxError",
        ] {
            assert_eq!(of_test(said), Some(Because::Assertion), "{said}");
        }
        for said in [
            "AttributeError: module 'app' has no attribute 'two'",
            "TypeError: one() takes 0 positional arguments but 1 was given",
            "TypeError: (0 , two) is not a function",
            "NotImplementedError",
        ] {
            assert_eq!(of_test(said), Some(Because::Missing), "{said}");
        }
        let name = "E   NameError: name 'twox' is not defined\n\ntests/test_a.py:5: NameError";
        assert!(is_broken(of_test(name)));
        let code = "tests/test_a.py:5: in test_two\nE   NameError: name 'x' is not defined\n\nsrc/app.py:2: NameError";
        assert_eq!(of_test(code), Some(Because::Assertion));
        let script = "ReferenceError: onex is not defined\n ❯ tests/d.test.ts:4:19\n";
        assert!(is_broken(of_test(script)));
        assert!(is_broken(of_test("E       fixture 'nofix' not found")));
    }

    #[test]
    fn a_file_of_tests_that_does_not_load_is_told_from_one_that_cannot_be_read() {
        let file = |message: &str| {
            let report = Report {
                tests: vec![failed("tests.test_a", message)],
                ..Report::default()
            };
            because(Some(&report), Some("test_two"), [b"", b""])
        };
        let missing = "ImportError while importing test module\nE   ImportError: cannot import name 'two' from 'app'";
        assert_eq!(file(missing), Some(Because::Missing));
        let form =
            "E     File \"/tree/tests/test_b.py\", line 1\nE       def test_two(:\nE   SyntaxError: invalid syntax";
        assert!(is_broken(file(form)));
        let script = "Error: Transform failed with 1 error:\n/tree/tests/c.test.ts:2:37: ERROR: Unexpected \"}\"";
        assert!(is_broken(file(script)));
        assert_eq!(
            file("Error: Cannot find module '../src/nothing'"),
            Some(Because::Missing)
        );
        // Another test that fails says nothing of the one that did not run.
        assert_eq!(file("expected 1 to be 2"), None);
    }

    #[test]
    fn a_compiler_that_misses_the_work_is_told_from_one_that_cannot_read_the_tests() {
        for said in [
            "error[E0425]: cannot find function `two` in crate `x`\n --> tests/a.rs:3:19\n\nerror: could not compile `x` (test \"a\") due to 1 previous error\nerror: command `cargo test --no-run` exited with code 101",
            "# x [x.test]\n./a_test.go:6:5: undefined: Two\n",
        ] {
            assert_eq!(of_output(said), Some(Because::Missing), "{said}");
        }
        for said in [
            "error: mismatched closing delimiter: `}`\n --> tests/a.rs:3:15\n\nerror: could not compile `x`",
            "# x\na_test.go:5:27: missing ',' in parameter list",
            "# x [x.test]\n./a_test.go:6:5: undefined: Two\n./a_test.go:3:8: \"os\" imported and not used\n",
        ] {
            assert!(is_broken(of_output(said)), "{said}");
        }
        assert_eq!(of_output("error: no tests to run"), None);
        assert_eq!(of_output("warning: unused\nerror: no matches for filter"), None);
    }

    #[test]
    fn a_test_that_is_not_there_is_no_work_that_is_missing() {
        let said = "ModuleNotFoundError: No module named 'tests.test_two'";
        assert_eq!(of_output(said), None);
        let said = "ModuleNotFoundError: No module named 'app.two'";
        assert_eq!(of_output(said), Some(Because::Missing));
    }

    #[test]
    fn one_broken_test_of_many_is_told() {
        let report = Report {
            tests: vec![
                failed("a", "AssertionError"),
                failed("b", "E   fixture 'x' not found"),
                failed("c", "AttributeError"),
            ],
            ..Report::default()
        };
        assert!(is_broken(because(Some(&report), None, [b"", b""])));
    }
}
