//! What a person allowed a repository to run, and what asks again.

use crate::{
    config::REPOSITORY_LAYERS,
    exit::{Exit, Failure},
    project::Project,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use trueup_core::digest::Digest;
use trueup_engine::{
    fault::{self, Fault},
    write::write_durably,
};
use trueup_inspect::code::is_test_path;

/// How the names of templates end.
const TEMPLATE: &str = ".md.j2";

/// How the names of a shell's scripts end.
const SHELLS: [&str; 6] = ["bash", "fish", "ksh", "ps1", "sh", "zsh"];

/// How the names of other scripts end.
const LANGUAGES: [&str; 10] = ["cjs", "js", "lua", "mjs", "mts", "php", "pl", "py", "rb", "ts"];

impl Project {
    /// Refuses to go on unless a person trusted this repository's commands as
    /// they stand now.
    pub(crate) fn require_trust(&self) -> Result<(), Failure> {
        let by_variable = self.environment.get("TRUEUP_TRUST").is_some_and(|value| value == "1");
        // Without a repository, all that is configured is the person's own.
        if by_variable || self.nowhere.is_some() || self.is_trusted()? {
            return Ok(());
        }
        Err(self.untrusted())
    }

    /// Why nothing is run, and what to type.
    pub(crate) fn untrusted(&self) -> Failure {
        if !self.is_set_up() {
            let what = "this repository is not set up for trueup: it has no trueup.toml";
            return Failure::new(Exit::Waiting, what).next("trueup init");
        }
        let what = "this repository's commands are not trusted yet, or they changed since you trusted them";
        Failure::new(Exit::Waiting, what).next("trueup trust")
    }

    /// Whether the repository says anything of how trueup works in it.
    pub(crate) fn is_set_up(&self) -> bool {
        let is_there = |name: &str| self.checkout.join(name).exists();
        REPOSITORY_LAYERS.into_iter().any(is_there)
    }

    /// Whether the repository's commands were trusted as they stand now.
    pub(crate) fn is_trusted(&self) -> Result<bool, Failure> {
        let kept = fs::read_to_string(self.trust_file()).unwrap_or_default();
        let digest = self.commands_digest()?;
        // An older trueup kept one digest, and nothing before it.
        Ok(kept
            .lines()
            .any(|line| line.split(' ').next_back() == Some(digest.as_str())))
    }

    /// Trusts the repository's commands as they stand now. Each checkout of it
    /// has a line of its own.
    pub(crate) fn trust(&self) -> Result<(), Failure> {
        // Checkouts of one repository share the file, and may be trusted at the same moment.
        let alone = fs::File::open(self.state.path())?;
        alone.lock()?;
        let checkout = Digest::of(self.checkout.as_os_str().as_encoded_bytes());
        let kept = fs::read_to_string(self.trust_file()).unwrap_or_default();
        let is_anothers = |line: &&str| {
            line.split_once(' ')
                .is_some_and(|(whose, _)| whose != checkout.as_str())
        };
        let mut lines: Vec<String> = kept.lines().filter(is_anothers).map(str::to_owned).collect();
        lines.push(format!("{} {}", checkout.as_str(), self.commands_digest()?.as_str()));
        Ok(write_durably(&self.trust_file(), lines.join("\n").as_bytes())?)
    }

    fn trust_file(&self) -> PathBuf {
        self.state.path().join("trusted")
    }

    /// The files by which a person changes what agents are told, in order.
    /// Whoever could change them unseen could have an agent do anything.
    pub(crate) fn templates(&self) -> Vec<PathBuf> {
        let entries = self
            .config
            .prompts
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok());
        let files = entries.flatten().flatten().map(|entry| entry.path());
        let is_template = |path: &PathBuf| path.to_string_lossy().ends_with(TEMPLATE) && path.is_file();
        let mut files: Vec<PathBuf> = files.filter(is_template).collect();
        files.sort();
        files
    }

    /// The scripts of this repository that its commands name, each with the
    /// digest of what it holds: on the base, which is what runs, and of agents'
    /// own in the checkout. What they name in turn is not followed.
    pub(crate) fn scripts(&self) -> Result<BTreeMap<String, Digest>, Failure> {
        let config = &self.config;
        let mut scripts = BTreeMap::new();
        if fault::planted(Fault::HidesHoles) {
            return Ok(scripts);
        }
        for word in config.agents.values().flat_map(|agent| words(&agent.command)) {
            if let Some((path, bytes)) = in_checkout(&word, &self.checkout) {
                scripts.insert(path, Digest::of(&bytes));
            }
        }
        let prepare = config.ground.prepare.iter().map(|preparation| &preparation.argv);
        let checks = config.checks.values().map(|check| &check.argv);
        let services = config.checks.values().flat_map(|check| &check.services);
        let services = services.flat_map(|service| service.ready.iter().chain([&service.argv]));
        let named: BTreeSet<String> = prepare
            .chain(checks)
            .chain(services)
            .flat_map(|argv| words(argv))
            .collect();
        if named.is_empty() {
            return Ok(scripts);
        }
        // A repository without a commit has nothing that could run.
        let Ok(base) = self.workspaces()?.base(&config.base) else {
            return Ok(scripts);
        };
        // Few commands name anything that is there, and only then is a whole tree listed.
        let named: Vec<String> = named.into_iter().collect();
        let named = self.workspaces()?.objects(&base.tree, &named)?.into_iter();
        let there: Vec<String> = named.filter_map(|(path, object)| object.map(|_| path)).collect();
        if there.is_empty() {
            return Ok(scripts);
        }
        for (path, bytes) in self.workspaces()?.read_many(&base.tree, &there)? {
            if is_script(&path, &bytes) {
                scripts.insert(path, Digest::of(&bytes));
            }
        }
        Ok(scripts)
    }

    /// One digest of everything in the repository that names commands to run
    /// outside task files, of the scripts that they name, of the packs of rules,
    /// and of what changes what agents are told.
    fn commands_digest(&self) -> Result<Digest, Failure> {
        let mut fields = vec![self.checkout.as_os_str().as_encoded_bytes().to_vec()];
        for name in REPOSITORY_LAYERS {
            let path = self.checkout.join(name);
            fields.push(if path.exists() { fs::read(&path)? } else { Vec::new() });
        }
        for path in self.templates() {
            fields.push(path.as_os_str().as_encoded_bytes().to_vec());
            fields.push(fs::read(&path)?);
        }
        // What a pack asks about is part of how this work is checked.
        for (pack, text) in self.config.rules.files() {
            fields.push(pack.clone().into_bytes());
            fields.push(text.clone().into_bytes());
        }
        // A link that leads elsewhere by now was not what a person said yes to.
        let shown = self
            .config
            .agents
            .values()
            .flat_map(|agent| agent.read.iter().chain(&agent.write));
        for path in self.config.read.iter().chain(shown) {
            if let Ok(real) = path.canonicalize()
                && real != *path
            {
                fields.push(real.into_os_string().into_encoded_bytes());
            }
        }
        for (path, digest) in self.scripts()? {
            fields.push(path.into_bytes());
            fields.push(digest.as_str().as_bytes().to_vec());
        }
        Ok(Digest::of_fields(fields.iter().map(Vec::as_slice)))
    }
}

/// Everything in a command that could be the path of a script: its words, those
/// of what a shell is given to run, and each of them below a folder that is
/// entered first.
fn words(argv: &[String]) -> BTreeSet<String> {
    let between = |character: char| character.is_whitespace() || ";&|()<>{}=$`\"'".contains(character);
    let plain = |word: &str| word.trim_start_matches("./").trim_end_matches('/').to_owned();
    let all: Vec<String> = argv.iter().flat_map(|word| word.split(between)).map(plain).collect();
    let entered = all.iter().zip(all.iter().skip(1)).filter(|(word, _)| *word == "cd");
    let folders: Vec<&String> = entered.map(|(_, folder)| folder).collect();
    let is_path = |word: &&String| !word.is_empty() && !word.starts_with(['-', '/', '~']) && !word.contains("..");
    let own = all.iter().filter(is_path);
    let below = own
        .clone()
        .flat_map(|word| folders.iter().map(move |folder| format!("{folder}/{word}")));
    own.cloned().chain(below).collect()
}

/// The file of the checkout that a word names, if there is one, and its bytes.
fn in_checkout(word: &str, checkout: &Path) -> Option<(String, Vec<u8>)> {
    let file = checkout.join(word).canonicalize().ok()?;
    let path = file.strip_prefix(checkout).ok()?.to_str()?.to_owned();
    let is_gits = path.split('/').next() == Some(".git");
    (!is_gits && file.is_file())
        .then(|| fs::read(&file).ok())
        .flatten()
        .map(|bytes| (path, bytes))
}

/// Whether a file is there to be run. Tests are what checks are about, and may
/// change without a word; a script of a shell that runs them may not.
fn is_script(path: &str, bytes: &[u8]) -> bool {
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let ending = ending.map_or("", |(_, ending)| ending);
    SHELLS.contains(&ending) || !is_test_path(path) && (LANGUAGES.contains(&ending) || bytes.starts_with(b"#!"))
}

#[cfg(test)]
mod tests {
    use super::{is_script, words};

    #[test]
    fn words_of_a_command_are_found_however_a_shell_is_told() {
        for line in [
            &["bash", "-euo", "pipefail", "tools/ci.sh"][..],
            &["./tools/ci.sh"],
            &["timeout", "5", "./tools/ci.sh", "--fast"],
            &["sh", "-c", ". tools/ci.sh"],
            &["sh", "-c", "sh \"tools/ci.sh\"|cat"],
            &["sh", "-c", "sh <tools/ci.sh"],
            &["sh", "-c", "cd tools && sh ci.sh"],
            &["sh", "-c", "A=1 exec tools/ci.sh;true"],
        ] {
            let argv: Vec<String> = line.iter().map(|&word| word.to_owned()).collect();
            assert!(words(&argv).contains("tools/ci.sh"), "{line:?}: {:?}", words(&argv));
        }
    }

    #[test]
    fn scripts_are_what_is_run_and_not_what_is_read_or_tested() {
        for script in ["ci.sh", "tests/run.sh", "tools/check.py", "tools/check.mjs"] {
            assert!(is_script(script, b""), "{script}");
        }
        assert!(is_script("tools/check", b"#!/bin/sh\n"));
        for other in [
            "tests/test_it.py",
            "a.test.js",
            "pyproject.toml",
            "Cargo.toml",
            "tools/check",
        ] {
            assert!(!is_script(other, b""), "{other}");
        }
        assert!(!is_script("tests/test_it.py", b"#!/usr/bin/env python3\n"));
    }
}
