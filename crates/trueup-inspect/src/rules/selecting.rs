//! A command that runs only some of a runner's tests.

use super::{
    calls::{Call, calls},
    paths::name,
};
use std::collections::BTreeSet;
use trueup_core::{kind::Runner, test_results::Test};

const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ash", "ksh"];

/// The command as it runs these tests and few others; nothing where the runner
/// is not called directly, is told already what to select, or cannot be told.
pub fn selecting(runner: Runner, argv: &[String], tests: &[&Test]) -> Option<Vec<String>> {
    let call = direct_call(argv).filter(|_| !tests.is_empty())?;
    let more = match runner {
        Runner::Pytest => pytest(&call, tests),
        Runner::GoTest => go_test(&call, tests),
        Runner::CargoTest => cargo_test(&call, tests),
        Runner::Nextest => nextest(&call, tests),
        Runner::Vitest | Runner::Jest => by_files(&call, tests),
        Runner::Unittest | Runner::Mocha | Runner::NodeTest | Runner::Maven | Runner::Gradle | Runner::Other => None,
    };
    Some([argv, &more?].concat())
}

/// The one program that a command comes down to, if words that are put behind
/// the command reach it.
pub(super) fn direct_call(argv: &[String]) -> Option<Call> {
    let mut called = calls(argv, &|_| None).into_iter();
    let (Some(call), None) = (called.next(), called.next()) else {
        return None;
    };
    // None behind a shell's line do.
    if argv.iter().any(|word| SHELLS.contains(&name(word))) {
        return None;
    }
    let before = argv.strip_suffix(call.arguments())?;
    let is_last = before.last().is_some_and(|word| name(word).starts_with(call.program()));
    is_last.then_some(call)
}

fn pytest(call: &Call, tests: &[&Test]) -> Option<Vec<String>> {
    let is_called = matches!(call.program(), "pytest" | "py.test");
    if !is_called || call.says("--") || begins(call, "-k") {
        return None;
    }
    let names = names(tests, |id| id.split('[').next()?.rsplit([':', '.']).next())?;
    let mut more = vec!["-k".to_owned(), names.join(" or ")];
    // Named as arguments, files could bring another configuration into force.
    if let Some(files) = files(tests).filter(|files| !files.iter().any(|file| file.contains(' '))) {
        more.extend(["-o".to_owned(), format!("testpaths={}", files.join(" "))]);
    }
    Some(more)
}

fn go_test(call: &Call, tests: &[&Test]) -> Option<Vec<String>> {
    let is_called = call.program() == "go" && call.verb() == "test";
    if !is_called || call.says("-args") || call.says("--") || begins(call, "-run") {
        return None;
    }
    let names = names(tests, |id| id.rsplit("::").next()?.split('/').next())?;
    Some(vec!["-run".to_owned(), format!("^({})$", names.join("|"))])
}

fn cargo_test(call: &Call, tests: &[&Test]) -> Option<Vec<String>> {
    let is_called = call.program() == "cargo" && call.verb() == "test";
    if !is_called || call.says("--doc") || call.says("--exact") {
        return None;
    }
    // Which of several examples it is stands behind the name of what it is of.
    let names = names(tests, |id| id.rsplit("::").next()?.split(" (").next())?;
    let open = (!call.says("--")).then(|| "--".to_owned());
    Some(open.into_iter().chain(names).collect())
}

fn nextest(call: &Call, tests: &[&Test]) -> Option<Vec<String>> {
    let is_called = call.program() == "cargo-nextest" || call.program() == "cargo" && call.verb() == "nextest";
    if !is_called || call.says("--") || call.says("-E") || call.says("--filterset") {
        return None;
    }
    names(tests, |id| id.rsplit("::").next())
}

fn by_files(call: &Call, tests: &[&Test]) -> Option<Vec<String>> {
    let is_called = matches!(call.program(), "vitest" | "jest");
    if !is_called || call.says("--") {
        return None;
    }
    files(tests)
}

/// Whether an argument begins so.
pub(super) fn begins(call: &Call, flag: &str) -> bool {
    call.arguments().iter().any(|word| word.starts_with(flag))
}

/// The files of these tests, if each is known and none could pass for a flag.
fn files(tests: &[&Test]) -> Option<Vec<String>> {
    let plain = |test: &&Test| test.file.clone().filter(|file| !file.starts_with('-'));
    let files: Option<BTreeSet<String>> = tests.iter().map(plain).collect();
    Some(files?.into_iter().collect())
}

/// The plain names of these tests, each once; nothing where one is more than
/// letters, digits and underscores, which mean something else to a runner.
fn names(tests: &[&Test], of: impl Fn(&str) -> Option<&str>) -> Option<Vec<String>> {
    let plain = |test: &&Test| {
        let name = of(&test.id)?;
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (is_plain && !name.is_empty()).then(|| name.to_owned())
    };
    let names: Option<BTreeSet<String>> = tests.iter().map(plain).collect();
    Some(names?.into_iter().collect())
}
