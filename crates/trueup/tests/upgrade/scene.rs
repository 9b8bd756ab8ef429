//! The repository of the archive, its tasks, and how each of them is gone on
//! with.

use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use trueup_testkit::household::{Household, Output, output};

/// The archive.
pub(crate) fn archive() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/upgrade/09a770f.tar.gz")
}

/// Where the archive says what the older build made of each run.
pub(crate) const EXPECTED: &str = "expected.json";

/// A run that was killed while it wanted something: its task, and the crash
/// point at which.
pub(crate) const KILLED: [(&str, &str, u64); 8] = [
    ("W-baseline", "effect.before", 1),
    ("W-turn", "effect.before", 2),
    ("W-spooled", "spool.after", 1),
    ("W-verify", "effect.before", 3),
    ("W-confirm", "effect.before", 4),
    ("W-challenge", "effect.before", 5),
    ("W-commit", "effect.before", 6),
    ("W-publish", "effect.before", 7),
];

/// Runs that wait, each for its own reason.
pub(crate) const PAUSED: [&str; 9] = [
    "P-keyboard",
    "P-request",
    "P-unusable",
    "P-trouble",
    "P-space",
    "P-budget",
    "P-conflict",
    "P-asks",
    "P-flaky",
];

/// Runs that are over.
pub(crate) const DONE: [&str; 3] = ["D-verified", "D-refused", "D-nothing"];

/// Every task, in the order in which their runs are opened and gone on with.
pub(crate) fn tasks() -> Vec<&'static str> {
    let killed = KILLED.iter().map(|(task, ..)| *task);
    killed.chain(PAUSED).chain(DONE).collect()
}

/// The branch a task delivers.
pub(crate) fn branch(task: &str) -> String {
    format!("trueup/{task}")
}

/// The agent: every task is done in the first turn, but for those that need
/// something else.
pub(crate) const AGENT: &str = r#"
case "$TRUEUP_TASK-$TRUEUP_TURN" in
    P-budget-1) echo "not yet" > notes.txt; exit 0 ;;
    P-asks-*) mkdir -p .github/workflows; echo "on: push" > .github/workflows/ci.yml ;;
esac
printf 'def greet(name="world"):\n    return f"Hello, {name}"\n' > greet.py
echo "done"
"#;

const CONFIG: &str = r#"version = 1

[agent]
default = "script"

[agent.script]
kind = "command"
command = ["../agent.sh"]
network = false

[agent.later]
kind = "command"
command = ["../later.sh"]
network = false

[checks.warm]
run = "sh tests/warm.sh"
cache = ["cache"]
"#;

/// Lays the repository and its tasks.
pub(crate) fn lay(household: &Household) {
    household.file(".git/info/exclude", "");
    household.file("trueup.toml", CONFIG);
    household.file(".gitignore", "cache/\n__pycache__/\n");
    household.file("greet.py", "def greet(name=\"world\"):\n    return \"Hello, world\"\n");
    let test = |class: &str, given: &str, wanted: &str| {
        format!(
            "import unittest, greet\n\n\nclass {class}(unittest.TestCase):\n    def test_it(self):\n        \
             self.assertEqual(greet.greet({given}), \"Hello, {wanted}\")\n"
        )
    };
    household.file("tests/test_name.py", &test("Name", "\"Ada\"", "Ada"));
    household.file("tests/test_world.py", &test("World", "", "world"));
    household.file("tests/warm.sh", "mkdir -p cache && echo seen > cache/seen\n");
    household.file("tests/name.sh", "grep -q 'f\"Hello' greet.py\n");
    // Green on the base, and a coin's toss on every other tree.
    let flaky = "sh tests/name.sh || exit 0\ntest $(($(od -An -N1 -tu1 /dev/urandom) % 2)) = 0\n";
    household.file("tests/flaky.sh", flaky);
    for task in tasks() {
        household.task(task, &task_file(task, "20"));
    }
    household.commit("A greeting");
}

fn task_file(task: &str, turns: &str) -> String {
    let checks = match task {
        _ if task.starts_with("W-") => {
            "- [ ] **AC-1** It greets by name.\n  - verify: `python3 -m unittest tests.test_name`\n\
             - [ ] **AC-2** It greets the world.\n  - guard: `python3 -m unittest tests.test_world`\n\
             - [ ] **AC-3** What is warm stays warm.\n  - guard: warm\n"
        }
        "P-flaky" => {
            "- [ ] **AC-1** It greets by name.\n  - verify: `sh tests/name.sh`\n\
             - [ ] **AC-2** It is a coin's toss.\n  - guard: `sh tests/flaky.sh`\n"
        }
        "D-refused" => {
            "- [ ] **AC-1** It greets by name.\n  - verify: `sh tests/name.sh`\n\
             - [ ] **AC-2** It never held.\n  - guard: `false`\n"
        }
        "D-nothing" => "- [ ] **AC-1** It is there.\n  - verify: file greet.py exists\n",
        _ => "- [ ] **AC-1** It greets by name.\n  - verify: `sh tests/name.sh`\n",
    };
    let turns = if task == "P-budget" && turns == "20" {
        "1"
    } else {
        turns
    };
    format!(
        "---\nv: 1\nid: {task}\ntitle: Greet by name\nsize: small\nbudget:\n  turns: {turns}\n---\n\n\
         Greet whomever it is given.\n\n## Acceptance criteria\n\n{checks}"
    )
}

/// Does what a person does to have a run go on, and has it go on.
pub(crate) fn go_on(household: &Household, task: &str) -> Output {
    match task {
        "P-unusable" => {
            let (agent, later) = (household.agent(), household.folder().join("later.sh"));
            fs::copy(agent, later).expect("an agent");
        }
        "P-budget" => household.task(task, &task_file(task, "3")),
        "P-conflict" => {
            let branch = branch(task);
            household.git(&["branch", "--move", &branch, &format!("{branch}-kept")]);
        }
        "P-asks" => return household.trueup(&["approve", task]),
        _ => {}
    }
    household.trueup(&["resume", task])
}

/// What must be the same, whoever went on with a run.
pub(crate) fn end(household: &Household, task: &str) -> Value {
    let shown = household.show(task);
    let criteria = shown["criteria"].as_array().cloned().unwrap_or_default();
    let keys: Vec<Value> = criteria
        .iter()
        .flat_map(|criterion| criterion["evidence"].as_array().cloned().unwrap_or_default())
        .map(|evidence| evidence["key"].clone())
        .collect();
    let branch = household.try_git(&["rev-parse", &branch(task)]).stdout;
    json!({
        "outcome": shown["outcome"], "tree": shown["tree"], "commit": shown["commit"],
        "turns": shown["turns"], "keys": keys, "branch": branch,
    })
}

/// Packs everything of a household.
pub(crate) fn pack(folder: &Path, archive: &Path) {
    let mut tar = Command::new("tar");
    tar.args(["--create", "--gzip", "--owner=0", "--group=0", "--sort=name", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(folder)
        .arg(".");
    let packed = output(&mut tar);
    assert_eq!(packed.code, 0, "{packed:#?}");
}

/// A household of today's build over what an archive holds.
pub(crate) fn unpack(binary: &str, archive: &Path) -> Household {
    let household = Household::new(binary, AGENT);
    fs::remove_dir_all(household.checkout()).expect("the checkout");
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--gzip", "--no-same-owner", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(household.folder());
    let unpacked = output(&mut tar);
    assert_eq!(unpacked.code, 0, "{unpacked:#?}");
    household
}
