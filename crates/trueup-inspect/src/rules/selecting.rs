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
    let called = calls(argv, &|_| None);
    let [call] = called.as_slice() else {
        return None;
    };
    // Only words behind the program and its own reach it, and none behind a shell's line do.
    if argv.iter().any(|word| SHELLS.contains(&name(word))) {
        return None;
    }
    let before = argv.strip_suffix(call.arguments())?;
    let is_last = before.last().is_some_and(|word| name(word).starts_with(call.program()));
    if !is_last || !is_called(runner, call) || tests.is_empty() {
        return None;
    }
    let says = |words: &[&str]| words.iter().any(|word| call.says(word));
    match runner {
        Runner::Pytest if !says(&["-k", "--"]) && !call.arguments().iter().any(|word| word.starts_with("-k")) => {
            let names = names(tests, |id| id.split('[').next()?.rsplit([':', '.']).next())?;
            let mut more = vec!["-k".to_owned(), names.join(" or ")];
            // Named as arguments, files could bring another configuration into force.
            if let Some(files) = files(tests).filter(|files| !files.iter().any(|file| file.contains(' '))) {
                more.extend(["-o".to_owned(), format!("testpaths={}", files.join(" "))]);
            }
            Some(with(argv, &more))
        }
        Runner::GoTest if !says(&["-args", "--"]) && !call.arguments().iter().any(|word| word.starts_with("-run")) => {
            let names = names(tests, |id| id.rsplit("::").next()?.split('/').next())?;
            Some(with(argv, &["-run".to_owned(), format!("^({})$", names.join("|"))]))
        }
        Runner::CargoTest if !says(&["--doc", "--exact"]) => {
            let names = names(tests, |id| id.rsplit("::").next())?;
            let open = if call.says("--") {
                Vec::new()
            } else {
                vec!["--".to_owned()]
            };
            Some([argv, &open, &names].concat())
        }
        Runner::Nextest if !says(&["--", "-E", "--filterset"]) => {
            let names = names(tests, |id| id.rsplit("::").next())?;
            Some(with(argv, &names))
        }
        Runner::Vitest | Runner::Jest if !says(&["--"]) => Some(with(argv, &files(tests)?)),
        Runner::Pytest
        | Runner::Unittest
        | Runner::Vitest
        | Runner::Jest
        | Runner::Mocha
        | Runner::NodeTest
        | Runner::CargoTest
        | Runner::Nextest
        | Runner::GoTest
        | Runner::Maven
        | Runner::Gradle
        | Runner::Other => None,
    }
}

/// Whether a call is one of the runner itself.
fn is_called(runner: Runner, call: &Call) -> bool {
    let (program, verb) = (call.program(), call.verb());
    match runner {
        Runner::Pytest => matches!(program, "pytest" | "py.test"),
        Runner::Vitest => program == "vitest",
        Runner::Jest => program == "jest",
        Runner::CargoTest => program == "cargo" && verb == "test",
        Runner::Nextest => program == "cargo-nextest" || program == "cargo" && verb == "nextest",
        Runner::GoTest => program == "go" && verb == "test",
        Runner::Unittest | Runner::Mocha | Runner::NodeTest | Runner::Maven | Runner::Gradle | Runner::Other => false,
    }
}

fn with(argv: &[String], more: &[String]) -> Vec<String> {
    [argv, more].concat()
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
