//! Whether the files that research hands over hold the fix: commits of real
//! projects, each with what it changed in one file withheld.
//!
//! No test of these projects is run. What stands for the failing output is what
//! a runner is known to print of a failing test, its file and its source: the
//! lines that the commit wrote into files of tests. The criterion is empty; the
//! subject of the commit is not told.

use crate::history::clones;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};
use trueup_inspect::{
    code::{Language, is_test_path},
    related::{Clues, RelatedFile, related},
};

/// The newest commits of each clone that are looked at, and those that are taken.
const NEWEST: usize = 60;
const TAKEN: usize = 3;

/// How many commits there must be, and of a hundred of them how many must have
/// the withheld file among the five.
const LEAST: usize = 40;
const HIT: usize = 70;

/// How many files are named.
const NAMED: usize = 5;

/// A commit of which the change of one file is withheld.
struct Withheld {
    clone: PathBuf,
    name: String,
    commit: String,
    /// The file whose change is withheld.
    file: String,
    /// The other files that the commit changed.
    changed: Vec<String>,
    /// Every path of the tree without that change.
    paths: Vec<String>,
    /// What stands for the failing output.
    printed: String,
}

fn git(clone: &Path, words: &[&str]) -> String {
    let done = Command::new("git")
        .arg("-C")
        .arg(clone)
        .args(words)
        .output()
        .expect("git is there");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn blob(clone: &Path, commit: &str, path: &str) -> Option<String> {
    let text = git(clone, &["cat-file", "blob", &format!("{commit}:{path}")]);
    (!text.is_empty()).then_some(text)
}

/// Many files at once: one process for each would take most of the time.
fn blobs(clone: &Path, names: &[String]) -> Vec<Option<String>> {
    let mut git = Command::new("git")
        .arg("-C")
        .arg(clone)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git is there");
    let mut asked = git.stdin.take().expect("an input");
    let all = names.join("\n") + "\n";
    let asking = thread::spawn(move || asked.write_all(all.as_bytes()));
    let told = git.wait_with_output().expect("an answer").stdout;
    asking.join().expect("no panic").expect("all was asked");
    let mut rest = told.as_slice();
    let answer = |_: &String| {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let (head, after) = rest.split_at(end);
        rest = &after[1..];
        let head = String::from_utf8_lossy(head).into_owned();
        let size: usize = head.rsplit_once(" blob ")?.1.parse().ok()?;
        let text = String::from_utf8_lossy(&rest[..size]).into_owned();
        rest = &rest[size + 1..];
        Some(text)
    };
    names.iter().map(answer).collect()
}

impl Withheld {
    /// The commit, if it changes a test and code that was there before.
    fn of(clone: &Path, name: &str, commit: &str) -> Option<Self> {
        let listed = git(
            clone,
            &[
                "diff-tree",
                "-r",
                "--no-renames",
                "--no-commit-id",
                "--name-status",
                commit,
            ],
        );
        let all: Vec<(&str, &str)> = listed.lines().filter_map(|line| line.split_once('\t')).collect();
        let is_code = |path: &str| Language::of(path).is_some();
        let tests: Vec<&str> = all
            .iter()
            .filter(|(how, path)| *how != "D" && is_code(path) && is_test_path(path))
            .map(|(_, path)| *path)
            .collect();
        let code: Vec<&str> = all
            .iter()
            .filter(|(how, path)| *how == "M" && is_code(path) && !is_test_path(path))
            .map(|(_, path)| *path)
            .collect();
        if tests.is_empty() || all.len() > 30 {
            return None;
        }
        // Which one is withheld depends on nothing but the commit's id.
        let lot = usize::from_str_radix(commit.get(..4)?, 16).ok()?;
        let file = *code.get(lot % code.len().max(1))?;
        let printed: Vec<String> = tests.iter().map(|test| failing(clone, commit, test)).collect();
        Some(Self {
            clone: clone.to_owned(),
            name: name.to_owned(),
            commit: commit.to_owned(),
            file: file.to_owned(),
            changed: all
                .iter()
                .map(|(_, path)| (*path).to_owned())
                .filter(|path| path != file)
                .collect(),
            paths: git(clone, &["ls-tree", "-r", "--name-only", commit])
                .lines()
                .map(str::to_owned)
                .collect(),
            printed: printed.concat(),
        })
    }

    /// The files of code of the tree without the withheld change.
    fn texts(&self) -> BTreeMap<&str, String> {
        let code: Vec<&str> = self
            .paths
            .iter()
            .map(String::as_str)
            .filter(|path| Language::of(path).is_some())
            .collect();
        let at = |path: &&str| {
            if **path == self.file {
                format!("{}^:{path}", self.commit)
            } else {
                format!("{}:{path}", self.commit)
            }
        };
        let names: Vec<String> = code.iter().map(at).collect();
        let texts = blobs(&self.clone, &names);
        code.into_iter()
            .zip(texts)
            .filter_map(|(path, text)| Some((path, text?)))
            .collect()
    }

    fn named(&self) -> Vec<RelatedFile> {
        let clues = Clues {
            printed: [&self.printed, ""],
            asked: "",
            paths: &self.paths,
            changed: &self.changed,
        };
        let texts = self.texts();
        related(&clues, |path| texts.get(path).cloned())
    }

    /// The files of code that the history before the commit changed last, and
    /// the files of any kind.
    fn recent(&self) -> [Vec<String>; 2] {
        let before = format!("{}^", self.commit);
        let listed = git(
            &self.clone,
            &["log", "-n300", "--no-merges", "--name-only", "--format=", &before],
        );
        let there: BTreeSet<&str> = self.paths.iter().map(String::as_str).collect();
        [true, false].map(|code_alone| {
            let mut found: Vec<String> = Vec::new();
            let is_taken = |path: &&str| !code_alone || (Language::of(path).is_some() && !is_test_path(path));
            for path in listed.lines().filter(|path| there.contains(path)).filter(is_taken) {
                if found.len() < NAMED && !found.iter().any(|known| known == path) {
                    found.push(path.to_owned());
                }
            }
            found
        })
    }
}

/// What a runner prints of a failing test: its file, and its source. Here these
/// are the lines that the commit wrote into the file.
fn failing(clone: &Path, commit: &str, test: &str) -> String {
    let before = blob(clone, &format!("{commit}^"), test).unwrap_or_default();
    let known: BTreeSet<&str> = before.lines().collect();
    let after = blob(clone, commit, test).unwrap_or_default();
    let lines: Vec<&str> = after.lines().filter(|line| !known.contains(line)).collect();
    format!("FAILED {test}\n{}\n", lines.join("\n"))
}

/// How often the withheld file was named.
#[derive(Default)]
struct Counted {
    commits: usize,
    /// Trees with so few files of code that five of them are nearly all.
    small: usize,
    small_hits: usize,
    named: usize,
    recent_code: usize,
    recent: usize,
    told: String,
}

impl Counted {
    fn take(&mut self, [name, file]: [&str; 2], code: usize, named: &[RelatedFile], recent: &[Vec<String>; 2]) {
        let is_named = named.iter().any(|one| one.path == file);
        let [recent_code, recent] = recent.each_ref().map(|paths| paths.iter().any(|path| path == file));
        self.commits += 1;
        self.named += usize::from(is_named);
        self.recent_code += usize::from(recent_code);
        self.recent += usize::from(recent);
        if code <= NAMED {
            self.small += 1;
            self.small_hits += usize::from(is_named);
        }
        let reasons: Vec<String> = named
            .iter()
            .map(|one| format!("{} ({})", one.path, one.reason))
            .collect();
        self.told += &format!(
            "{name}\t{file}\t{code}\t{is_named}\t{recent_code}\t{recent}\t{}\n",
            reasons.join(", ")
        );
    }

    /// Whether there were enough commits, and enough of them found what was withheld.
    fn is_enough(&self) -> bool {
        self.commits >= LEAST && self.named * 100 >= self.commits * HIT
    }

    fn print(&self) {
        let Self {
            commits,
            small,
            small_hits,
            named,
            recent_code,
            recent,
            ..
        } = self;
        println!(
            "corpus: related commits={commits} named={named} recent_code={recent_code} recent={recent} \
             of_them_small={small} small_named={small_hits}"
        );
    }
}

#[test]
#[ignore = "needs clones: just related"]
fn the_five_related_files_hold_the_withheld_change() {
    let clones = clones();
    let mut counted = Counted::default();
    let mut folders: Vec<PathBuf> = Vec::new();
    for owner in fs::read_dir(&clones).expect("clones").flatten() {
        folders.extend(
            fs::read_dir(owner.path())
                .into_iter()
                .flatten()
                .flatten()
                .map(|clone| clone.path()),
        );
    }
    folders.sort();
    for clone in folders {
        fs::write(clones.join("related.tsv"), &counted.told).expect("a file");
        let name = clone.strip_prefix(&clones).expect("below").display().to_string();
        let listed = git(&clone, &["rev-list", "--no-merges", &format!("-n{NEWEST}"), "HEAD"]);
        let commits = listed.lines().filter_map(|commit| Withheld::of(&clone, &name, commit));
        for one in commits.take(TAKEN) {
            let is_code = |path: &&String| Language::of(path).is_some() && !is_test_path(path);
            let code = one.paths.iter().filter(is_code).count();
            let name = format!("{} {}", one.name, one.commit);
            counted.take([&name, &one.file], code, &one.named(), &one.recent());
        }
    }
    counted.print();
    fs::write(clones.join("related.tsv"), &counted.told).expect("a file");
    assert!(counted.is_enough(), "{} of {}", counted.named, counted.commits);
}

/// The count can fail: a reader that names other files is not enough.
#[test]
fn files_that_do_not_hold_the_change_are_not_counted_as_found() {
    let file = |path: &str| RelatedFile {
        path: path.to_owned(),
        reason: "it is there".to_owned(),
    };
    let count = |hits: usize| {
        let mut counted = Counted::default();
        for number in 0..LEAST {
            let named = [file(if number < hits { "src/cart.py" } else { "src/other.py" })];
            counted.take(["a commit", "src/cart.py"], 9, &named, &[Vec::new(), Vec::new()]);
        }
        counted.is_enough()
    };
    assert!(!count(0));
    assert!(!count(LEAST * HIT / 100 - 1));
    assert!(count(LEAST * HIT / 100));
    assert!(!Counted::default().is_enough());
}
