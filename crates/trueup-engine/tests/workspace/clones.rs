//! The clone an agent works in shows the work so far, and nothing else.

use crate::place::{Place, git, label, plain, run, said, write};
use std::fs;
use trueup_core::id::Timestamp;

#[test]
fn a_clone_knows_one_branch_and_no_remote() {
    let place = Place::new();
    git(
        &place.repo,
        &["remote", "add", "origin", "https://example.invalid/x.git"],
    );
    git(&place.repo, &["branch", "other"]);
    write(&place.repo.join("README.md"), "stashed secret\n");
    git(&place.repo, &["stash"]);
    let stash = place.tip("stash");
    let secret = place.tip("stash:README.md");
    let other_run = run("T-2.1");
    let (_, snapshot) = place.after(&other_run, |work| write(&work.join("other.txt"), "of another run\n"));
    let (base, work) = place.lay(&run("T-1.1"));
    let refs = said(&work, &["for-each-ref", "--format=%(refname) %(objectname)"]);
    assert_eq!(refs, format!("refs/heads/work {}", base.commit));
    assert_eq!(said(&work, &["symbolic-ref", "HEAD"]), "refs/heads/work");
    assert_eq!(said(&work, &["remote"]), "");
    for hidden in [stash.as_str(), secret.as_str(), snapshot.tree.as_str()] {
        assert!(!plain(&work, &["cat-file", "-e", hidden]).status.success());
    }
    assert_eq!(said(&work, &["status", "--porcelain"]), "");
    assert_eq!(said(&work, &["log", "--format=%s"]), "first");
}

#[test]
fn a_clone_holds_no_object_of_another_base() {
    let place = Place::new();
    let first = place.spaces.base("HEAD").unwrap();
    place.spaces.alternates(&first.commit).unwrap();
    write(&place.repo.join("later.txt"), "found in the future\n");
    git(&place.repo, &["add", "-A"]);
    git(&place.repo, &["commit", "-q", "-m", "second"]);
    let second = place.spaces.base("HEAD").unwrap();
    git(&place.repo, &["switch", "-q", "-c", "secret", first.commit.as_str()]);
    write(&place.repo.join("secret.txt"), "of a secret branch\n");
    git(&place.repo, &["add", "-A"]);
    git(&place.repo, &["commit", "-q", "-m", "secret"]);
    let secret = place.spaces.base("HEAD").unwrap();
    write(&place.repo.join("draft.txt"), "of a draft\n");
    let author = place.spaces.author().unwrap();
    let draft = place.spaces.base_with_changes("HEAD", Timestamp(0), &author).unwrap();
    let lines = ["found in the future", "of a secret branch", "of a draft"];
    for (number, (base, own)) in [
        (&draft, &lines[1..]),
        (&secret, &lines[1..2]),
        (&second, &lines[..1]),
        (&first, &[]),
    ]
    .into_iter()
    .enumerate()
    {
        let id = run(&format!("T-{number}.1"));
        let work = place.spaces.lay(&id, base, &base.tree, None).unwrap();
        let all = plain(&work, &["cat-file", "--batch-all-objects", "--batch"]).stdout;
        let all = String::from_utf8_lossy(&all);
        for line in lines {
            assert_eq!(
                all.contains(line),
                own.contains(&line),
                "{line} in the clone of {}",
                base.name
            );
        }
        assert!(plain(&work, &["fsck", "--full", "--strict"]).status.success());
        assert_eq!(said(&work, &["status", "--porcelain"]), "");
    }
    let folders = place.spaces.alternates(&draft.commit).unwrap();
    assert_eq!(
        folders.len(),
        2,
        "a base that grew from another brings only what is new: {folders:?}"
    );
}

#[test]
fn a_clone_shows_the_work_so_far_as_changes() {
    let place = Place::new();
    let id = run("T-1.1");
    let (base, snapshot) = place.after(&id, |work| {
        write(&work.join("new.txt"), "new\n");
        write(&work.join("README.md"), "changed\n");
    });
    write(&place.state.workspace(&id).join("junk"), "left by a broken-off turn");
    let work = place.spaces.lay(&id, &base, &snapshot.tree, None).unwrap();
    assert_eq!(said(&work, &["status", "--porcelain"]), "M README.md\n?? new.txt");
    assert!(!work.join("junk").exists());
    let again = place.spaces.snapshot(&id, &label("turn-002")).unwrap();
    assert_eq!(again.tree, snapshot.tree, "what was laid is what is found");
}

#[test]
fn an_agent_can_commit_in_its_clone() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    write(&work.join("new.txt"), "new\n");
    let commit = std::process::Command::new("sh")
        .args(["-c", "git add -A && git commit -q -m own && git gc -q"])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .current_dir(&work)
        .output()
        .unwrap();
    assert!(commit.status.success(), "{commit:?}");
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    assert!(place.spaces.tree_has(&snapshot.tree, "new.txt").unwrap());
    git(&place.state.store(), &["fsck", "--strict"]);
}

#[test]
fn what_a_broken_off_turn_left_is_in_the_next_clone() {
    let place = Place::new();
    let id = run("T-1.1");
    let (base, work) = place.lay(&id);
    write(&work.join("half.txt"), "half done\n");
    let rescue = place.spaces.rescue(&id, &label("turn-001")).unwrap().unwrap();
    let work = place.spaces.lay(&id, &base, &base.tree, Some(&rescue)).unwrap();
    assert!(!work.join("half.txt").exists());
    assert_eq!(said(&work, &["show", "refs/trueup/rescue:half.txt"]), "half done");
    let kept = said(&place.state.results(), &["rev-parse", "refs/rescue/T-1.1/turn-001"]);
    assert_eq!(kept, rescue.as_str());
    // Killed once more: what the first try left stays where it was saved.
    write(&work.join("other.txt"), "another half\n");
    let again = place.spaces.rescue(&id, &label("turn-001")).unwrap().unwrap();
    let refs = ["refs/rescue/T-1.1/turn-001", "refs/rescue/T-1.1/turn-001.2"];
    let kept = refs.map(|name| said(&place.state.results(), &["rev-parse", name]));
    assert_eq!(kept, [rescue.as_str(), again.as_str()]);
    // A rescue that is nothing but the base is lent just as well.
    let work = place.spaces.lay(&id, &base, &base.tree, Some(&base.tree)).unwrap();
    assert_eq!(said(&work, &["diff", "--stat", "refs/trueup/rescue", "HEAD"]), "");
}

#[test]
fn nothing_is_rescued_where_there_is_no_workspace() {
    let place = Place::new();
    let id = run("T-1.1");
    assert_eq!(place.spaces.rescue(&id, &label("turn-001")).unwrap(), None);
    place.lay(&id);
    assert!(place.spaces.exists(&id));
    place.spaces.remove_workspace(&id).unwrap();
    assert!(!place.spaces.exists(&id));
    place.spaces.remove_workspace(&id).unwrap();
}

#[test]
fn a_workspace_that_resists_removal_is_removed() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    write(&work.join("deep/er/file"), "x");
    for folder in ["deep/er", "deep"] {
        let locked = std::os::unix::fs::PermissionsExt::from_mode(0o000);
        fs::set_permissions(work.join(folder), locked).unwrap();
    }
    place.spaces.remove_workspace(&id).unwrap();
    assert!(!place.spaces.exists(&id));
}
