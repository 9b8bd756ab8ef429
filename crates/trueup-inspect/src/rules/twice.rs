//! A command that runs its tests twice in one process.

use super::{
    calls::Call,
    equipped::{Equipped, with_plugin},
    selecting::{begins, direct_call},
};
use trueup_core::kind::Runner;

/// All tests from the last to the first, and that twice. One that follows
/// itself is cleaned up after as if nothing followed, which pytest would not do.
/// An example of the documentation loses its names as soon as it was run.
const PLUGIN: &str = r#"import pytest
from _pytest.runner import runtestprotocol

NAMES = {}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    items[:] = items[::-1] * 2


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    example = getattr(item, "dtest", None)
    if example is not None:
        example.globs.update(NAMES.setdefault(item, dict(example.globs)))
    if nextitem is item:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        runtestprotocol(item, nextitem=None)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True
"#;

/// The command as it runs every test twice in one process; nothing where the
/// runner is not called directly, or cannot be told. The word is one that
/// nothing in the tree is called by.
pub fn twice(runner: Runner, argv: &[String], word: &str) -> Option<Equipped> {
    let call = direct_call(argv)?;
    match runner {
        Runner::Pytest => with_plugin(&call, argv, word, ("order", PLUGIN.to_owned())),
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

fn go_test(call: &Call, argv: &[String]) -> Option<Equipped> {
    let is_called = call.program() == "go" && call.verb() == "test";
    let is_told = ["-bench", "-fuzz"].iter().any(|flag| begins(call, flag));
    if !is_called || is_told || call.says("-args") || call.says("--") {
        return None;
    }
    Some(Equipped {
        // In another order too, tests of flags and other things that a process has
        // once fail honestly. Of several counts the last one holds.
        argv: [argv, &["-count=2".to_owned()]].concat(),
        file: None,
        variable: None,
    })
}
