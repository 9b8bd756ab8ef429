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

/// Runs trueup in a folder, with all state in one that was chosen.
fn in_chosen(household: &Household, folder: &Path, words: &[&str]) -> Output {
    let mut command = household.command(words);
    command.current_dir(folder);
    output(&mut command)
}

/// A household whose task was verified, and a clone of its repository, both with
/// one state folder that somebody chose.
fn with_clone(at: &str) -> (Household, std::path::PathBuf) {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
    let clone = household.folder().join(at);
    household.git(&["clone", "--quiet", ".", &clone.display().to_string()]);
    for (key, value) in [("user.name", "Ada"), ("user.email", "ada@example.invalid")] {
        household.git(&["-C", &clone.display().to_string(), "config", key, value]);
    }
    for name in ["trueup.toml", "tasks/T-001.md"] {
        fs::create_dir_all(clone.join("tasks")).expect("a folder");
        fs::copy(household.checkout().join(name), clone.join(name)).expect("a file");
    }
    (household, clone)
}

#[test]
fn repositories_with_one_chosen_state_folder_see_nothing_of_each_other() {
    let (household, other) = with_clone("other");
    let first = household.checkout();
    for _ in 0..2 {
        let shown = in_chosen(&household, &other, &["show", "T-001"]);
        assert!(shown.code != 0 && shown.stderr.contains("never run"), "{shown:#?}");
    }
    let run = in_chosen(&household, &other, &["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(run.stderr.contains("T-001.1"), "it is the first of its own: {run:#?}");
    for folder in [&first, &other] {
        let shown = in_chosen(&household, folder, &["status", "T-001"]);
        assert!(
            shown.stdout.contains("T-001.1") && !shown.stdout.contains("T-001.2"),
            "{shown:#?}"
        );
    }
    fs::rename(&other, household.folder().join("moved")).expect("moved");
    let moved = in_chosen(&household, &household.folder().join("moved"), &["show", "T-001"]);
    assert!(moved.code == 0 && moved.stdout.contains("verified"), "{moved:#?}");
}

#[test]
fn a_fresh_clone_in_the_place_of_a_repository_goes_on_with_the_chosen_state_folder() {
    let (household, clone) = with_clone("fresh");
    fs::rename(household.checkout(), household.folder().join("gone")).expect("moved");
    fs::rename(&clone, household.checkout()).expect("moved");
    let shown = household.trueup(&["status", "T-001"]);
    assert!(shown.code == 0 && shown.stdout.contains("T-001.1"), "{shown:#?}");
}
