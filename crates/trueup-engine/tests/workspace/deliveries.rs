//! A branch is delivered whole, once, and over nobody's work.

use crate::place::{Place, commit_id, differing, git, label, plain, run, said, wish, write};
use std::{fs, os::unix::fs::PermissionsExt, path::Path};
use trueup_core::effect::Publish;
use trueup_engine::workspace::{Delivery, Error};

fn refusal(delivery: Delivery) -> String {
    match delivery {
        Delivery::Refused(why) => why,
        Delivery::Done => panic!("it was delivered"),
    }
}

/// Runs what a refusal says to type in the person's repository.
fn type_what_it_says(repo: &Path, why: &str) {
    let command = why.split('`').find(|part| part.starts_with("git ")).unwrap();
    let done = std::process::Command::new("sh")
        .args(["-c", command])
        .current_dir(repo)
        .output()
        .unwrap();
    assert!(done.status.success(), "{command}: {done:?}");
}

#[test]
fn the_same_work_is_the_same_commit_in_every_state_root() {
    let place = Place::new();
    let id = run("T-1.1");
    let (base, snapshot) = place.after(&id, |work| write(&work.join("new"), "new\n"));
    let other = place.other_state("other");
    other.base("HEAD").unwrap();
    other.lay(&id, &base, &base.tree, None).unwrap();
    write(&place.folder.path().join("other/workspaces/T-1.1/new"), "new\n");
    let twin = other.snapshot(&id, &label("turn-001")).unwrap();
    assert_eq!(twin.tree, snapshot.tree);
    let first = place.spaces.commit(&id, &wish(&base, &snapshot.tree)).unwrap();
    assert_eq!(first, place.spaces.commit(&id, &wish(&base, &snapshot.tree)).unwrap());
    assert_eq!(first, other.commit(&id, &wish(&base, &twin.tree)).unwrap());
    let shown = said(
        &place.state.results(),
        &["log", "-1", "--format=%an %ae %cn %at %ct %T %P%n%B", first.as_str()],
    );
    let expected = format!(
        "Ada Lovelace ada@example.org Ada Lovelace 1700000000 1700000000 {} {}\nDo it\n\nTask: T-1",
        snapshot.tree, base.commit
    );
    assert_eq!(shown, expected);
}

#[test]
fn publishing_writes_one_branch_and_nothing_else() {
    let place = Place::new();
    let id = run("T-1.1");
    write(&place.repo.join("README.md"), "uncommitted\n");
    let hooks = place.repo.join(".git/hooks");
    for hook in [
        "reference-transaction",
        "post-update",
        "pre-push",
        "update",
        "post-checkout",
        "post-merge",
    ] {
        write(&hooks.join(hook), "#!/bin/sh\ntouch \"$GIT_DIR/hook-ran\"\n");
        fs::set_permissions(hooks.join(hook), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let publish = place.finished(&id);
    let before = place.print();
    assert_eq!(place.spaces.publish(&id, &publish).unwrap(), Delivery::Done);
    assert_eq!(differing(&before, &place.print()), [".git/refs/heads/trueup/T-1"]);
    assert_eq!(place.tip("trueup/T-1"), publish.commit.as_str());
    let once = place.print();
    assert_eq!(
        place.spaces.publish(&id, &publish).unwrap(),
        Delivery::Done,
        "a redo finds it there"
    );
    assert_eq!(once, place.print());
}

#[test]
fn an_older_delivery_is_kept_before_the_branch_moves() {
    let place = Place::new();
    git(&place.repo, &["branch", "trueup/T-1"]);
    let old = place.tip("trueup/T-1");
    let publish = place.finished(&run("T-1.2"));
    assert_eq!(publish.expected, Some(commit_id(&old)));
    assert_eq!(place.spaces.publish(&run("T-1.2"), &publish).unwrap(), Delivery::Done);
    assert_eq!(place.tip("refs/trueup/rescue/T-1.2"), old);
    assert_eq!(place.tip("trueup/T-1"), publish.commit.as_str());
    assert_eq!(said(&place.repo, &["for-each-ref", "refs/trueup/incoming"]), "");
}

#[test]
fn a_branch_somebody_moved_is_not_overwritten() {
    for existed in [true, false] {
        let place = Place::new();
        if existed {
            git(&place.repo, &["branch", "trueup/T-1"]);
        }
        let id = run("T-1.1");
        let publish = place.finished(&id);
        git(&place.repo, &["switch", "-q", "-C", "trueup/T-1"]);
        git(&place.repo, &["commit", "-q", "--allow-empty", "-m", "mine"]);
        git(&place.repo, &["switch", "-q", "main"]);
        let mine = place.tip("trueup/T-1");
        let before = place.print();
        let why = refusal(place.spaces.publish(&id, &publish).unwrap());
        assert_eq!(before, place.print());
        assert!(why.contains(&mine) && why.contains("trueup resume T-1.1"), "{why}");
        type_what_it_says(&place.repo, &why);
        assert_eq!(place.spaces.publish(&id, &publish).unwrap(), Delivery::Done);
        assert_eq!(place.tip("trueup/T-1-kept"), mine);
    }
}

#[test]
fn a_branch_that_is_checked_out_is_not_moved() {
    let place = Place::new();
    git(&place.repo, &["branch", "trueup/T-1"]);
    let id = run("T-1.1");
    let publish = place.finished(&id);
    let linked = place.folder.path().join("linked");
    git(
        &place.repo,
        &["worktree", "add", "-q", linked.to_str().unwrap(), "trueup/T-1"],
    );
    let before = place.print();
    let why = refusal(place.spaces.publish(&id, &publish).unwrap());
    assert!(why.contains(linked.to_str().unwrap()), "{why}");
    assert_eq!(before, place.print());
    type_what_it_says(&place.repo, &why);
    assert_eq!(place.spaces.publish(&id, &publish).unwrap(), Delivery::Done);
}

#[test]
fn a_branch_that_was_deleted_is_made_anew() {
    let place = Place::new();
    git(&place.repo, &["branch", "trueup/T-1"]);
    let publish = place.finished(&run("T-1.1"));
    git(&place.repo, &["branch", "-D", "trueup/T-1"]);
    assert_eq!(place.spaces.publish(&run("T-1.1"), &publish).unwrap(), Delivery::Done);
    assert_eq!(place.tip("trueup/T-1"), publish.commit.as_str());
}

#[test]
fn a_branch_in_the_way_of_the_name_is_told() {
    let place = Place::new();
    git(&place.repo, &["branch", "trueup"]);
    let publish = place.finished(&run("T-1.1"));
    let before = place.print();
    let why = refusal(place.spaces.publish(&run("T-1.1"), &publish).unwrap());
    assert!(why.contains("refs/heads/trueup"), "{why}");
    assert_eq!(before, place.print());
}

#[test]
fn a_branch_that_names_another_is_not_followed() {
    let place = Place::new();
    git(
        &place.repo,
        &["symbolic-ref", "refs/heads/trueup/T-1", "refs/heads/other"],
    );
    git(&place.repo, &["branch", "other"]);
    let publish = place.finished(&run("T-1.1"));
    let before = place.print();
    refusal(place.spaces.publish(&run("T-1.1"), &publish).unwrap());
    assert_eq!(before, place.print());
}

#[test]
fn a_lock_of_the_person_is_reported_and_never_removed() {
    let place = Place::new();
    let publish = place.finished(&run("T-1.1"));
    let lock = place.repo.join(".git/refs/heads/trueup/T-1.lock");
    write(&lock, "");
    let before = place.print();
    let refused = place.spaces.publish(&run("T-1.1"), &publish).unwrap_err();
    assert!(matches!(&refused, Error::Locked { path } if *path == lock), "{refused}");
    assert_eq!(before, place.print());
    fs::remove_file(&lock).unwrap();
    assert_eq!(place.spaces.publish(&run("T-1.1"), &publish).unwrap(), Delivery::Done);
}

#[test]
fn a_delivery_cut_off_after_its_objects_arrived_is_finished_by_a_redo() {
    let place = Place::new();
    let publish = place.finished(&run("T-1.1"));
    let results = place.state.results();
    let refspec = format!("{}:refs/trueup/incoming/T-1.1", publish.commit);
    git(
        &place.repo,
        &[
            "fetch",
            "-q",
            "--no-write-fetch-head",
            results.to_str().unwrap(),
            &refspec,
        ],
    );
    assert_eq!(place.spaces.publish(&run("T-1.1"), &publish).unwrap(), Delivery::Done);
    assert_eq!(said(&place.repo, &["for-each-ref", "refs/trueup"]), "");
}

#[test]
fn whatever_the_person_does_to_their_repository_meanwhile_the_end_is_the_same() {
    let upheavals: [&[&[&str]]; 3] = [
        &[&["commit", "-q", "--amend", "-m", "amended"]],
        &[
            &["switch", "-q", "--orphan", "fresh"],
            &["commit", "-q", "--allow-empty", "-m", "x"],
            &["branch", "-D", "main"],
        ],
        &[
            &["checkout", "-q", "--detach"],
            &["commit", "-q", "--amend", "--allow-empty", "-m", "y"],
            &["branch", "-D", "main"],
        ],
    ];
    let quiet = Place::new();
    let expected = quiet.finished(&run("T-1.1")).commit;
    for upheaval in upheavals {
        let place = Place::new();
        let id = run("T-1.1");
        let (base, work) = place.lay(&id);
        upheaval.iter().for_each(|command| drop(git(&place.repo, command)));
        git(&place.repo, &["reflog", "expire", "--expire=now", "--all"]);
        git(&place.repo, &["gc", "-q", "--prune=now"]);
        assert!(
            !plain(&place.repo, &["cat-file", "-e", base.commit.as_str()])
                .status
                .success()
        );
        write(&work.join("new.txt"), "new\n");
        let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
        let commit = place.spaces.commit(&id, &wish(&base, &snapshot.tree)).unwrap();
        assert_eq!(commit, expected);
        let publish = Publish {
            branch: "trueup/T-1".into(),
            commit,
            expected: None,
        };
        assert_eq!(place.spaces.publish(&id, &publish).unwrap(), Delivery::Done);
        git(&place.repo, &["gc", "-q", "--prune=now"]);
        git(&place.repo, &["fsck", "--strict"]);
        assert_eq!(place.tip("trueup/T-1"), expected.as_str());
    }
}
