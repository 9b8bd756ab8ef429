//! What checks call.

use super::{
    table::{KNOWN, Readers},
    words::Words,
};
use crate::rules::{
    Files,
    calls::{Call, calls, said},
};
use std::collections::BTreeSet;

/// What checks call.
#[derive(Clone, Debug)]
pub struct CalledPrograms {
    /// The programs, where all are known.
    programs: Option<BTreeSet<String>>,
    /// The words of their commands.
    words: Words,
    /// All that they and the scripts they call say, where nothing else can be called.
    said: Option<BTreeSet<String>>,
}

impl CalledPrograms {
    /// By the commands of checks, with the files of the tree that they run on.
    pub fn by(commands: &[Vec<String>], files: Files<'_>) -> Self {
        let mut words = Words::default();
        let mut programs = Some(BTreeSet::new());
        for argv in commands {
            argv.iter().for_each(|word| words.add(word));
            let followed = calls(argv, files);
            let known: Option<Vec<&str>> = followed.iter().map(known).collect();
            // What is followed is called as well: a package manager, for one.
            let direct = calls(argv, &|_| None);
            let named = direct.iter().map(Call::program);
            programs = match (programs, known.filter(|known| !known.is_empty())) {
                (Some(mut all), Some(known)) => {
                    all.extend(known.into_iter().chain(named).map(str::to_owned));
                    Some(all)
                }
                (None, _) | (_, None) => None,
            };
        }
        let all = commands.iter().flat_map(|argv| said(argv, files));
        let said = programs.is_some().then(|| all.collect());
        Self { programs, words, said }
    }

    /// The same, where these commands prepare the tree first.
    pub fn prepared_by(mut self, commands: &[Vec<String>], files: Files<'_>) -> Self {
        for argv in commands {
            let is_known = calls(argv, files)
                .iter()
                .all(|call| installs(call) || known(call).is_some());
            match &mut self.said {
                Some(all) if is_known => all.extend(said(argv, files)),
                Some(_) | None => self.said = None,
            }
        }
        self
    }

    /// Whether a script of a package may be called, by its name or as what runs
    /// before or after another one.
    pub fn may_run(&self, script: &str) -> bool {
        let names = [Some(script), script.strip_prefix("pre"), script.strip_prefix("post")];
        let is_said = |said: &BTreeSet<String>| names.into_iter().flatten().any(|name| said.contains(name));
        // `npm t` is short for it.
        let is_tests = names.contains(&Some("test"));
        is_tests || self.said.as_ref().is_none_or(is_said)
    }

    /// Whether one of these may be called; where they are not known, one may be.
    pub fn may_be(&self, readers: Option<Readers>) -> bool {
        let is_called = |all: &BTreeSet<String>| {
            let mut readers = readers.into_iter().flatten();
            readers.any(|reader| all.contains(*reader))
        };
        self.words.name(readers) || self.programs.as_ref().is_none_or(is_called)
    }
}

/// Whether a call installs packages, and runs no scripts but those that are told
/// of wherever they stand.
fn installs(call: &Call) -> bool {
    let is_manager = matches!(call.program(), "npm" | "pnpm" | "yarn");
    is_manager && matches!(call.verb(), "ci" | "i" | "install")
}

/// What a call is known to run; nothing where it could be anything.
fn known(call: &Call) -> Option<&str> {
    let loads = ["-r", "--require", "--import", "--loader", "--experimental-loader"];
    match (call.program(), call.verb()) {
        ("cargo", "clippy") => Some("clippy"),
        ("cargo", "fmt") => Some("rustfmt"),
        ("cargo", "test" | "nextest" | "build" | "check" | "doc") | ("go", "test" | "vet" | "build") => {
            Some(call.program())
        }
        ("node", _) if call.says("--test") && !loads.iter().any(|load| call.says(load)) => Some("node"),
        (program, _) => KNOWN.contains(&program).then_some(program),
    }
}
