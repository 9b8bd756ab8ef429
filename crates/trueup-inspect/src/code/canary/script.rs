//! Failing tests for the runners of JavaScript.

use trueup_core::kind::Runner;

use super::fault::Fault;
use crate::code::edit::{ended, quoted};
use crate::code::makers::RunnerImports;
use crate::code::syntax::{Parsed, named};

/// The source with tests appended that fail, made by whatever name makes
/// tests in this very file.
pub(super) fn with_tests(parsed: &Parsed<'_>, runner: Runner, tests: &[(Fault, String)]) -> String {
    let (mut before, maker) = match RunnerImports::read(parsed).of_a_test(parsed) {
        Some(maker) => (String::new(), maker),
        None => given(parsed, runner),
    };
    if runner == Runner::Vitest && tests.iter().any(|(fault, _)| *fault != Fault::Thrown) {
        before.push_str("import { expect as trueupCanaryExpect } from \"vitest\";\n");
    }
    let mut made = format!("{}{before}", ended(parsed.source));
    for (fault, name) in tests {
        let said = quoted(name);
        // A line that begins with a semicolon continues none before it.
        made.push_str(&format!(
            ";{maker}({said}, {});\n",
            failing(parsed, runner, *fault, &said)
        ));
    }
    made
}

/// A function that fails in this way.
fn failing(parsed: &Parsed<'_>, runner: Runner, fault: Fault, said: &str) -> String {
    let thrown = format!("() => {{ throw new Error({said}); }}");
    let expect = match runner {
        Runner::Vitest => "trueupCanaryExpect",
        // One that nobody uses may not be there.
        Runner::Jest if parsed.source.contains("expect") => "expect",
        Runner::Mocha | Runner::NodeTest => {
            let asserted = |call: &str| format!("async () => {{ (await import(\"node:assert\")).{call}; }}");
            return match fault {
                Fault::Unequal => asserted("strictEqual(1, 2)"),
                Fault::Unlike => asserted("deepStrictEqual({ a: 1 }, { a: 2 })"),
                Fault::Thrown => thrown,
            };
        }
        Runner::Jest
        | Runner::Pytest
        | Runner::Unittest
        | Runner::CargoTest
        | Runner::Nextest
        | Runner::GoTest
        | Runner::Maven
        | Runner::Gradle
        | Runner::Other => return thrown,
    };
    match fault {
        Fault::Unequal => format!("() => {{ {expect}(1).toBe(2); }}"),
        Fault::Unlike => format!("() => {{ {expect}({{ a: 1 }}).toEqual({{ a: 2 }}); }}"),
        Fault::Thrown => thrown,
    }
}

/// In a file that makes no test: what must stand before one, and what makes it.
fn given(parsed: &Parsed<'_>, runner: Runner) -> (String, String) {
    let own = "trueupCanaryTest";
    let from = match runner {
        Runner::Vitest => "vitest",
        Runner::NodeTest => "node:test",
        Runner::Mocha => return (String::new(), "it".to_owned()),
        Runner::Jest
        | Runner::Pytest
        | Runner::Unittest
        | Runner::CargoTest
        | Runner::Nextest
        | Runner::GoTest
        | Runner::Maven
        | Runner::Gradle
        | Runner::Other => return (String::new(), "test".to_owned()),
    };
    let before = if runner == Runner::NodeTest && !is_module(parsed) {
        format!("const {{ test: {own} }} = require(\"{from}\");\n")
    } else {
        format!("import {{ test as {own} }} from \"{from}\";\n")
    };
    (before, own.to_owned())
}

fn is_module(parsed: &Parsed<'_>) -> bool {
    named(parsed.root())
        .iter()
        .any(|node| matches!(node.kind(), "import_statement" | "export_statement"))
}
