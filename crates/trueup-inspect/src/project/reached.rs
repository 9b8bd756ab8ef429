//! Runners that somebody else calls: a script of several programs, a recipe of
//! make. No flag behind the command reaches them, but two of them also read a
//! variable, wherever they are called.

use super::{Command, Purpose, Reporting, folder::Listing, folder::owned};
use crate::rules::only_runner;
use std::cell::Cell;
use trueup_core::kind::Runner;

/// The variable, and what asks for a report in it. A person still wants to read
/// what Node's runner prints.
const NODE: (&str, &str) = (
    "NODE_OPTIONS",
    "--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit \
     --test-reporter-destination={{out}}/junit.xml",
);
const PYTEST: (&str, &str) = ("PYTEST_ADDOPTS", "--junitxml={{out}}/junit.xml");

/// Who starts programs with other variables than it was given, or in another
/// place, or more than once.
const HOLDS_BACK: [&str; 13] = [
    "tox",
    "nox",
    "hatch",
    "docker",
    "docker-compose",
    "podman",
    "ssh",
    "vagrant",
    "for",
    "find",
    "xargs",
    "parallel",
    "bazel",
];

/// Has a command that tests ask for a report by a variable, where it has no other
/// way and exactly one runner reads it.
pub(super) fn ask(listing: &Listing<'_>, command: &mut Command) {
    if command.purpose == Purpose::Test && command.reported().1.is_none() {
        command.reporting = by_variable(listing, &command.words);
    }
}

fn by_variable(listing: &Listing<'_>, words: &[String]) -> Option<Reporting> {
    let sets_it = Cell::new(false);
    let sets = |text: &str| [NODE, PYTEST].iter().any(|(variable, _)| text.contains(variable));
    let files = |path: &str| {
        let text = listing.text(path)?;
        sets_it.set(sets_it.get() || sets(&text));
        Some(text.into_bytes())
    };
    let (runner, said) = only_runner(words, &files)?;
    let (variable, asks) = match runner {
        Runner::NodeTest => NODE,
        Runner::Pytest => PYTEST,
        Runner::Unittest
        | Runner::Vitest
        | Runner::Jest
        | Runner::Mocha
        | Runner::CargoTest
        | Runner::Nextest
        | Runner::GoTest
        | Runner::Maven
        | Runner::Gradle
        | Runner::Other => return None,
    };
    // A flag is stronger than the variable, and so is who sets that anew.
    let is_asked = |word: &String| word.contains("junit") || word.contains("--test-reporter");
    let holds_back = |word: &String| HOLDS_BACK.contains(&word.as_str());
    if sets_it.get() || said.iter().any(|word| is_asked(word) || holds_back(word)) {
        return None;
    }
    let after = match words {
        [env, rest @ ..] if env == "env" => rest,
        words => words,
    };
    let set = owned(&["env", &format!("{variable}={asks}")]);
    Some(Reporting {
        words: [set.as_slice(), after].concat(),
        parse: "junit",
    })
}
