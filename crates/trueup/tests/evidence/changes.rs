//! One byte of the delivered tree or of the task changes, and no evidence is
//! valid any more; it changes back, and all of it is, though nothing ran.

use crate::random::Random;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::{MetadataExt, symlink},
    path::Path,
    process::{Command, Stdio},
};
use trueup_testkit::household::{Household, scale};

const BRANCH: &str = "refs/heads/trueup/T-001";
const TASK: &str = "tasks/T-001.md";

/// What came of many changes, each made alone and taken back.
#[derive(Debug, Default, PartialEq, Eq)]
struct Figures {
    changes: usize,
    invalid: usize,
    reverted_valid: usize,
}

/// Whoever says which evidence is valid now. Empty is no answer, so not valid.
type Judge<'a> = dyn Fn(&Household) -> Vec<bool> + 'a;

/// The delivered branch, as it was verified.
struct Delivered {
    commit: String,
    entries: Vec<Entry>,
    task: Vec<u8>,
}

#[derive(Clone)]
struct Entry {
    mode: String,
    object: String,
    path: Vec<u8>,
}

fn verified() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let ended = household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    household
}

impl Delivered {
    fn of(household: &Household) -> Self {
        let listed = household.git(&["ls-tree", "-r", "-z", BRANCH]);
        let entries = listed.split_terminator('\0').map(|line| {
            let (about, path) = line.split_once('\t').expect("a path");
            let mut about = about.split(' ');
            Entry {
                mode: about.next().expect("a mode").to_owned(),
                object: about.nth(1).expect("an object").to_owned(),
                path: path.as_bytes().to_vec(),
            }
        });
        Self {
            commit: household.git(&["rev-parse", BRANCH]),
            entries: entries.collect(),
            task: fs::read(household.checkout().join(TASK)).expect("the task"),
        }
    }

    /// Changes one byte of one file, one file's mode, or one byte of a name.
    fn change_tree(&self, household: &Household, random: &mut Random) {
        let mut entries = self.entries.clone();
        let chosen = random.below(entries.len());
        let entry = &mut entries[chosen];
        match random.below(4) {
            0 => entry.mode = if entry.mode == "100644" { "100755" } else { "100644" }.to_owned(),
            1 => {
                let last = entry.path.len() - 1;
                entry.path[last] = if entry.path[last] == b'x' { b'y' } else { b'x' };
            }
            _ => {
                let body = git(household, &["cat-file", "blob", &entry.object], &[], None);
                entry.object = text(&git(
                    household,
                    &["hash-object", "-w", "--stdin"],
                    &random.change_one(&body),
                    None,
                ));
            }
        }
        let index = household.folder().join("index");
        drop(fs::remove_file(&index));
        let mut listed = Vec::new();
        for entry in &entries {
            listed.extend_from_slice(format!("{} {}\t", entry.mode, entry.object).as_bytes());
            listed.extend_from_slice(&entry.path);
            listed.push(0);
        }
        git(
            household,
            &["update-index", "-z", "--index-info"],
            &listed,
            Some(&index),
        );
        let tree = text(&git(household, &["write-tree"], &[], Some(&index)));
        let commit = household.git(&["commit-tree", &tree, "-p", &self.commit, "-m", "Changed"]);
        household.git(&["update-ref", BRANCH, &commit]);
    }

    fn change_task(&self, household: &Household, random: &mut Random) {
        let changed = random.change_one(&self.task);
        fs::write(household.checkout().join(TASK), changed).expect("the task");
    }

    fn revert(&self, household: &Household) {
        household.git(&["update-ref", BRANCH, &self.commit]);
        fs::write(household.checkout().join(TASK), &self.task).expect("the task");
    }
}

/// Makes each change alone, asks the judge, takes it back, and asks again.
fn sweep(household: &Household, changes: usize, judge: &Judge<'_>) -> Figures {
    let delivered = Delivered::of(household);
    let mut figures = Figures {
        changes,
        ..Figures::default()
    };
    for seed in 0..changes {
        let mut random = Random(seed as u64);
        match seed % 2 {
            0 => delivered.change_tree(household, &mut random),
            _ => delivered.change_task(household, &mut random),
        }
        let changed = judge(household);
        figures.invalid += usize::from(changed.iter().all(|valid| !valid));
        delivered.revert(household);
        let reverted = judge(household);
        figures.reverted_valid += usize::from(!reverted.is_empty() && reverted.iter().all(|valid| *valid));
        if figures.invalid <= seed || figures.reverted_valid <= seed {
            println!("seed {seed}: changed {changed:?}, reverted {reverted:?}");
        }
    }
    figures
}

/// What trueup says: of each piece of evidence, and of the whole.
fn shown(household: &Household) -> Vec<bool> {
    let shown = household.show("T-001");
    let said = evidence(&shown).map(|evidence| &evidence["valid"]);
    said.chain([&shown["valid"]])
        .map(|valid| valid.as_bool().expect("yes or no"))
        .collect()
}

fn evidence(shown: &Value) -> impl Iterator<Item = &Value> {
    let criteria = shown["criteria"].as_array().expect("criteria");
    criteria
        .iter()
        .flat_map(|criterion| criterion["evidence"].as_array().expect("evidence"))
}

#[test]
fn evidence_is_invalid_after_any_one_byte_and_valid_again_without_a_run() {
    let household = verified();
    let before = household.show("T-001");
    assert_eq!(evidence(&before).count(), 3, "{before:#}");
    // Nothing but git can be run from here on: no sandbox, no agent, no check.
    let tools = household.folder().join("tools");
    fs::create_dir(&tools).expect("a folder");
    symlink(which("git"), tools.join("git")).expect("a link");
    let household = household.with_variable("PATH", tools.to_str().expect("text"));
    assert_ne!(
        household.trueup(&["verify", "T-001"]).code,
        0,
        "a check could still be run"
    );
    let files = state_files(&household);

    let changes = if scale() >= 10 { 2000 } else { 200 };
    let figures = sweep(&household, changes, &shown);
    println!(
        "evidence: changes={} invalid={} reverted_valid={}",
        figures.changes, figures.invalid, figures.reverted_valid
    );
    let expected = Figures {
        changes,
        invalid: changes,
        reverted_valid: changes,
    };
    assert_eq!(figures, expected);
    assert_eq!(household.show("T-001"), before);
    assert_eq!(state_files(&household), files, "something was run or written");
}

#[test]
fn the_sweep_catches_evidence_that_is_of_no_tree_or_no_task() {
    let household = verified();
    let stored = |household: &Household| {
        let shown = household.show("T-001");
        let passed = evidence(&shown).map(|evidence| evidence["saw"] == "passed");
        passed.collect::<Vec<_>>()
    };
    let task = fs::read(household.checkout().join(TASK)).expect("the task");
    let deaf_to_the_tree = |household: &Household| {
        let now = fs::read(household.checkout().join(TASK)).expect("the task");
        vec![now == task]
    };
    let deaf_to_the_task = |household: &Household| {
        let now = household.git(&["rev-parse", &format!("{BRANCH}^{{tree}}")]);
        let shown = household.show("T-001");
        evidence(&shown).map(|evidence| evidence["tree"] == now).collect()
    };
    let never_again = |_: &Household| vec![false];
    let invalid = |judge: &Judge<'_>| sweep(&household, 20, judge).invalid;
    assert_eq!(invalid(&stored), 0);
    assert_eq!(invalid(&deaf_to_the_tree), 10);
    assert_eq!(invalid(&deaf_to_the_task), 10);
    assert_eq!(sweep(&household, 20, &never_again).reverted_valid, 0);
}

/// Everything a run, a check or an agent would leave in the state root, with
/// its times. The journal's own files move when they are read.
fn state_files(household: &Household) -> BTreeMap<String, (i64, i64)> {
    let mut found = BTreeMap::new();
    for place in ["blobs", "runs", "rooms", "workspaces", "results.git", "store.git"] {
        list(&household.state().join(place), &mut found);
    }
    found
}

fn list(path: &Path, found: &mut BTreeMap<String, (i64, i64)>) {
    let about = fs::symlink_metadata(path).expect("something there");
    found.insert(path.display().to_string(), (about.mtime(), about.mtime_nsec()));
    if about.is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            list(&entry.path(), found);
        }
    }
}

fn git(household: &Household, arguments: &[&str], input: &[u8], index: Option<&Path>) -> Vec<u8> {
    let mut git = Command::new(which("git"));
    household.furnish(&mut git);
    git.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    if let Some(index) = index {
        git.env("GIT_INDEX_FILE", index);
    }
    let mut child = git.spawn().expect("git");
    child.stdin.take().expect("its input").write_all(input).expect("input");
    let output = child.wait_with_output().expect("git");
    assert!(output.status.success(), "git {arguments:?}");
    output.stdout
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

fn which(program: &str) -> std::path::PathBuf {
    let path = std::env::var_os("PATH").expect("a PATH");
    let mut found = std::env::split_paths(&path).map(|folder| folder.join(program));
    found.find(|file| file.is_file()).expect("a program")
}
