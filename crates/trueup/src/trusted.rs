//! What a person allowed a repository to run, and what asks again.

use crate::{
    config::REPOSITORY_LAYERS,
    exit::{Exit, Failure},
    project::Project,
};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use trueup_core::digest::Digest;
use trueup_engine::write::write_durably;

/// How the names of templates end.
const TEMPLATE: &str = ".md.j2";

/// Programs that run the file which they are given first.
const INTERPRETERS: [&str; 16] = [
    "ash", "bash", "bun", "dash", "deno", "fish", "ksh", "node", "perl", "php", "pwsh", "python", "python3", "ruby",
    "sh", "zsh",
];

impl Project {
    /// Refuses to go on unless a person trusted this repository's commands as
    /// they stand now.
    pub(crate) fn require_trust(&self) -> Result<(), Failure> {
        let by_variable = self.environment.get("TRUEUP_TRUST").is_some_and(|value| value == "1");
        if by_variable || self.is_trusted()? {
            return Ok(());
        }
        let what = "this repository's commands were not allowed to run yet, or they changed since";
        Err(Failure::new(Exit::Waiting, what).next("trueup trust"))
    }

    /// Whether the repository's commands were trusted as they stand now.
    pub(crate) fn is_trusted(&self) -> Result<bool, Failure> {
        let kept = fs::read_to_string(self.trust_file()).unwrap_or_default();
        Ok(kept.trim() == self.commands_digest()?.as_str())
    }

    /// Trusts the repository's commands as they stand now.
    pub(crate) fn trust(&self) -> Result<(), Failure> {
        Ok(write_durably(
            &self.trust_file(),
            self.commands_digest()?.as_str().as_bytes(),
        )?)
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

    /// The scripts of this repository that its commands name, in order. What
    /// they name in turn is not followed.
    pub(crate) fn scripts(&self) -> BTreeSet<PathBuf> {
        let config = &self.config;
        let agents = config.agents.values().map(|agent| &agent.command);
        let prepare = config.ground.prepare.iter().map(|preparation| &preparation.argv);
        let checks = config.checks.values().map(|check| &check.argv);
        let services = config.checks.values().flat_map(|check| &check.services);
        let services = services.flat_map(|service| service.ready.iter().chain([&service.argv]));
        let all = agents.chain(prepare).chain(checks).chain(services);
        all.flat_map(|argv| named_by(argv, &self.checkout)).collect()
    }

    /// One digest of everything in the repository that names commands to run
    /// outside task files, of the scripts that they name, and of what changes
    /// what agents are told.
    fn commands_digest(&self) -> Result<Digest, Failure> {
        let mut fields = vec![self.checkout.as_os_str().as_encoded_bytes().to_vec()];
        for name in REPOSITORY_LAYERS {
            let path = self.checkout.join(name);
            fields.push(if path.exists() { fs::read(&path)? } else { Vec::new() });
        }
        for path in self.templates().into_iter().chain(self.scripts()) {
            fields.push(path.as_os_str().as_encoded_bytes().to_vec());
            fields.push(fs::read(&path)?);
        }
        Ok(Digest::of_fields(fields.iter().map(Vec::as_slice)))
    }
}

/// The scripts of this checkout that a command names: as its program, as what
/// an interpreter runs, or as any word that is a program in itself.
fn named_by(argv: &[String], checkout: &Path) -> Vec<PathBuf> {
    let mut scripts = Vec::new();
    // What a shell is given to run is made of such words, too.
    let words = argv
        .iter()
        .flat_map(|word| word.split([' ', '\t', '\n', ';', '&', '|', '(', ')']));
    let mut runs_next = true;
    for word in words.filter(|word| !word.is_empty()) {
        let file = inside(word, checkout);
        let is_flag = word.starts_with('-');
        if let Some(file) = file.filter(|file| runs_next || is_program(file)) {
            scripts.push(file);
        }
        let name = word.rsplit('/').next().unwrap_or_default();
        runs_next = INTERPRETERS.contains(&name) || runs_next && is_flag;
    }
    scripts
}

/// The file of the checkout that a word names, if there is one.
fn inside(word: &str, checkout: &Path) -> Option<PathBuf> {
    let file = checkout.join(word).canonicalize().ok()?;
    let is_ours = file.starts_with(checkout) && !file.starts_with(checkout.join(".git"));
    (is_ours && file.is_file()).then_some(file)
}

/// Whether a file says of itself that it is run.
fn is_program(file: &Path) -> bool {
    let is_executable = fs::metadata(file).is_ok_and(|file| file.permissions().mode() & 0o111 != 0);
    let mut first = [0; 2];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut first));
    is_executable || read.is_ok() && first == *b"#!"
}

#[cfg(test)]
mod tests {
    use super::named_by;
    use std::{fs, path::PathBuf};

    #[test]
    fn scripts_are_what_is_run_and_not_what_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let checkout = folder.path().canonicalize().expect("a path");
        fs::create_dir(checkout.join("tests")).expect("a folder");
        for (name, text) in [
            ("run.sh", "true\n"),
            ("tool.py", "print()\n"),
            ("tests/test_it.py", "def test_it(): pass\n"),
            ("ci", "#!/bin/sh\ntrue\n"),
        ] {
            fs::write(checkout.join(name), text).expect("a file");
        }
        let named = |line: &[&str]| {
            let argv: Vec<String> = line.iter().map(|&word| word.to_owned()).collect();
            let named = named_by(&argv, &checkout).into_iter();
            let short = |path: PathBuf| path.strip_prefix(&checkout).map(PathBuf::from).expect("inside");
            named
                .map(|path| short(path).display().to_string())
                .collect::<Vec<String>>()
        };
        assert_eq!(named(&["./run.sh", "tests/test_it.py"]), ["run.sh"]);
        assert_eq!(named(&["bash", "-e", "run.sh"]), ["run.sh"]);
        assert_eq!(named(&["/usr/bin/python3", "tool.py"]), ["tool.py"]);
        assert_eq!(named(&["sh", "-c", "cd . && ./ci; sh run.sh|cat"]), ["ci", "run.sh"]);
        assert_eq!(named(&["timeout", "5", "./ci"]), ["ci"]);
        for nothing in [
            &["pytest", "tests/test_it.py"][..],
            &["make", "test"],
            &["sh", "missing.sh"],
        ] {
            assert!(named(nothing).is_empty(), "{nothing:?}");
        }
    }
}
