//! Making the archive, by an older build: `just upgrade-fixture BINARY`.

use crate::scene::{AGENT, DONE, EXPECTED, KILLED, archive, branch, end, go_on, lay, pack, tasks, unpack};
use serde_json::{Map, Value};
use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::{Household, output};

/// A trueup that is held at a crash point.
struct Held {
    child: Child,
    file: PathBuf,
}

fn held(household: &Household, task: &str, (point, at): (&str, u64)) -> Held {
    let file = household.folder().join(format!("held-{task}"));
    let mut command = household.command(&["run", task]);
    command.env("TRUEUP_HOLD_AT", format!("{point}:{at}:{}", file.display()));
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = child.spawn().expect("a trueup");
    let started = Instant::now();
    while !file.exists() {
        assert!(
            started.elapsed() < Duration::from_secs(300),
            "{task} never reached {point}"
        );
        thread::sleep(Duration::from_millis(20));
    }
    Held { child, file }
}

impl Held {
    fn kill(mut self) {
        self.child.kill().expect("a trueup to kill");
        self.child.wait().expect("its end");
        fs::remove_file(self.file).expect("it was held");
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = output(Command::new("kill").args([signal, &pid]));
        assert_eq!(sent.code, 0, "{sent:#?}");
        // A signal is heard by a thread of its own.
        thread::sleep(Duration::from_millis(500));
    }

    fn let_go(mut self) -> Option<i32> {
        fs::remove_file(self.file).expect("it was held");
        self.child.wait().expect("its end").code()
    }
}

fn pause(household: &Household) {
    for (task, signal, code) in [("P-keyboard", "-INT", 130), ("P-request", "-TERM", 143)] {
        let held = held(household, task, ("turn.before", 1));
        held.signal(signal);
        assert_eq!(held.let_go(), Some(code), "{task}");
    }
    let unusable = household.trueup(&["run", "P-unusable", "--agent", "later"]);
    assert_eq!(unusable.code, 7, "{unusable:#?}");
    let troubled = held(household, "P-trouble", ("effect.before", 3));
    let (results, aside) = (
        household.state().join("results.git"),
        household.state().join("aside.git"),
    );
    fs::rename(&results, &aside).expect("results");
    assert_eq!(troubled.let_go(), Some(4));
    drop(fs::remove_dir_all(&results));
    fs::rename(&aside, &results).expect("results");
    short_of_space(household);
    let spent = household.trueup(&["run", "P-budget"]);
    assert_eq!(spent.code, 6, "{spent:#?}");
    let conflict = held(household, "P-conflict", ("git.publish.before", 1));
    household.git(&["branch", &branch("P-conflict"), "main"]);
    assert_eq!(conflict.let_go(), Some(8));
    let asks = household.trueup(&["run", "P-asks"]);
    assert_eq!(asks.code, 4, "{asks:#?}");
    // A coin's toss that comes up green at once is tossed again.
    for _ in 0..20 {
        household.trueup(&["run", "P-flaky", "--anew"]);
        if household.show("P-flaky")["outcome"] == "flaky" {
            return;
        }
    }
    unreachable!("a coin came up the same twenty times");
}

/// A quota that is used up already; whoever waits for space is stopped.
fn short_of_space(household: &Household) {
    household.file("trueup.local.toml", "[state]\nquota = \"64KB\"\n");
    let mut command = household.command(&["run", "P-space"]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().expect("a trueup");
    let started = Instant::now();
    while household.try_git(&["status"]).code != 0 || household.show("P-space")["outcome"] != "waiting_for_space" {
        assert!(started.elapsed() < Duration::from_secs(60), "it never waited for space");
        thread::sleep(Duration::from_millis(200));
    }
    let pid = child.id().to_string();
    output(Command::new("kill").args(["-TERM", &pid]));
    child.wait().expect("its end");
    fs::remove_file(household.checkout().join("trueup.local.toml")).expect("the quota");
}

#[test]
#[ignore = "makes the archive anew, by an older build that TRUEUP_OLD_BINARY names"]
fn the_archive_is_made_by_an_older_build() {
    let old = std::env::var("TRUEUP_OLD_BINARY").expect("TRUEUP_OLD_BINARY");
    let household = Household::new(&old, AGENT);
    lay(&household);
    for (task, point, at) in KILLED {
        held(&household, task, (point, at)).kill();
    }
    pause(&household);
    for (task, code) in DONE.into_iter().zip([0, 3, 10]) {
        let done = household.trueup(&["run", task]);
        assert_eq!(done.code, code, "{done:#?}");
    }
    pack(household.folder(), &archive());

    // What that very build makes of it, under another path.
    let moved = unpack(&old, &archive());
    let mut expected = Map::new();
    for task in tasks() {
        let ended = go_on(&moved, task);
        let mut end = end(&moved, task);
        end["exit"] = Value::from(ended.code);
        expected.insert(task.to_owned(), end);
    }
    let text = serde_json::to_string_pretty(&expected).expect("a document");
    fs::write(household.folder().join(EXPECTED), text).expect("a file");
    pack(household.folder(), &archive());
}
