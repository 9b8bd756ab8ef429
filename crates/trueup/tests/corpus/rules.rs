//! How often rules find something in honest work: what is asked without reason
//! in commits of real projects, and in consecutive releases.

use crate::{history::clones, releases::pairs};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};
use trueup_core::rule::{Level, RuleId};
use trueup_inspect::{
    code::is_test_path,
    rules::{Seeks, catalogue, differences, doubles, silencing, suppressions, suppressions_since, suspicions},
};

/// The newest commits of each clone that are looked at.
const NEWEST: usize = 60;

/// The most commits of a hundred that somebody may be asked about without reason.
const MOST: usize = 2;

/// A rule that asks may be wrong once in so many commits.
const ONCE_IN: usize = 200;

/// A file before and after a change.
type File = (String, Option<String>, Option<String>);

/// Every rule that a change breaks, each with where it does first.
fn broken(files: &[File]) -> BTreeMap<RuleId, String> {
    let mut found: BTreeMap<RuleId, String> = BTreeMap::new();
    let added: Vec<&str> = files
        .iter()
        .filter(|file| file.1.is_none())
        .map(|file| file.0.as_str())
        .collect();
    let there: BTreeSet<&str> = files
        .iter()
        .filter(|file| file.2.is_some())
        .map(|file| file.0.as_str())
        .collect();
    for double in doubles(&added, &|path| there.contains(path)) {
        found.entry(double.rule.id).or_insert(double.path);
    }
    for (path, before, after) in files {
        let bytes = |text: &Option<String>| text.as_ref().map(|text| text.as_bytes().to_vec());
        let (was, is) = (bytes(before), bytes(after));
        for one in differences(catalogue(), path, was.as_deref(), is.as_deref(), "tasks") {
            found.entry(one.rule.id).or_insert(one.what);
        }
        let Some(after) = after else { continue };
        for one in suspicions(catalogue(), path, before.as_deref(), after) {
            for breach in one.breaks {
                found
                    .entry(breach.rule.id)
                    .or_insert(format!("{path}: {}", breach.what));
            }
        }
        let known = before
            .as_ref()
            .map(|text| suppressions(catalogue(), path, text))
            .unwrap_or_default();
        for (marker, number) in suppressions_since(catalogue(), path, before.as_deref(), after) {
            if number > known.get(marker).copied().unwrap_or_default()
                && let Some(rule) = silencing(catalogue(), path, marker)
            {
                found.entry(rule.id.clone()).or_insert(format!("{path}: {marker}"));
            }
        }
    }
    found
}

/// Whether what breaks a rule changes how proof is made: then somebody is asked
/// with reason, however honest the change is.
fn changes_how_proof_is_made(rule: &RuleId) -> bool {
    let rule = catalogue().find(rule);
    rule.is_some_and(|rule| match &rule.seeks {
        Seeks::Marker(_) | Seeks::Paths(_) | Seeks::Keys(_) => true,
        Seeks::Lines(_) => rule
            .usual_path()
            .is_some_and(|path| is_test_path(&path) || path.ends_with("conftest.py")),
        Seeks::Code => {
            let named = [
                "go/test-main",
                "any/task",
                "any/unreadable-settings",
                "js/package-other-keys",
            ];
            let of_rules = ["any/shadows-runner", "any/variables-for-tests", "any/changed-example"];
            named.iter().chain(&of_rules).any(|id| rule.id.as_str() == *id)
        }
    })
}

fn git(clone: &Path, words: &[&str]) -> Vec<u8> {
    let done = Command::new("git")
        .arg("-C")
        .arg(clone)
        .args(words)
        .output()
        .expect("git is there");
    done.stdout
}

/// What a commit changed, as far as it is text.
fn files_of(clone: &Path, commit: &str) -> Vec<File> {
    let listed = git(
        clone,
        &[
            "diff-tree",
            "-r",
            "--raw",
            "--no-renames",
            "--no-commit-id",
            "-z",
            commit,
        ],
    );
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let mut parts = listed.split('\0');
    let mut files = Vec::new();
    while let (Some(about), Some(path)) = (parts.next(), parts.next()) {
        let words: Vec<&str> = about.split(' ').collect();
        let [_, _, old, new, _] = words.as_slice() else { break };
        let text = |object: &str| match object.bytes().all(|byte| byte == b'0') {
            true => None,
            false => Some(String::from_utf8_lossy(&git(clone, &["cat-file", "blob", object])).into_owned()),
        };
        files.push((path.to_owned(), text(old), text(new)));
    }
    files
}

/// What was found in some changes.
#[derive(Default)]
struct Counted {
    changes: usize,
    /// How many changes break each rule.
    broken: BTreeMap<RuleId, usize>,
    /// Changes that somebody would be asked about without reason.
    asked: Vec<String>,
    /// A line for each change and rule.
    told: String,
}

impl Counted {
    fn take(&mut self, name: &str, files: &[File]) {
        self.changes += 1;
        let found = broken(files);
        let level = |id: &RuleId| catalogue().find(id).map_or(Level::Ask, |rule| rule.level);
        if found
            .keys()
            .any(|id| level(id).is_ask() && !changes_how_proof_is_made(id))
        {
            self.asked.push(name.to_owned());
        }
        for (id, what) in found {
            let reason = if changes_how_proof_is_made(&id) {
                "proof"
            } else {
                "text"
            };
            self.told += &format!(
                "{name}\t{id}\t{}\t{reason}\t{}\n",
                level(&id).word(),
                what.replace(['\n', '\t'], " ")
            );
            *self.broken.entry(id).or_default() += 1;
        }
    }

    /// The rules that ask without reason more often than they may.
    fn too_loud(&self) -> Vec<String> {
        let is_loud = |(id, times): &(&RuleId, &usize)| {
            let asks = catalogue().find(id).is_some_and(|rule| rule.level.is_ask());
            asks && !changes_how_proof_is_made(id) && **times * ONCE_IN > self.changes.max(ONCE_IN)
        };
        let loud = self.broken.iter().filter(is_loud);
        loud.map(|(id, times)| format!("{id}: {times} of {}", self.changes))
            .collect()
    }

    fn print(&self, of: &str) {
        for (id, times) in &self.broken {
            let level = catalogue().find(id).map_or("?", |rule| rule.level.word());
            let reason = if changes_how_proof_is_made(id) { "proof" } else { "text" };
            println!("corpus: {of} {id} {level} {reason} {times}");
        }
        let Self { changes, asked, .. } = self;
        println!("corpus: {of} changes={changes} asked_without_reason={}", asked.len());
    }
}

#[test]
#[ignore = "needs clones: just rules"]
fn honest_commits_are_hardly_ever_asked_about_for_what_text_says() {
    let clones = clones();
    let mut counted = Counted::default();
    for owner in fs::read_dir(&clones).expect("clones").flatten() {
        for clone in fs::read_dir(owner.path()).into_iter().flatten().flatten() {
            let name = format!("{}/{}", owner.file_name().display(), clone.file_name().display());
            let newest = format!("-n{NEWEST}");
            let listed = git(&clone.path(), &["rev-list", "--no-merges", &newest, "HEAD"]);
            for commit in String::from_utf8_lossy(&listed).lines() {
                counted.take(&format!("{name} {commit}"), &files_of(&clone.path(), commit));
            }
        }
    }
    counted.print("commits");
    fs::write(clones.join("rules.tsv"), &counted.told).expect("a file");
    assert!(counted.changes >= 400, "{} commits", counted.changes);
    assert_eq!(counted.too_loud(), [""; 0]);
    let most = counted.changes * MOST / 100;
    assert!(
        counted.asked.len() <= most,
        "{} of {} are asked about",
        counted.asked.len(),
        counted.changes
    );
}

/// The texts of a tree by their paths.
fn texts(tree: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(tree).expect("below").display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.insert(name, text);
            }
        }
    }
    found
}

/// Pairs of releases that somebody would be asked about without reason.
const KNOWN: [&str; 0] = [];

#[test]
fn consecutive_releases_are_not_asked_about_for_what_text_says() {
    let mut counted = Counted::default();
    for pair in pairs() {
        let [before, after] = pair.trees().map(|tree| texts(&tree));
        let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let file = |path: &String| (path.clone(), before.get(path).cloned(), after.get(path).cloned());
        let files: Vec<File> = paths.into_iter().map(file).filter(|(_, was, is)| was != is).collect();
        counted.take(&pair.name(), &files);
    }
    counted.print("releases");
    assert_eq!(counted.asked, KNOWN, "{}", counted.told);
}

/// The harness can fail: work that ends the process is counted.
#[test]
fn a_change_that_ends_the_process_is_counted_as_asked_about() {
    let mut counted = Counted::default();
    let file = |text: &str| [("src/price.py".to_owned(), None, Some(text.to_owned()))];
    counted.take("honest", &file("def price(net):\n    return net * 1.2\n"));
    assert_eq!(counted.asked, [""; 0]);
    counted.take("cheat", &file("import os\n\nos._exit(0)\n"));
    assert_eq!(counted.asked, ["cheat"]);
    for _ in 0..2 {
        counted.take("another", &file("import os\n\nos._exit(0)\n"));
    }
    assert_eq!(counted.too_loud(), ["py/ends-process: 3 of 4"]);
}
