//! The state root is its owner's alone.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};
use trueup_testkit::household::Household;

/// Below these, each run's own folder is closed and its files keep the modes
/// their tree gives them.
const TREES: [&str; 5] = ["workspaces", "rooms", "layers", "caches", "bases"];

/// Everything others could read, write or enter.
fn open_to_others(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    look(root, 0, &mut found);
    found
}

fn look(path: &Path, inside_trees: u32, found: &mut Vec<PathBuf>) {
    let about = fs::symlink_metadata(path).expect("something there");
    if !about.is_symlink() && about.mode() & 0o077 != 0 {
        found.push(path.to_owned());
    }
    let is_trees = TREES.iter().any(|name| path.ends_with(Path::new("state").join(name)));
    let depth = if is_trees || inside_trees > 0 {
        inside_trees + 1
    } else {
        0
    };
    // The folder of one run is looked at; what lies in it is a tree.
    if about.is_dir() && depth < 2 {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            look(&entry.path(), depth, found);
        }
    }
}

#[test]
fn no_file_of_the_state_root_is_anybody_elses() {
    // A task that is never met leaves its workspace behind.
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let text = fs::read_to_string(household.checkout().join("tasks/T-001.md")).unwrap();
    let text = text
        .replace("T-001", "T-002")
        .replace("size: small", "size: small\nbudget:\n  turns: 1");
    household.task("T-002", &text);
    household.commit("Another task");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    assert_eq!(household.trueup(&["run", "T-002"]).code, 6);
    assert_eq!(household.trueup(&["verify", "T-001"]).code, 0);
    assert_eq!(household.trueup(&["gc"]).code, 0);
    assert_eq!(household.trueup(&["run", "T-002", "--anew"]).code, 6);
    let state = household.state();
    assert!(state.join("workspaces/T-002.2/greet.sh").exists());
    assert_eq!(open_to_others(&state), Vec::<PathBuf>::new());
    // What this would have seen, it sees.
    let planted = state.join("runs/T-001.1/left.live");
    fs::write(&planted, "").unwrap();
    fs::set_permissions(&planted, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(open_to_others(&state), std::slice::from_ref(&planted));
    // And gc puts right what an older trueup left open.
    fs::rename(&planted, state.join("left.json")).unwrap();
    assert_eq!(household.trueup(&["gc"]).code, 0);
    assert_eq!(open_to_others(&state), Vec::<PathBuf>::new());
}
