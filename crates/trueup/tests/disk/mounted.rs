//! What happens when a file system of 64 MB is full, at several moments.

use crate::place::{Scene, fill};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};
use trueup_testkit::{
    household::Household,
    known_bad::known_bad,
    reference::{self, End, TASK},
};

/// Set where the test runs in its own mount namespace.
const INSIDE: &str = "TRUEUP_TEST_MOUNTS";

/// Where the disk fills up: the crash point, which of its kind, and how often
/// each turn may then be begun. A turn whose agent ended where there was space
/// is never begun again.
const MOMENTS: [(&str, u64, [usize; 3]); 9] = [
    ("effect.before", 1, [1, 1, 1]),
    ("evidence.before", 1, [1, 1, 1]),
    ("workspace.laid", 1, [1, 1, 1]),
    ("turn.before", 2, [1, 2, 1]),
    ("git.snapshot.before", 1, [1, 1, 1]),
    ("spool.before", 2, [1, 1, 1]),
    ("keep.before", 5, [1, 1, 1]),
    ("git.commit.before", 1, [1, 1, 1]),
    ("effect.before", 9, [1, 1, 1]),
];

/// Runs the test of this name again, in a mount namespace of its own.
fn in_a_namespace(test: &str) -> bool {
    if env::var_os(INSIDE).is_some() {
        return true;
    }
    let as_root = ["--mount"].as_slice();
    let as_anybody = ["--user", "--map-root-user", "--mount"].as_slice();
    let way = [as_root, as_anybody].into_iter().find(|way| can_mount(way));
    let way = way.expect("a tmpfs can be mounted, as root or in a user namespace");
    let again = Command::new("unshare")
        .args(way)
        .arg(env::current_exe().expect("this test"))
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .status();
    assert!(again.expect("unshare").success(), "{test} failed in its namespace");
    false
}

fn can_mount(way: &[&str]) -> bool {
    let mut probe = Command::new("unshare");
    probe
        .args(way)
        .args(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", "/mnt"]);
    probe
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// A household whose state root is a file system of 64 MB.
fn household(binary: &Path) -> Household {
    let household = reference::household(binary, "0");
    let state = household.state();
    fs::create_dir_all(&state).expect("a folder");
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(&state);
    assert!(mount.status().expect("mount").success());
    household
}

fn good() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_trueup"))
}

fn undisturbed() -> End {
    let household = reference::household(good(), "0");
    let ended = household.trueup(&["run", TASK, "--json"]);
    End::of(&household, ended.code)
}

/// Fills the disk at a moment, frees it when the run waits, and says what the
/// run came to.
fn play(household: Household, (point, n, begun): (&str, u64, [usize; 3]), twin: &End) -> Result<(), String> {
    let mut scene = Scene::held_at(household, point, n);
    scene.wait_until_held()?;
    let filler = fill(&scene.household.state());
    scene.let_go();
    scene.wait_until_it_waits()?;
    let status = scene.status();
    if status["outcome"] != "waiting_for_space" || status["waits_for"]["on"] != "disk" {
        return Err(format!("status says {status}"));
    }
    // Waiting is not trying: nothing happens while there is no space.
    thread::sleep(Duration::from_millis(700));
    fs::remove_file(filler).map_err(|error| error.to_string())?;
    let exit = scene.end()?;
    scene.is_as_undisturbed(twin, exit)?;
    if scene.begun() != begun {
        return Err(format!("turns were begun {:?} times, not {begun:?}", scene.begun()));
    }
    Ok(())
}

#[test]
fn a_run_whose_disk_fills_up_waits_and_comes_to_the_same_end() {
    if !in_a_namespace("mounted::a_run_whose_disk_fills_up_waits_and_comes_to_the_same_end") {
        return;
    }
    let twin = undisturbed();
    let mut failures = Vec::new();
    for moment in MOMENTS {
        if let Err(why) = play(household(good()), moment, &twin) {
            failures.push(format!("{}: {why}", moment.0));
        }
    }
    println!(
        "disk: moments={} same_end={}",
        MOMENTS.len(),
        MOMENTS.len() - failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn an_event_for_which_there_is_no_space_at_all_is_held_until_there_is() {
    if !in_a_namespace("mounted::an_event_for_which_there_is_no_space_at_all_is_held_until_there_is") {
        return;
    }
    let twin = undisturbed();
    let mut scene = Scene::held_at(household(good()), "keep.before", 4);
    scene.wait_until_held().unwrap();
    fs::remove_file(scene.household.state().join("reserve")).expect("a reserve");
    let filler = fill(&scene.household.state());
    let kept = reference::kept(&scene.household).len();
    scene.let_go();
    scene.wait_until_it_waits().unwrap();
    assert_eq!(
        reference::kept(&scene.household).len(),
        kept,
        "there was space after all"
    );
    fs::remove_file(filler).unwrap();
    let exit = scene.end().unwrap();
    scene.is_as_undisturbed(&twin, exit).unwrap();
    assert_eq!(scene.begun(), [1, 1, 1]);
}

#[test]
fn a_trueup_that_forgets_about_space_is_caught() {
    if !in_a_namespace("mounted::a_trueup_that_forgets_about_space_is_caught") {
        return;
    }
    let bad = known_bad();
    let twin = undisturbed();
    let bad = household(&bad).with_variable("TRUEUP_FAULT", "forgets-space");
    let caught = play(bad, ("git.snapshot.before", 1, [1, 1, 1]), &twin);
    let why = caught.expect_err("a trueup that forgets about space passed");
    assert!(why.contains("before it says that it waits"), "{why}");
}

#[test]
fn a_run_that_waits_for_space_can_be_stopped_and_resumed() {
    if !in_a_namespace("mounted::a_run_that_waits_for_space_can_be_stopped_and_resumed") {
        return;
    }
    let twin = undisturbed();
    let mut scene = Scene::held_at(household(good()), "effect.before", 2);
    scene.wait_until_held().unwrap();
    let filler = fill(&scene.household.state());
    scene.let_go();
    scene.wait_until_it_waits().unwrap();
    let kill = Command::new("kill").args(["-INT", &scene.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    assert_eq!(scene.end().unwrap(), 130, "{}", scene.said());
    let shown = scene.household.trueup(&["show", TASK]);
    assert!(shown.stdout.contains("are left on the disk"), "{shown:#?}");
    scene.start(&["resume", TASK], &[]);
    scene.wait_until_it_waits_again();
    fs::remove_file(filler).unwrap();
    assert_eq!(scene.end().unwrap(), 0, "{}", scene.said());
    assert!(scene.said().contains("verified: 2 of 2"), "{}", scene.said());
    scene.is_as_undisturbed(&twin, 0).unwrap();
}

impl Scene {
    /// A resumed run that finds no space waits without a word of its own: the
    /// journal says already what it waits for.
    fn wait_until_it_waits_again(&mut self) {
        thread::sleep(Duration::from_millis(1500));
        assert_eq!(self.status()["driven"], true, "{}", self.said());
    }
}
