//! Clones that hold less than the whole: shallow, partial, sparse, borrowing,
//! and histories that were bent.

use crate::place::Wild;
use std::fs;

/// A repository of two commits, in which the first had another README.
fn with_history() -> Wild {
    let wild = Wild::new("grep -q second README.md\ntest -f apart/far.txt\n");
    wild.household.file("README.md", "first\n");
    wild.household.file("apart/far.txt", "far\n");
    wild.commit();
    wild.household.file("README.md", "second\n");
    wild.commit();
    for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
        wild.household.git(&["config", setting, "true"]);
    }
    wild
}

/// The same, cloned with these options.
fn cloned_by(options: &[&str]) -> Wild {
    let wild = with_history();
    wild.replace(|upstream, checkout| {
        let from = format!("file://{}", upstream.display());
        let to = checkout.display().to_string();
        wild.git_in(upstream, &[&["clone", "--quiet"], options, &[&from, &to]].concat());
    });
    wild
}

#[test]
fn a_shallow_clone_is_proved_and_stays_as_shallow_as_it_was() {
    let wild = cloned_by(&["--depth=1"]);
    let end = fs::read(wild.checkout().join(".git/shallow")).expect("where it ends");
    wild.is_proved();
    assert_eq!(
        fs::read(wild.checkout().join(".git/shallow")).expect("where it ends"),
        end
    );
}

#[test]
fn a_partial_clone_that_has_the_base_is_proved_and_fetches_nothing() {
    let wild = cloned_by(&["--filter=blob:none"]);
    let missing = || {
        let listed = wild
            .household
            .git(&["rev-list", "--objects", "--missing=print", "HEAD"]);
        listed.lines().filter(|line| line.starts_with('?')).count()
    };
    assert_eq!(missing(), 1, "the first README");
    wild.is_proved_in_a_worktree();
    assert_eq!(missing(), 1, "something was fetched");
    assert!(!wild.checkout().join(".git/shallow").exists(), "the history was cut");
}

#[test]
fn a_partial_clone_that_lacks_the_base_is_refused_until_it_is_fetched() {
    let wild = cloned_by(&["--filter=blob:none", "--no-checkout"]);
    // The task is read from the checkout, so only that is laid.
    wild.household.git(&["checkout", "HEAD", "--", "tasks"]);
    wild.is_refused(
        "this is a partial clone that lacks 4 objects of the base, and trueup does not fetch in your name",
        "git fetch --refetch --no-filter origin",
    );
    wild.household
        .git(&["fetch", "--quiet", "--refetch", "--no-filter", "origin"]);
    wild.household.git(&["reset", "--quiet", "--hard"]);
    wild.is_proved();
}

#[test]
fn a_clone_without_trees_is_refused() {
    let wild = cloned_by(&["--filter=tree:0", "--no-checkout"]);
    wild.household.task(
        "T-001",
        &fs::read_to_string(wild.beside("upstream/tasks/T-001.md")).expect("the task"),
    );
    let ended = wild.household.trueup(&["check", "T-001"]);
    assert_eq!(ended.code, 3, "{ended:#?}");
    assert!(
        ended.stderr.contains("this is a partial clone that lacks"),
        "{ended:#?}"
    );
}

#[test]
fn a_sparse_checkout_is_proved_on_the_whole_tree() {
    for cone in ["--cone", "--no-cone"] {
        let wild = with_history();
        let patterns = ["sparse-checkout", "set", cone, "tasks", "tests"];
        wild.household.git(&patterns);
        assert!(!wild.checkout().join("apart").exists());
        wild.is_proved();
        assert!(wild.beside("plain/apart/far.txt").exists());
    }
}

#[test]
fn uncommitted_changes_of_a_sparse_checkout_leave_files_outside_alone() {
    for more in [&["--cone"][..], &["--no-cone"], &["--cone", "--sparse-index"]] {
        let wild = with_history();
        wild.household
            .git(&[&["sparse-checkout", "set"], more, &["tasks", "tests"]].concat());
        wild.household.file("tests/new.txt", "not committed\n");
        wild.run(&["--with-changes"]);
        let changed = wild.household.git(&["diff", "--name-status", "HEAD", "trueup/T-001"]);
        assert_eq!(changed, "A\tdone.txt\nA\ttests/new.txt", "{more:?}");
        wild.compare(|checkout, plain| {
            let (from, to) = (checkout.display().to_string(), plain.display().to_string());
            wild.git_in(checkout, &["clone", "--quiet", "--branch", "trueup/T-001", &from, &to]);
        });
    }
}

#[test]
fn a_clone_that_borrows_its_objects_is_proved() {
    let wild = with_history();
    wild.replace(|upstream, checkout| {
        let (from, to) = (upstream.display().to_string(), checkout.display().to_string());
        wild.git_in(upstream, &["clone", "--quiet", "--shared", &from, &to]);
    });
    assert!(wild.checkout().join(".git/objects/info/alternates").exists());
    wild.is_proved_in_a_worktree();
}

#[test]
fn a_history_with_grafts_is_proved() {
    let wild = with_history();
    let head = wild.household.git(&["rev-parse", "HEAD"]);
    // It makes the second commit the first, so that the first cannot be reached.
    wild.household.file(".git/info/grafts", &format!("{head}\n"));
    wild.is_proved_in_a_worktree();
}

#[test]
fn a_commit_replaced_in_the_history_alone_changes_nothing() {
    let wild = with_history();
    let first = wild.household.git(&["rev-parse", "HEAD^"]);
    let other = wild
        .household
        .git(&["commit-tree", "-m", "another beginning", "HEAD^{tree}"]);
    wild.household.git(&["replace", &first, &other]);
    wild.is_proved();
}

#[test]
fn a_replaced_file_of_the_base_is_refused() {
    let wild = with_history();
    let blob = wild.household.git(&["rev-parse", "HEAD:README.md"]);
    let other = wild.household.git(&["hash-object", "-w", "tasks/T-001.md"]);
    wild.household.git(&["replace", &blob, &other]);
    wild.is_refused(
        &format!(
            "`git replace` shows something else in place of {blob} of the base, and only in this repository, so a \
             proof would hold nowhere else; commit what you mean, then remove the replacement"
        ),
        &format!("git replace -d {blob}"),
    );
    wild.household.git(&["replace", "-d", &blob]);
    wild.is_proved();
}
