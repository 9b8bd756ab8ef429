//! Two homes, two configurations, and one run between them.

use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::Household;

/// What nobody may keep.
pub(crate) const SECRET: &str = "correct-horse-battery-staple";

/// What is behind a port, by its name in the state root; the spool lies deeper.
const BEHIND_PORTS: [&str; 8] = [
    "journal.db",
    "journal.db-wal",
    "journal.db-shm",
    "blobs",
    "store.git",
    "results.git",
    "answers",
    "controls",
];

/// The agent: two turns, each of which needs its secret and its manner.
const WORKER: &str = r#"#!/bin/sh
[ "$WORKER_TOKEN" = "correct-horse-battery-staple" ] || exit 9
[ "$MANNER" = kindly ] || exit 9
[ "$1" = --work ] || exit 9
if [ "$TRUEUP_TURN" = 1 ]; then
    echo 'echo "Hello, ${1:-world}"' > greet.sh
else
    printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
fi
"#;

const CONFIG: &str = r#"version = 1

[agent]
default = "worker"

[agent.worker]
kind = "command"
command = ["worker", "--work"]
env = { MANNER = "kindly", WORKER_TOKEN = "correct-horse-battery-staple" }
network = false

[prompts]
folder = "words"
"#;

/// A household with words of its own, and an agent on its PATH.
pub(crate) fn plain() -> Household {
    let path = std::env::var("PATH").expect("a PATH");
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let programs = household.folder().join("programs");
    let household = household
        .with_variable("PATH", &format!("{}:{path}", programs.display()))
        .with_variable("WORKER_TOKEN", SECRET);
    fs::create_dir(&programs).expect("a folder");
    let worker = programs.join("worker");
    fs::write(&worker, WORKER).expect("the agent");
    fs::set_permissions(&worker, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    household.file("trueup.toml", CONFIG);
    household.file("words/claims.md.j2", "Be brief, and kind.\n");
    household.commit("Words of its own");
    household
}

/// Runs the task until its second turn is wanted, and kills that.
pub(crate) fn begin(household: &Household) {
    begin_until(household, "effect.before:4");
}

/// Runs the task until it comes to this point, and kills it there.
pub(crate) fn begin_until(household: &Household, point: &str) {
    let file = household.folder().join("held");
    let mut command = household.command(&["run", "T-001"]);
    command.env("TRUEUP_HOLD_AT", format!("{point}:{}", file.display()));
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a trueup");
    let started = Instant::now();
    while !file.exists() {
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "it never comes to {point}"
        );
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("a trueup to kill");
    child.wait().expect("its end");
}

/// The events of the run, by name.
pub(crate) fn under_way(household: &Household) -> String {
    let events = household.events("T-001");
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    kinds.join(" ")
}

/// Removes every local folder that is not behind a port.
pub(crate) fn forget(household: &Household) {
    for entry in fs::read_dir(household.state()).expect("the state root").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "runs" {
            for entry in below(&entry.path()).iter().flat_map(|run| below(run)) {
                remove_unless(&entry, &["spool"]);
            }
        } else {
            remove_unless(&entry.path(), &BEHIND_PORTS);
        }
    }
}

fn below(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    entries.map(|entry| entry.path()).collect()
}

fn remove_unless(path: &Path, kept: &[&str]) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if kept.contains(&name.as_str()) {
        return;
    }
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    removed.expect("something to forget");
}

/// Another home with settings of its own, and another configuration of the
/// repository: other words, another default, another agent under that name.
pub(crate) fn move_house(household: &Household) {
    fs::remove_dir_all(household.home()).expect("the old home");
    fs::create_dir_all(household.home().join(".config/trueup")).expect("a home");
    let own = household.home().join(".config/trueup/config.toml");
    fs::write(
        own,
        "version = 1\n\n[limits]\nturn = \"1m\"\n\n[workspace]\nlay = \"copy\"\n",
    )
    .expect("settings");
    household.file(
        "trueup.toml",
        "version = 1\n\n[project]\ntasks = \"tasks\"\n\n[agent]\ndefault = \"worker\"\n\n[agent.worker]\n\
         kind = \"command\"\ncommand = [\"false\"]\n",
    );
    fs::remove_dir_all(household.checkout().join("words")).expect("the words");
}

/// What must be the same, wherever a run is taken up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct End {
    outcome: Value,
    tree: Value,
    commit: Value,
    keys: Vec<Value>,
    /// The texts of all prompts.
    pub(crate) prompts: Vec<String>,
}

/// Where the run ended, and what its agent was told.
pub(crate) fn end(household: &Household) -> End {
    let shown = household.show("T-001");
    let criteria = shown["criteria"].as_array().expect("criteria");
    let evidence = criteria
        .iter()
        .flat_map(|criterion| criterion["evidence"].as_array().expect("evidence"));
    let events = household.events("T-001");
    let prompts = events
        .iter()
        .filter_map(|event| event["outcome"]["prompt"]["digest"].as_str());
    let text = |digest: &str| fs::read_to_string(household.state().join("blobs").join(digest)).expect("a prompt");
    End {
        outcome: shown["outcome"].clone(),
        tree: shown["tree"].clone(),
        commit: shown["commit"].clone(),
        keys: evidence.map(|evidence| evidence["key"].clone()).collect(),
        prompts: prompts.map(text).collect(),
    }
}
