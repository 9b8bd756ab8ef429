//! Repositories of many files, made quickly.

use std::{
    ffi::OsString,
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;
use trueup_core::{event::Base, id::RunId};
use trueup_engine::{
    sandbox::{Folder, Laying},
    state::StateRoot,
    workspace::Workspaces,
};

/// How many files lie in one folder.
const IN_A_FOLDER: usize = 50;

/// A repository of so many files, and the state of its runs.
pub(crate) struct Forest {
    folder: TempDir,
    /// Everything git does for it.
    pub(crate) spaces: Workspaces,
    /// Its one commit, fetched.
    pub(crate) base: Base,
}

impl Forest {
    /// A repository of so many files.
    pub(crate) fn of(files: usize) -> Self {
        let folder = tempfile::Builder::new().prefix("forest-").tempdir().expect("a folder");
        let checkout = folder.path().join("checkout");
        git(
            folder.path(),
            &["init", "--quiet", "--initial-branch", "main", "checkout"],
        );
        import(&checkout, files);
        git(&checkout, &["reset", "--quiet", "--hard"]);
        let state = StateRoot::open(&folder.path().join("state")).expect("a state root");
        let spaces = Workspaces::open(&state, &checkout).expect("a repository");
        let base = spaces.base("main").expect("a base");
        Self { folder, spaces, base }
    }

    /// The same, with workspaces laid in this way.
    pub(crate) fn veiled(&self, laying: Laying) -> Workspaces {
        self.spaces.clone().laying(laying, env!("CARGO_BIN_EXE_trueup").into())
    }

    /// Where the repository's checkout is.
    pub(crate) fn checkout(&self) -> PathBuf {
        self.folder.path().join("checkout")
    }

    /// Where the state of its runs is.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state").canonicalize().expect("a state root")
    }

    /// A place for something else.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The name of a run.
pub(crate) fn run(number: usize) -> RunId {
    RunId::new(format!("T-1.{number}"))
}

/// The path of a file.
pub(crate) fn path(number: usize) -> String {
    let (outer, inner) = (number / IN_A_FOLDER / 20, number / IN_A_FOLDER);
    format!("src/part{outer}/unit{inner}/file{number}.txt")
}

/// Commits the files without writing them, which is the fast way.
fn import(checkout: &Path, files: usize) {
    let mut stream = String::from("commit refs/heads/main\ncommitter Ada <ada@example.invalid> 1767225600 +0000\n");
    stream.push_str("data 4\nbase\n");
    let ignored = "# What is built\ntarget/\nnode_modules/\n*.log\n/dist\n.cache\n";
    write!(
        stream,
        "M 100644 inline .gitignore\ndata {}\n{ignored}\n",
        ignored.len()
    )
    .expect("text");
    for number in 0..files {
        let body = format!("This is file {number}.\n{}", "It has some lines.\n".repeat(number % 40));
        write!(
            stream,
            "M 100644 inline {}\ndata {}\n{body}\n",
            path(number),
            body.len()
        )
        .expect("text");
    }
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet", "--force"])
        .current_dir(checkout)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git");
    import
        .stdin
        .take()
        .expect("a pipe")
        .write_all(stream.as_bytes())
        .expect("a commit");
    assert!(import.wait().expect("an end").success());
}

/// Runs git as anybody would; it must succeed.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("git");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Changes a few files of a workspace: some edited, one new, one gone. Behind
/// a veil this is done by a shell for which the veil is laid.
pub(crate) fn edit(folder: &Folder, state: &Path, round: usize, files: usize) {
    let mut script = format!(
        "set -e; cd '{}'; echo 'New in {round}.' > src/new{round}.txt;",
        folder.place().display()
    );
    for number in 0..5 {
        write!(script, "echo 'Edited in {round}.' > {};", path(number * files / 7)).expect("text");
    }
    write!(script, "rm {}", path(files - 1 - round)).expect("text");
    let mut words: Vec<OsString> = Vec::new();
    if let Some(veil) = folder.veil() {
        words.extend([env!("CARGO_BIN_EXE_trueup"), "sandbox-lay", "--in"].map(Into::into));
        let below = |path: &Path| path.strip_prefix(state).expect("below the state root").into();
        words.extend([state.into(), "--under".into(), below(&veil.under[0])]);
        words.extend(["--veil".into(), below(&veil.folder), "--".into()]);
    }
    words.extend(["/bin/sh".into(), "-c".into(), script.into()]);
    let status = Command::new(&words[0]).args(&words[1..]).status().expect("a shell");
    assert!(status.success());
}
