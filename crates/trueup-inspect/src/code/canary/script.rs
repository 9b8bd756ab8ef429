//! A failing test for the runners of JavaScript.

use trueup_core::kind::Runner;

use crate::code::edit::{ended, quoted};
use crate::code::makers::Makers;
use crate::code::syntax::{Parsed, named};

/// The source with a test appended that throws, made by whatever name makes
/// tests in this very file.
pub(super) fn with_test(parsed: &Parsed<'_>, runner: Runner, name: &str) -> String {
    let said = quoted(name);
    let (before, maker) = match Makers::read(parsed).of_a_test(parsed) {
        Some(maker) => (String::new(), maker),
        None => given(parsed, runner),
    };
    // A line that begins with a semicolon continues none before it.
    format!(
        "{}{before};{maker}({said}, () => {{ throw new Error({said}); }});\n",
        ended(parsed.source)
    )
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
