//! Nothing is kept before what it names is on disk: watched from outside, by
//! every system call of a whole run.

use crate::disk::{Disk, calls};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use trueup_testkit::{
    household::{Household, output},
    known_bad::known_bad,
};

const WATCHED: &str = "trace=open,openat,creat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat";

/// How a kept event shows in the bytes written to the journal, as strace
/// prints them.
const KEPT: &str = r#"\"type\":\""#;

/// What the trace of one run showed.
struct Watched {
    /// Transactions that held at least one event.
    kept: usize,
    /// What was kept too early, with what it named.
    early: Vec<String>,
}

/// Runs the task under strace and holds every kept event against the disk.
fn watch(household: &Household) -> Watched {
    let trace = household.folder().join("trace");
    let mut command = Command::new("strace");
    household.furnish(&mut command);
    let binary = household.command(&[]).get_program().to_owned();
    command
        .args([
            "--follow-forks",
            "--seccomp-bpf",
            "--decode-fds=path",
            "--string-limit=5000",
        ])
        .args(["-e", WATCHED, "-o"])
        .arg(&trace)
        .arg(binary)
        .args(["run", "T-001"]);
    let ended = output(&mut command);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let trace = fs::read(&trace).expect("a trace");
    judge(household, &String::from_utf8_lossy(&trace))
}

fn judge(household: &Household, trace: &str) -> Watched {
    let journal = household.state().join("journal.db-wal");
    let names = Names::of(household);
    let mut disk = Disk::default();
    let mut transaction = String::new();
    let mut mentioned = BTreeSet::new();
    let mut watched = Watched {
        kept: 0,
        early: Vec::new(),
    };
    calls(trace, |call| {
        if call.file().as_ref() != Some(&journal) {
            disk.happen(&call);
        } else if call.name == "pwrite64" {
            transaction.push_str(call.text);
            transaction.push('\n');
        } else if call.name.ends_with("sync") && transaction.contains(KEPT) {
            watched.kept += 1;
            let lost = disk.in_flight(|path| names.counts(path));
            let number = watched.kept;
            watched
                .early
                .extend(lost.iter().map(|lost| format!("transaction {number}: {lost}")));
            for (name, place) in names.newly(&transaction, &mut mentioned) {
                if !disk.has_any(&place) {
                    watched.early.push(format!("transaction {number}: {name} is not there"));
                }
            }
            transaction.clear();
        } else if call.name.ends_with("sync") {
            transaction.clear();
        }
    });
    assert_eq!(
        mentioned.len(),
        names.all.len(),
        "not every name was seen in the journal"
    );
    watched
}

type Place = Box<dyn Fn(&Path) -> bool>;

/// What the run's events name, and where it lies.
struct Names {
    state: PathBuf,
    git: PathBuf,
    all: Vec<(String, String)>,
}

impl Names {
    fn of(household: &Household) -> Self {
        let mut all = Vec::new();
        let mut name = |kind: &str, value: &Value| {
            let name = value.as_str().unwrap_or_else(|| panic!("{kind} is {value}"));
            all.push((kind.to_owned(), name.to_owned()));
        };
        for event in household.events("T-001") {
            match event["type"].as_str().expect("a type") {
                "opened" => {
                    name("base", &event["base"]["commit"]);
                    name("base", &event["base"]["tree"]);
                }
                "turn_ended" => {
                    name("object", &event["outcome"]["tree"]);
                    name("blob", &event["outcome"]["transcript"]["digest"]);
                }
                "checked" => {
                    for evidence in event["evidence"].as_array().expect("evidence") {
                        name("blob", &evidence["stdout"]["digest"]);
                        name("blob", &evidence["stderr"]["digest"]);
                    }
                }
                "committed" => name("object", &event["commit"]),
                _ => {}
            }
        }
        all.sort();
        all.dedup();
        Self {
            state: household.state(),
            git: household.checkout().join(".git"),
            all,
        }
    }

    /// Whether a run may need this path after a power cut. Live transcripts,
    /// prompts, indexes and workspaces can be made again.
    fn counts(&self, path: &Path) -> bool {
        if let Ok(inner) = path.strip_prefix(&self.git) {
            return inner.starts_with("objects") || inner.starts_with("refs/heads");
        }
        let Ok(inner) = path.strip_prefix(&self.state) else {
            return false;
        };
        let mut parts = inner.components().map(|part| part.as_os_str().to_string_lossy());
        match parts.next().as_deref() {
            None | Some("blobs" | "store.git" | "results.git") => true,
            Some("runs") => matches!(parts.nth(1).as_deref(), None | Some("spool")),
            Some(_) => false,
        }
    }

    /// What this transaction names for the first time, and where it must be.
    /// Either half of a name may be cut in two by the end of a page.
    fn newly<'a>(&'a self, transaction: &str, mentioned: &mut BTreeSet<String>) -> Vec<(&'a str, Place)> {
        let mut newly = Vec::new();
        for (kind, name) in &self.all {
            let (head, tail) = name.split_at(name.len() / 2);
            if (transaction.contains(head) || transaction.contains(tail)) && mentioned.insert(name.clone()) {
                newly.push((name.as_str(), self.place(kind, name)));
            }
        }
        newly
    }

    fn place(&self, kind: &str, name: &str) -> Place {
        let (folder, rest) = name.split_at(2);
        match kind {
            "blob" => {
                let path = self.state.join("blobs").join(name);
                Box::new(move |found| found == path)
            }
            "object" => {
                let objects = self.state.join("results.git/objects");
                let mut places = indexes_with(&objects.join("pack"), name);
                places.push(objects.join(folder).join(rest));
                Box::new(move |found| places.iter().any(|place| found == place))
            }
            _ => {
                let packs = self.state.join("store.git/objects/pack");
                Box::new(move |found| found.starts_with(&packs) && found.extension().is_some_and(|ext| ext == "pack"))
            }
        }
    }
}

/// The indexes of the packs that hold an object. An index gets its name after
/// its pack, so where the one is the other is as well.
fn indexes_with(packs: &Path, object: &str) -> Vec<PathBuf> {
    let digits = object.as_bytes().chunks(2);
    let name: Vec<u8> = digits
        .map(|two| u8::from_str_radix(&String::from_utf8_lossy(two), 16).expect("a name"))
        .collect();
    let listed = fs::read_dir(packs).into_iter().flatten().flatten();
    let indexes = listed
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "idx"));
    let holds = |path: &PathBuf| {
        let index = fs::read(path).expect("an index");
        index.windows(name.len()).any(|window| window == name)
    };
    indexes.filter(holds).collect()
}

#[test]
fn nothing_is_kept_before_what_it_names_is_on_disk() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let watched = watch(&household);
    let events = household.events("T-001").len();
    assert!(watched.kept >= events, "{} transactions, {events} events", watched.kept);
    assert!(watched.early.is_empty(), "{}", watched.early.join("\n"));
    println!("measured: synced_transactions={}", watched.kept);
}

#[test]
fn the_watch_catches_a_build_that_syncs_late() {
    let binary = known_bad();
    let honest = watch(&Household::greeting(&binary));
    assert!(honest.early.is_empty(), "{}", honest.early.join("\n"));
    let late = watch(&Household::greeting(&binary).with_variable("TRUEUP_FAULT", "syncs-late"));
    let blobs = late.early.iter().filter(|early| early.contains("/blobs/")).count();
    assert!(blobs > 0, "the planted fault was not seen: {:?}", late.early);
}
