//! A person's repository and a state root, in a folder that goes away.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;
use trueup_core::{
    effect::{Commit, Publish},
    event::{Base, Identity},
    id::{CommitId, EffectId, RunId, Timestamp, TreeId},
};
use trueup_engine::{
    state::StateRoot,
    workspace::{Snapshot, Workspaces},
};

/// A fixed moment, so that commits are the same everywhere.
pub(crate) const AT: Timestamp = Timestamp(1_700_000_000_123);

/// Every file of a folder with its mode, time and bytes.
pub(crate) type Print = BTreeMap<String, (u32, i64, Vec<u8>)>;

pub(crate) struct Place {
    pub(crate) folder: TempDir,
    pub(crate) repo: PathBuf,
    pub(crate) state: StateRoot,
    pub(crate) spaces: Workspaces,
}

impl Place {
    /// A repository with one commit of a few files.
    pub(crate) fn new() -> Self {
        Self::made(&[], |_| {})
    }

    /// A repository whose first commit also holds what `fill` writes.
    pub(crate) fn with(fill: impl FnOnce(&Path)) -> Self {
        Self::made(&[], fill)
    }

    pub(crate) fn made(init: &[&str], fill: impl FnOnce(&Path)) -> Self {
        let folder = TempDir::new().unwrap();
        let repo = folder.path().join("repo");
        fs::create_dir(&repo).unwrap();
        git(&repo, &[&["init", "-q", "-b", "main"], init].concat());
        write(&repo.join("README.md"), "hello\n");
        write(&repo.join("src/lib.rs"), "pub fn one() -> u32 { 1 }\n");
        write(&repo.join(".gitignore"), "target/\n*.log\n");
        fill(&repo);
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-q", "-m", "first"]);
        Self::over(folder, &repo)
    }

    /// The state root of a repository that is already there.
    pub(crate) fn over(folder: TempDir, repo: &Path) -> Self {
        let state = StateRoot::open(&folder.path().join("state")).unwrap();
        let spaces = Workspaces::open(&state, repo).unwrap();
        Self {
            folder,
            repo: repo.to_path_buf(),
            state,
            spaces,
        }
    }

    /// Another state root over the same repository.
    pub(crate) fn other_state(&self, name: &str) -> Workspaces {
        let state = StateRoot::open(&self.folder.path().join(name)).unwrap();
        Workspaces::open(&state, &self.repo).unwrap()
    }

    /// Lays a workspace at HEAD.
    pub(crate) fn lay(&self, run: &RunId) -> (Base, PathBuf) {
        let base = self.spaces.base("HEAD").unwrap();
        let work = self.spaces.lay(run, &base, &base.tree, None).unwrap();
        (base, work)
    }

    /// Lays a workspace, lets somebody write in it, snapshots it.
    pub(crate) fn after(&self, run: &RunId, edit: impl FnOnce(&Path)) -> (Base, Snapshot) {
        let (base, work) = self.lay(run);
        edit(&work);
        (base, self.spaces.snapshot(run, &label("turn-001")).unwrap())
    }

    /// A finished run: its commit, and what to publish.
    pub(crate) fn finished(&self, run: &RunId) -> Publish {
        let (base, snapshot) = self.after(run, |work| write(&work.join("new.txt"), "new\n"));
        let expected = self.spaces.branch("trueup/T-1").unwrap().map(|(commit, _)| commit);
        let commit = self.spaces.commit(run, &wish(&base, &snapshot.tree)).unwrap();
        Publish {
            branch: "trueup/T-1".into(),
            commit,
            expected,
        }
    }

    /// What may not change: the checkout and the git directory, apart from objects.
    pub(crate) fn print(&self) -> Print {
        print(&self.repo)
    }

    /// What a branch of the person's repository points to, as git says.
    pub(crate) fn tip(&self, name: &str) -> String {
        said(&self.repo, &["rev-parse", name])
    }
}

pub(crate) fn wish(base: &Base, tree: &TreeId) -> Commit {
    Commit {
        tree: tree.clone(),
        parent: base.commit.clone(),
        message: "Do it\n\nTask: T-1\n".into(),
        author: somebody(),
        at: AT,
    }
}

pub(crate) fn somebody() -> Identity {
    Identity {
        name: "Ada Lovelace".into(),
        email: "ada@example.org".into(),
    }
}

pub(crate) fn run(name: &str) -> RunId {
    RunId::new(name)
}

pub(crate) fn label(name: &str) -> EffectId {
    EffectId::new(name)
}

pub(crate) fn commit_id(text: &str) -> CommitId {
    CommitId::new(text.trim())
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Plain git, as a person types it, whatever the machine's configuration is.
pub(crate) fn plain(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", "@1600000000 +0000")
        .env("GIT_COMMITTER_DATE", "@1600000000 +0000")
        .env("GIT_AUTHOR_NAME", "Person")
        .env("GIT_AUTHOR_EMAIL", "person@example.org")
        .env("GIT_COMMITTER_NAME", "Person")
        .env("GIT_COMMITTER_EMAIL", "person@example.org")
        .output()
        .unwrap()
}

/// Plain git, which must succeed.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = plain(folder, arguments);
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {words}");
    output.stdout
}

pub(crate) fn said(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(git(folder, arguments)).unwrap().trim().to_string()
}

pub(crate) fn print(root: &Path) -> Print {
    let mut all = Print::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let kind = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if kind.is_dir() {
                // Objects may arrive; empty folders mean nothing to git.
                if !name.ends_with(".git/objects") && name != "objects" {
                    folders.push(path);
                }
            } else {
                let bytes = match kind.is_symlink() {
                    true => fs::read_link(&path)
                        .unwrap()
                        .to_string_lossy()
                        .into_owned()
                        .into_bytes(),
                    false => fs::read(&path).unwrap(),
                };
                all.insert(name, (kind.mode(), kind.mtime_nsec(), bytes));
            }
        }
    }
    all
}

/// The names that differ between two prints.
pub(crate) fn differing(before: &Print, after: &Print) -> Vec<String> {
    let names = before.keys().chain(after.keys());
    let mut names: Vec<String> = names
        .filter(|name| before.get(*name) != after.get(*name))
        .cloned()
        .collect();
    names.sort();
    names.dedup();
    names
}
