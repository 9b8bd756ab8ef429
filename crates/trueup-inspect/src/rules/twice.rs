//! A command that runs its tests twice in one process.

use super::{
    calls::Call,
    selecting::{begins, direct_call},
};
use trueup_core::kind::Runner;

/// A command that runs its tests twice, and what it needs for that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twice {
    /// The command.
    pub argv: Vec<String>,
    /// A file that is laid for it: where, and what it holds.
    pub file: Option<(String, String)>,
    /// A variable that is set for it.
    pub variable: Option<(String, String)>,
}

/// All tests from the last to the first, and that twice. One that follows
/// itself is cleaned up after as if nothing followed, which pytest would not do.
const PLUGIN: &str = r#"import pytest
from _pytest.runner import runtestprotocol


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    items[:] = items[::-1] * 2


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if nextitem is item:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        runtestprotocol(item, nextitem=None)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True
"#;

/// The command as it runs every test twice in one process; nothing where the
/// runner is not called directly, or cannot be told. The word is one that
/// nothing in the tree is called by.
pub fn twice(runner: Runner, argv: &[String], word: &str) -> Option<Twice> {
    let call = direct_call(argv)?;
    match runner {
        Runner::Pytest => pytest(&call, argv, word),
        Runner::GoTest => go_test(&call, argv),
        Runner::CargoTest
        | Runner::Nextest
        | Runner::Vitest
        | Runner::Jest
        | Runner::Unittest
        | Runner::Mocha
        | Runner::NodeTest
        | Runner::Maven
        | Runner::Gradle
        | Runner::Other => None,
    }
}

fn pytest(call: &Call, argv: &[String], word: &str) -> Option<Twice> {
    let is_called = matches!(call.program(), "pytest" | "py.test");
    // A path that the command sets itself would hide the plugin.
    let sets_path = argv.iter().any(|word| word.starts_with("PYTHONPATH="));
    if !is_called || sets_path || call.says("--") {
        return None;
    }
    // A folder with a dot is searched for tests by nobody.
    let (folder, module) = (format!(".{word}"), format!("order_{word}"));
    Some(Twice {
        argv: [argv, &["-p".to_owned(), module.clone()]].concat(),
        file: Some((format!("{folder}/{module}.py"), PLUGIN.to_owned())),
        variable: Some(("PYTHONPATH".to_owned(), folder)),
    })
}

fn go_test(call: &Call, argv: &[String]) -> Option<Twice> {
    let is_called = call.program() == "go" && call.verb() == "test";
    let is_told = ["-bench", "-fuzz"].iter().any(|flag| begins(call, flag));
    if !is_called || is_told || call.says("-args") || call.says("--") {
        return None;
    }
    Some(Twice {
        // In another order too, tests of flags and other things that a process has
        // once fail honestly. Of several counts the last one holds.
        argv: [argv, &["-count=2".to_owned()]].concat(),
        file: None,
        variable: None,
    })
}
