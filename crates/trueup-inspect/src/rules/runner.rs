//! Which test runner a command calls in the end.

use super::{
    Files,
    calls::{Call, calls, said},
    paths,
};
use std::collections::BTreeSet;
use trueup_core::kind::Runner;

/// Programs that do nothing but run tests.
const PROGRAMS: [(&str, Runner); 32] = [
    ("pytest", Runner::Pytest),
    ("py.test", Runner::Pytest),
    ("pytest-watch", Runner::Pytest),
    ("unittest", Runner::Unittest),
    ("vitest", Runner::Vitest),
    ("jest", Runner::Jest),
    ("mocha", Runner::Mocha),
    ("_mocha", Runner::Mocha),
    ("cargo-nextest", Runner::Nextest),
    ("gotestsum", Runner::GoTest),
    ("nosetests", Runner::Other),
    ("nose2", Runner::Other),
    ("stestr", Runner::Other),
    ("trial", Runner::Other),
    ("tox", Runner::Other),
    ("nox", Runner::Other),
    ("ava", Runner::Other),
    ("tap", Runner::Other),
    ("tape", Runner::Other),
    ("uvu", Runner::Other),
    ("jasmine", Runner::Other),
    ("karma", Runner::Other),
    ("cypress", Runner::Other),
    ("wtr", Runner::Other),
    ("ginkgo", Runner::Other),
    ("ctest", Runner::Other),
    ("bats", Runner::Other),
    ("prove", Runner::Other),
    ("rspec", Runner::Other),
    ("phpunit", Runner::Other),
    ("pest", Runner::Other),
    ("busted", Runner::Other),
];

/// Programs that run tests when told to by a word.
const VERBS: [(&str, &[&str], Runner); 22] = [
    ("go", &["test"], Runner::GoTest),
    (
        "mvn",
        &["test", "verify", "package", "install", "integration-test"],
        Runner::Maven,
    ),
    (
        "mvnw",
        &["test", "verify", "package", "install", "integration-test"],
        Runner::Maven,
    ),
    ("gradle", &["test", "check", "build"], Runner::Gradle),
    ("gradlew", &["test", "check", "build"], Runner::Gradle),
    ("bun", &["test"], Runner::Other),
    ("deno", &["test"], Runner::Other),
    ("playwright", &["test"], Runner::Other),
    ("react-scripts", &["test"], Runner::Jest),
    ("ng", &["test"], Runner::Other),
    ("turbo", &["test"], Runner::Other),
    ("nx", &["test"], Runner::Other),
    ("lerna", &["test"], Runner::Other),
    ("dotnet", &["test"], Runner::Other),
    ("swift", &["test"], Runner::Other),
    ("mix", &["test"], Runner::Other),
    ("bazel", &["test"], Runner::Other),
    ("zig", &["test"], Runner::Other),
    ("rake", &["test", "spec"], Runner::Other),
    ("sbt", &["test"], Runner::Other),
    ("npm", &["test"], Runner::Other),
    ("pnpm", &["test"], Runner::Other),
];

/// Words that make a build tool leave the tests out.
const WITHOUT_TESTS: [&str; 4] = [
    "-DskipTests",
    "-DskipTests=true",
    "-Dmaven.test.skip=true",
    "--exclude-task",
];

/// The runner a command calls, directly or through the scripts it names.
pub fn runner(argv: &[String], files: Files<'_>) -> Option<Runner> {
    among(&calls(argv, files), files)
}

/// The runner of a command that calls exactly one, once, with every word on the
/// way to it.
pub fn only_runner(argv: &[String], files: Files<'_>) -> Option<(Runner, BTreeSet<String>)> {
    let calls = calls(argv, files);
    let mut found = calls.iter().filter_map(|call| called(call, files));
    match (found.next(), found.next()) {
        (Some(runner), None) => Some((runner, said(argv, files))),
        (_, _) => None,
    }
}

/// The first runner among these calls; one that is known well before one
/// that is not.
pub(super) fn among(calls: &[Call], files: Files<'_>) -> Option<Runner> {
    let found: Vec<Runner> = calls.iter().filter_map(|call| called(call, files)).collect();
    let known = found.iter().find(|runner| **runner != Runner::Other);
    known.or(found.first()).copied()
}

fn called(call: &Call, files: Files<'_>) -> Option<Runner> {
    let program = call.program();
    match program {
        "cargo" | "cross" => return cargo(call),
        "python" => return python(call, files),
        "node" | "tsx" => {
            let is_test = |word: &&String| *word == "--test" || word.starts_with("--test=");
            return call.arguments().iter().find(is_test).map(|_| Runner::NodeTest);
        }
        "nox" => return Some(nox(call, files)),
        "yarn" => return (call.verb() == "test").then_some(Runner::Other),
        _ => {}
    }
    if let Some((_, runner)) = PROGRAMS.iter().find(|(name, _)| *name == program) {
        return Some(*runner);
    }
    let (_, verbs, runner) = VERBS.iter().find(|(name, ..)| *name == program)?;
    let skips = call
        .arguments()
        .iter()
        .any(|word| WITHOUT_TESTS.contains(&word.as_str()))
        || call.arguments().windows(2).any(|pair| pair == ["-x", "test"]);
    // A module's own task is spelled `:module:test`.
    let says = |verb: &&&str| {
        let last = |word: &String| word.rsplit(':').next().is_some_and(|word| word == **verb);
        call.arguments().iter().any(last)
    };
    (!skips && verbs.iter().any(|verb| says(&verb))).then_some(*runner)
}

/// Cargo runs tests under several names; one that only compiles them is a build.
fn cargo(call: &Call) -> Option<Runner> {
    let says = |words: &[&str]| words.iter().any(|word| call.says(word));
    if says(&["--no-run"]) {
        return None;
    }
    match call.verb() {
        "nextest" => (!says(&["list"])).then_some(Runner::Nextest),
        "test" | "t" => Some(Runner::CargoTest),
        "llvm-cov" | "tarpaulin" | "careful" | "hack" | "miri" | "mutants" if says(&["nextest"]) => {
            Some(Runner::Nextest)
        }
        "llvm-cov" if says(&["report", "clean", "show-env"]) => None,
        "llvm-cov" | "tarpaulin" | "mutants" => Some(Runner::CargoTest),
        "careful" | "hack" | "miri" => says(&["test"]).then_some(Runner::CargoTest),
        _ => None,
    }
}

/// A Python program runs tests if it says so itself.
fn python(call: &Call, files: Files<'_>) -> Option<Runner> {
    let mut arguments = call
        .arguments()
        .iter()
        .skip_while(|word| word.starts_with('-') && *word != "-c");
    let script = arguments.next()?;
    let text = if script == "-c" {
        arguments.next()?.clone()
    } else {
        let name = paths::name(script);
        let verb = arguments.next().map_or("", String::as_str);
        if matches!(name, "manage.py" | "setup.py" | "runtests.py") && (verb == "test" || name == "runtests.py") {
            return Some(Runner::Unittest);
        }
        let bytes = files(&paths::join(&call.folder, script))?;
        String::from_utf8(bytes).ok()?
    };
    let marks = [
        ("pytest", Runner::Pytest),
        ("unittest.main", Runner::Unittest),
        ("unittest.TextTestRunner", Runner::Unittest),
    ];
    marks
        .iter()
        .find(|(mark, _)| text.contains(mark))
        .map(|(_, runner)| *runner)
}

/// The runner a `noxfile.py` calls.
fn nox(call: &Call, files: Files<'_>) -> Runner {
    let bytes = files(&paths::join(&call.folder, "noxfile.py")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    if text.contains("pytest") {
        Runner::Pytest
    } else {
        Runner::Other
    }
}
