//! A quota is a disk of one's own making.

use crate::place::Scene;
use std::{fs, thread, time::Duration};
use trueup_testkit::reference::{self, End, TASK};

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
