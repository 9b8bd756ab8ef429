//! A quota is a disk of one's own making.

use crate::place::Scene;
use std::{
    fs, thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use trueup_testkit::{
    household::Household,
    reference::{self, End, TASK},
};

#[test]
fn a_run_waits_where_its_quota_would_be_passed_and_goes_on_when_it_is_not() {
    let undisturbed = reference::household(env!("CARGO_BIN_EXE_trueup"), "0");
    let ended = undisturbed.trueup(&["run", TASK, "--json"]);
    let twin = End::of(&undisturbed, ended.code);
    let household = reference::household(env!("CARGO_BIN_EXE_trueup"), "0");
    let local = household.checkout().join("trueup.local.toml");
    let text = fs::read_to_string(&local).unwrap();
    fs::write(local, format!("{text}\n[state]\nquota = \"30MB\"\n")).unwrap();
    let filler = household.state().join("filler");
    let mut scene = Scene::held_at(household, "turn.after", 1);
    scene.wait_until_held().unwrap();
    fs::write(&filler, vec![0x55; 40_000_000]).unwrap();
    // What was measured last is believed for a while, however soon the run goes on.
    thread::sleep(Duration::from_secs(3));
    scene.let_go();
    scene.wait_until_it_waits().unwrap();
    assert_eq!(scene.status()["waits_for"]["on"], "quota", "{}", scene.said());
    fs::remove_file(filler).unwrap();
    let exit = scene.end().unwrap();
    scene.is_as_undisturbed(&twin, exit).unwrap();
}

const DONE: &str = "---\nv: 1\nid: T-001\ntitle: Finish\nbudget: { turns: 2 }\n---\n\n## Acceptance criteria\n
- [ ] **AC-1** It is done.\n  - verify: `grep -q done done.txt`\n";

/// Ignored files are in no tree, and so in nobody's way but that of the quota.
const HOARDS: &str = "mkdir -p hoard; head -c 120000000 /dev/urandom > hoard/all; sleep 3; echo done > done.txt\n";

#[test]
fn who_fills_the_quota_is_put_back_and_nobody_else_waits() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), HOARDS);
    let local = household.checkout().join("trueup.local.toml");
    fs::write(local, "[state]\nquota = \"60MB\"\n").unwrap();
    household.file(".gitignore", "hoard/\ntrueup.local.toml\n");
    household.task("T-001", DONE);
    household.task("T-002", &DONE.replace("T-001", "T-002"));
    household.commit("Tasks");
    let hoarded = household.trueup(&["run", "T-001"]);
    let told = hoarded.stderr.matches("MB of disk (`[state] quota`)").count();
    assert_eq!(told, 2, "each turn is charged: {hoarded:#?}");
    assert_ne!(hoarded.code, 0, "{hoarded:#?}");
    assert_eq!(household.show("T-001")["waits_for"], serde_json::Value::Null);
    household.set_agent("echo done > done.txt\n");
    let other = household.trueup(&["run", "T-002"]);
    assert_eq!(other.code, 0, "nobody waits for space: {other:#?}");
}

/// A million files that hold nothing, in folders of a size that a walk can pass.
const LITTERS: &str = "i=0; while [ $i -lt 200 ]; do mkdir -p hoard/$i; (cd hoard/$i && seq 5000 | xargs touch)
i=$((i + 1)); done; echo done > done.txt\n";

/// Small, because a disk may take its time over files where as many have just gone.
const SMALL: &str = "[state]\nquota = \"30MB\"\n[verify]\ndoubt = 1\n";

#[test]
fn who_makes_a_million_files_is_ended_long_before() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), LITTERS);
    fs::write(household.checkout().join("trueup.local.toml"), SMALL).unwrap();
    household.file(".gitignore", "hoard/\ntrueup.local.toml\n");
    household.task("T-001", DONE);
    household.task("T-002", &DONE.replace("T-001", "T-002"));
    household.commit("Tasks");
    let littered = household.trueup(&["run", "T-001"]);
    let told = littered.stderr.matches("MB of disk (`[state] quota`)").count();
    assert_eq!(told, 2, "each turn is charged: {littered:#?}");
    household.set_agent("echo done > done.txt\n");
    let other = household.trueup(&["run", "T-002"]);
    assert_eq!(other.code, 0, "nobody waits for space: {other:#?}");
}

/// What checks is a file of the tree, so that it is the same for every check.
const LITTERED: &str = "---\nv: 1\nid: T-001\ntitle: Finish\nbudget: { turns: 1 }\n---\n\n## Acceptance criteria\n
- [ ] **AC-1** It is done.\n  - verify: `sh tests/litters.sh`\n";

#[test]
fn a_check_that_makes_a_million_files_is_ended_long_before() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "echo done > done.txt\n");
    fs::write(household.checkout().join("trueup.local.toml"), SMALL).unwrap();
    household.file(".gitignore", "trueup.local.toml\n");
    household.file("tests/litters.sh", LITTERS);
    household.task("T-001", LITTERED);
    household.task("T-002", &DONE.replace("T-001", "T-002"));
    household.commit("Tasks");
    let littered = household.trueup(&["run", "T-001"]);
    assert_eq!(littered.code, 6, "its turn is spent: {littered:#?}");
    let red = "AC-1 ✗ it was ended: it took more than";
    assert!(littered.stderr.contains(red), "{littered:#?}");
    let other = household.trueup(&["run", "T-002"]);
    assert_eq!(other.code, 0, "nobody waits for space: {other:#?}");
}

/// Somebody filled the quota, and it took a minute to find that out.
fn found_full(household: &Household) {
    let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let found = format!(
        "{{\"bytes\":30000000,\"took_us\":60000000,\"room\":{},\"at_ms\":{at_ms}}}",
        u64::MAX
    );
    fs::write(household.state().join("usage.json"), found).unwrap();
}

#[test]
fn who_waits_for_what_somebody_else_took_goes_on_when_that_is_gone() {
    let household = reference::household(env!("CARGO_BIN_EXE_trueup"), "0");
    let local = household.checkout().join("trueup.local.toml");
    let text = fs::read_to_string(&local).unwrap();
    fs::write(local, format!("{text}\n[state]\nquota = \"30MB\"\n")).unwrap();
    let mut scene = Scene::held_at(household, "effect.before", 2);
    scene.wait_until_held().unwrap();
    found_full(&scene.household);
    // What was measured last is believed for a while, however soon the run goes on.
    thread::sleep(Duration::from_secs(3));
    scene.let_go();
    scene.wait_until_it_waits().unwrap();
    assert_eq!(scene.status()["waits_for"]["on"], "quota", "{}", scene.said());
    // Who put back what took so much forgets what was found.
    fs::remove_file(scene.household.state().join("usage.json")).unwrap();
    assert_eq!(scene.end().unwrap(), 0, "{}", scene.said());
}

/// One check that writes without end, and one beside it that takes its time.
const WRITES: &str = "---\nv: 1\nid: T-001\ntitle: Finish\nbudget: { turns: 1 }\n---\n\n## Acceptance criteria\n
- [ ] **AC-1** It is done.\n  - verify: `sh tests/writes.sh`\n
- [ ] **AC-2** It is said.\n  - verify: `sh tests/slow.sh`\n";

#[test]
fn a_check_that_fills_the_quota_is_red_and_those_beside_it_are_not() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "echo done > done.txt\n");
    let local = household.checkout().join("trueup.local.toml");
    fs::write(local, "[state]\nquota = \"60MB\"\n[verify]\ndoubt = 1\n").unwrap();
    household.file(".gitignore", "trueup.local.toml\n");
    household.file(
        "tests/writes.sh",
        "while :; do head -c 20000000 /dev/urandom >> all || exit 1; sleep 0.1; done\n",
    );
    household.file("tests/slow.sh", "sleep 1; grep -q done done.txt\n");
    household.task("T-001", WRITES);
    household.commit("A task");
    let ended = household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 6, "its turn is spent: {ended:#?}");
    assert_eq!(household.show("T-001")["waits_for"], serde_json::Value::Null);
    let red = "AC-1 ✗ it was ended: it took more than";
    assert!(ended.stderr.contains(red), "{ended:#?}");
    assert!(ended.stderr.contains("MB of disk (`[state] quota`)"), "{ended:#?}");
    assert!(
        ended.stderr.contains("AC-2 ✓"),
        "what is beside it is not red for it: {ended:#?}"
    );
}
