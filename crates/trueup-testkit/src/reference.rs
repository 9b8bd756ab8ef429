//! The run that kills and signals are measured against: three turns, two red
//! rounds, two criteria. Undisturbed or not, it must come to the same end.
#![expect(
    clippy::expect_used,
    reason = "only tests live here, and a test whose ground gives way is over"
)]

use crate::household::Household;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
};

/// The one task.
pub const TASK: &str = "T-001";

/// The one run.
pub const RUN: &str = "T-001.1";

/// How many turns the agent needs.
pub const TURNS: usize = 3;

/// Where a run ended: equal ends are equal in everything that was promised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// How the last command ended.
    pub exit: i32,
    /// What `show` says: outcome, tree, commit, branch, turns, and every
    /// criterion with the keys of its evidence.
    pub shown: Value,
    /// Every ref of the person's repository.
    pub refs: String,
    /// The tree of the delivered branch.
    pub delivered: String,
}

/// A household in which the reference run can be run. The agent pauses for
/// `pace` (as `sleep` reads it) in the middle of each turn.
pub fn household(binary: impl Into<PathBuf>, pace: &str) -> Household {
    let household = Household::new(binary, AGENT);
    let ledger = ledger(&household);
    fs::create_dir_all(ledger.parent().expect("a folder above")).expect("a folder");
    household.file(".gitignore", "trueup.local.toml\n");
    household.file(
        "trueup.toml",
        "version = 1\n\n[agent]\ndefault = \"script\"\n\n[agent.script]\nkind = \"command\"\ncommand = [\"../agent.sh\"]\nnetwork = false\n",
    );
    // What differs from household to household stays out of the base. Every repeat
    // of a red check is the same again, and would be killed at each of its points.
    household.file(
        "trueup.local.toml",
        &format!(
            "version = 1\n\n[agent.script]\nwrite = [{0:?}]\nenv = {{ LEDGER = {1:?}, PACE = {pace:?} }}\n\n[verify]\ndoubt = 1\n",
            ledger.parent().expect("a folder above"),
            ledger
        ),
    );
    household.file("sum.sh", "echo nothing\n");
    household.file("kept.txt", "kept\n");
    household.file("tests/adds.sh", "test \"$(sh sum.sh 2 3)\" = 5\n");
    household.file("tests/keeps.sh", "test \"$(cat kept.txt)\" = kept\n");
    household.task(TASK, TEXT);
    household.commit("Nothing adds up yet");
    household
}

/// The turns that were begun so far, in order, each as often as it was.
pub fn begun(household: &Household) -> Vec<usize> {
    let text = fs::read_to_string(ledger(household)).unwrap_or_default();
    let begun = text.lines().filter_map(|line| line.strip_suffix(" begins"));
    begun.map(|turn| turn.parse().expect("a turn's number")).collect()
}

/// The turns whose outcome is spooled: these are finished.
pub fn finished(household: &Household) -> Vec<usize> {
    let spool = household.state().join("runs").join(RUN).join("spool");
    let is_spooled = |turn: &usize| spool.join(format!("turn-{turn:03}.json")).exists();
    (1..=TURNS).filter(is_spooled).collect()
}

impl End {
    /// Where the run stands now, after a command that ended like this.
    pub fn of(household: &Household, exit: i32) -> Self {
        let whole = household.show(TASK);
        let mut shown = serde_json::Map::new();
        for key in ["outcome", "tree", "commit", "branch", "turns", "valid"] {
            shown.insert(key.to_owned(), whole[key].clone());
        }
        let criteria = whole["criteria"].as_array().cloned().unwrap_or_default();
        let evidence = criteria.iter().map(|criterion| {
            let evidence = criterion["evidence"].as_array().cloned().unwrap_or_default();
            let keys: Vec<Value> = evidence.iter().map(|evidence| evidence["key"].clone()).collect();
            serde_json::json!({ "id": criterion["id"], "verdict": criterion["verdict"], "keys": keys })
        });
        shown.insert("criteria".to_owned(), evidence.collect());
        Self {
            exit,
            shown: Value::Object(shown),
            refs: household.git(&["for-each-ref"]),
            delivered: household
                .try_git(&["rev-parse", &format!("trueup/{TASK}^{{tree}}")])
                .stdout,
        }
    }
}

/// Every event kept so far, without what no two runs have in common: where
/// they lie, and how long things took.
pub fn kept(household: &Household) -> Vec<Value> {
    let output = household.trueup(&["log", TASK, "--json"]);
    if output.code == 0 {
        events(household, &output.stdout)
    } else {
        Vec::new()
    }
}

/// The events in a stream of JSON lines, likewise; the closing line that only
/// says where the run rests is none.
pub fn events(household: &Household, text: &str) -> Vec<Value> {
    let text = text.replace(&household.folder().display().to_string(), "");
    // A kill can cut the last line short; what is not whole was not shown.
    let parsed = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut events: Vec<Value> = parsed.filter(|event| event.get("seq").is_some()).collect();
    events.iter_mut().for_each(forget_what_a_redo_changes);
    events
}

/// What lies in the state root beside bodies and git objects, and every lock
/// that is held there or stands in the person's repository. Two runs that
/// came to the same end leave the same.
pub fn left(household: &Household) -> BTreeMap<String, &'static str> {
    let mut left = BTreeMap::new();
    list(&household.state(), &household.state(), &mut left);
    let repository = household.checkout().join(".git");
    let mut theirs = BTreeMap::new();
    list(&repository, &repository, &mut theirs);
    left.extend(theirs.into_iter().filter(|(name, _)| name.ends_with(".lock")));
    for name in ["owner.lock", "alive"] {
        let path = household.state().join("runs").join(RUN).join(name);
        let free = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        left.insert(format!("{name} of {RUN}"), if free { "free" } else { "held" });
    }
    left
}

fn list(root: &Path, folder: &Path, left: &mut BTreeMap<String, &'static str>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        // SQLite tidies these two when it likes; a rescue is meant to stay.
        let passing = ["journal.db-wal", "journal.db-shm", "results.git/refs/rescue"].contains(&name.as_str());
        if passing || name == "blobs" || name.ends_with(".git/objects") {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            list(root, &path, left);
            left.insert(name, "folder");
        } else {
            left.insert(name, "file");
        }
    }
}

/// How long things took, and what an agent was told: of a turn that is taken
/// again it is told that an earlier try was broken off.
fn forget_what_a_redo_changes(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("took_ms");
            fields.remove("prompt");
            fields.values_mut().for_each(forget_what_a_redo_changes);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_what_a_redo_changes),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn ledger(household: &Household) -> PathBuf {
    household.folder().join("ledger/turns")
}

const TEXT: &str = "\
---
v: 1
id: T-001
title: Add two numbers
size: small
---

`sum.sh` prints nothing useful. It should add.

## Acceptance criteria

- [ ] **AC-1** `sum.sh 2 3` prints 5, and the notes say so.
  - verify: `sh tests/adds.sh`
  - verify: file NOTES.md has /adds/
- [ ] **AC-2** What was kept is still kept.
  - guard: `sh tests/keeps.sh`
";

/// Each turn adds a line to a file, so that a turn which starts again from
/// anything but its recorded tree ends in another tree.
const AGENT: &str = r#"
echo "$TRUEUP_TURN begins" >> "$LEDGER"
echo "turn $TRUEUP_TURN" >> steps.txt
[ "$PACE" = 0 ] || sleep "$PACE"
case $TRUEUP_TURN in
    1) echo 'echo 4' > sum.sh ;;
    2) echo 'echo $(($1 + $2))' > sum.sh ;;
    3) echo 'sum.sh adds two numbers.' > NOTES.md ;;
esac
echo "turn $TRUEUP_TURN is done"
echo "$TRUEUP_TURN ends" >> "$LEDGER"
"#;
