//! Somebody who has only just installed trueup.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use trueup_testkit::household::{Output, output};

/// A home with nothing in it but a name for git, and trueup on the path.
pub(crate) struct Newcomer {
    folder: TempDir,
}

impl Newcomer {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["home", "bin"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        symlink(env!("CARGO_BIN_EXE_trueup"), folder.path().join("bin/trueup")).expect("a link");
        let identity = "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n";
        fs::write(folder.path().join("home/.gitconfig"), identity).expect("git's configuration");
        Self { folder }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Where programs are found, trueup first.
    pub(crate) fn path(&self) -> String {
        format!("{}:{}", self.folder.path().join("bin").display(), without_agents())
    }

    /// Types these lines in this folder; answers where the shell stood at the end.
    pub(crate) fn types(&self, lines: &str, folder: &Path) -> (Output, PathBuf) {
        let stands = self.folder.path().join("stands");
        let mut shell = Command::new("sh");
        shell
            .arg("-euc")
            .arg(format!("exec 2>&1\n{lines}\npwd > '{}'", stands.display()))
            .current_dir(folder)
            .env_clear()
            .env("PATH", self.path())
            .env("HOME", self.home());
        let output = output(&mut shell);
        let stood = fs::read_to_string(&stands).unwrap_or_default();
        (output, PathBuf::from(stood.trim_end()))
    }
}

/// The path without folders of agents, as somebody has it who has none yet;
/// what a page needs besides stays.
fn without_agents() -> String {
    let path = env::var("PATH").expect("a PATH");
    let has = |folder: &Path, name: &str| folder.join(name).is_file();
    let kept = env::split_paths(&path)
        .filter(|folder| has(folder, "git") || !["claude", "codex"].iter().any(|agent| has(folder, agent)));
    let kept = env::join_paths(kept).expect("a path");
    kept.into_string().expect("text")
}
