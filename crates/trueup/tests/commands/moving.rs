//! A repository that was moved, or is looked at from another checkout of it,
//! finds its runs.

use std::{fs, path::Path, process::Command};
use trueup_testkit::household::{Household, Output, output};

/// Runs trueup in a folder, with the state where it lies by default.
fn in_folder(household: &Household, folder: &Path, words: &[&str]) -> Output {
    let mut command = household.command(words);
    command.current_dir(folder).env_remove("TRUEUP_STATE");
    command.env("XDG_STATE_HOME", household.folder().join("states"));
    output(&mut command)
}

/// A household whose task was verified.
fn verified() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let checkout = household.checkout();
    let trusted = in_folder(&household, &checkout, &["trust", "--yes"]);
    assert_eq!(trusted.code, 0, "{trusted:#?}");
    let run = in_folder(&household, &checkout, &["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
    household
}

fn roots(household: &Household) -> usize {
    let roots = fs::read_dir(household.folder().join("states/trueup"));
    roots.expect("state roots").count()
}

#[test]
fn a_repository_that_was_moved_finds_its_runs() {
    let household = verified();
    let elsewhere = household.folder().join("elsewhere");
    fs::rename(household.checkout(), &elsewhere).expect("moved");
    let shown = in_folder(&household, &elsewhere, &["show", "T-001"]);
    assert!(shown.code == 0 && shown.stdout.contains("verified"), "{shown:#?}");
    let again = in_folder(&household, &elsewhere, &["verify", "T-001"]);
    assert_eq!(again.code, 0, "{again:#?}");
    assert_eq!(roots(&household), 1);
}

#[test]
fn a_clone_of_a_repository_finds_none_of_its_runs() {
    let household = verified();
    let copy = household.folder().join("copy");
    household.git(&["clone", "--quiet", ".", &copy.display().to_string()]);
    let shown = in_folder(&household, &copy, &["show", "T-001"]);
    assert!(shown.code != 0 && shown.stderr.contains("never run"), "{shown:#?}");
    assert_eq!(roots(&household), 2);
}

#[test]
fn whoever_takes_the_place_of_a_moved_repository_begins_anew() {
    let household = verified();
    let (elsewhere, place) = (household.folder().join("elsewhere"), household.checkout());
    fs::rename(&place, &elsewhere).expect("moved");
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet"]).args([&elsewhere, &place]);
    assert_eq!(output(&mut clone).code, 0);
    for _ in 0..2 {
        let new = in_folder(&household, &place, &["show", "T-001"]);
        assert!(new.code != 0 && new.stderr.contains("never run"), "{new:#?}");
        let old = in_folder(&household, &elsewhere, &["show", "T-001"]);
        assert!(old.code == 0 && old.stdout.contains("verified"), "{old:#?}");
    }
    assert_eq!(roots(&household), 2);
}

#[test]
fn each_checkout_of_a_repository_is_trusted_for_itself() {
    let household = verified();
    let (first, linked) = (household.checkout(), household.folder().join("linked"));
    household.git(&["worktree", "add", "--quiet", &linked.display().to_string()]);
    fs::copy(first.join("trueup.toml"), linked.join("trueup.toml")).expect("configuration");
    let checked = |folder: &Path| {
        let mut command = household.command(&["check", "T-001"]);
        command
            .current_dir(folder)
            .env_remove("TRUEUP_STATE")
            .env_remove("TRUEUP_TRUST");
        command.env("XDG_STATE_HOME", household.folder().join("states"));
        output(&mut command).code
    };
    assert_eq!((checked(&first), checked(&linked)), (0, 4), "nobody trusted the other");
    assert_eq!(in_folder(&household, &linked, &["trust", "--yes"]).code, 0);
    assert_eq!((checked(&first), checked(&linked)), (0, 0));
}

#[test]
fn a_linked_worktree_finds_the_runs_of_its_repository() {
    let household = verified();
    let linked = household.folder().join("linked");
    household.git(&["worktree", "add", "--quiet", &linked.display().to_string()]);
    let shown = in_folder(&household, &linked, &["show", "T-001"]);
    assert!(shown.code == 0 && shown.stdout.contains("verified"), "{shown:#?}");
    assert_eq!(roots(&household), 1);
}
