//! Opening a run reads the person's repository and writes none of it.

use crate::place::{AT, Place, git, label, print, run, said, somebody, write};
use std::{fs, os::unix::fs::symlink, thread};
use tempfile::TempDir;
use trueup_engine::{
    state::StateRoot,
    workspace::{Error, Workspaces},
};

#[test]
fn many_may_open_one_state_root_at_once() {
    let folder = TempDir::new().unwrap();
    let repo = folder.path().join("repo");
    fs::create_dir(&repo).unwrap();
    git(&repo, &["init", "-q"]);
    write(&repo.join("a"), "a");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-q", "-m", "a"]);
    let state = folder.path().join("state");
    thread::scope(|scope| {
        let open = || {
            let state = StateRoot::open(&state).unwrap();
            Workspaces::open(&state, &repo).unwrap().base("HEAD").unwrap()
        };
        let all: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        let bases: Vec<_> = all.into_iter().map(|one| one.join().unwrap()).collect();
        assert!(bases.iter().all(|base| *base == bases[0]));
    });
    let left: Vec<_> = fs::read_dir(&state)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 11, "nothing was left beside: {left:?}");
}

#[test]
fn a_base_brings_its_own_history_and_nothing_else() {
    let place = Place::new();
    git(&place.repo, &["switch", "-q", "-c", "secret"]);
    write(&place.repo.join("secret.txt"), "secret\n");
    git(&place.repo, &["add", "-A"]);
    git(&place.repo, &["commit", "-q", "-m", "secret"]);
    let secret = place.tip("HEAD:secret.txt");
    git(&place.repo, &["tag", "v1"]);
    git(&place.repo, &["switch", "-q", "main"]);
    let base = place.spaces.base("main").unwrap();
    assert_eq!(base.commit.as_str(), place.tip("main"));
    assert_eq!(base.tree.as_str(), place.tip("main^{tree}"));
    assert_eq!(base.name, "main");
    let refs = said(&place.state.store(), &["for-each-ref", "--format=%(refname)"]);
    assert_eq!(refs, format!("refs/bases/{}", base.commit));
    let objects = said(
        &place.state.store(),
        &["cat-file", "--batch-all-objects", "--batch-check"],
    );
    assert!(!objects.contains(&secret));
}

#[test]
fn an_unknown_revision_is_named() {
    let place = Place::new();
    for rev in ["nowhere", "--all", "HEAD:README.md", ""] {
        let refused = place.spaces.base(rev).unwrap_err();
        assert!(matches!(refused, Error::UnknownRevision(named) if named == rev));
    }
}

#[test]
fn a_folder_without_a_repository_is_refused() {
    let folder = TempDir::new().unwrap();
    let state = StateRoot::open(&folder.path().join("state")).unwrap();
    let refused = Workspaces::open(&state, folder.path()).unwrap_err();
    assert!(matches!(refused, Error::NoRepository { .. }), "{refused}");
    let refused = Workspaces::open(&state, &folder.path().join("missing")).unwrap_err();
    assert!(matches!(refused, Error::NoRepository { .. }), "{refused}");
}

fn make_a_mess(place: &Place) {
    let repo = &place.repo;
    write(&repo.join("README.md"), "edited, not staged\n");
    write(&repo.join("staged.txt"), "staged\n");
    git(repo, &["add", "staged.txt"]);
    write(&repo.join("twice.txt"), "one\n");
    git(repo, &["add", "twice.txt"]);
    write(&repo.join("twice.txt"), "two\n");
    write(&repo.join("-dash new\nline.txt"), "odd\n");
    write(&repo.join("out.log"), "ignored\n");
    write(&repo.join("private.txt"), "excluded by the person\n");
    write(&repo.join(".git/info/exclude"), "private.txt\n");
    symlink("README.md", repo.join("link")).unwrap();
    fs::remove_file(repo.join("src/lib.rs")).unwrap();
}

#[test]
fn uncommitted_changes_become_a_base_and_stay_where_they_are() {
    let place = Place::new();
    make_a_mess(&place);
    let before = place.print();
    let base = place.spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
    let again = place
        .other_state("other")
        .base_with_changes("main", AT, &somebody())
        .unwrap();
    assert_eq!(base.commit, again.commit, "the same files make the same commit");
    let mut uncommitted = place.spaces.uncommitted().unwrap();
    uncommitted.sort();
    assert_eq!(before, place.print(), "the checkout and the index are only read");
    let changed = [
        "-dash new\nline.txt",
        "README.md",
        "link",
        "src/lib.rs",
        "staged.txt",
        "twice.txt",
    ];
    assert_eq!(uncommitted, changed);
    let plain = place.spaces.base("HEAD").unwrap();
    let changes = place.spaces.changes(&plain.tree, &base.tree).unwrap();
    assert_eq!(
        changes.into_iter().map(|change| change.path).collect::<Vec<_>>(),
        changed
    );
    assert_eq!(place.spaces.read(&base.tree, "twice.txt").unwrap().unwrap(), b"two\n");
    let missing = git(
        &place.state.store(),
        &["rev-list", "--objects", "--missing=print", base.commit.as_str()],
    );
    assert!(
        !String::from_utf8_lossy(&missing).contains('?'),
        "the store holds all of it"
    );
    let work = place.spaces.lay(&run("T-1.1"), &base, &base.tree, None).unwrap();
    assert_eq!(said(&work, &["status", "--porcelain"]), "");
}

#[test]
fn what_the_person_told_git_to_overlook_is_overlooked() {
    let place = Place::new();
    git(&place.repo, &["update-index", "--assume-unchanged", "README.md"]);
    write(&place.repo.join("README.md"), "only here, and longer\n");
    write(&place.repo.join("new.txt"), "new\n");
    let base = place.spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
    assert_eq!(place.spaces.uncommitted().unwrap(), ["new.txt"]);
    assert_eq!(place.spaces.read(&base.tree, "README.md").unwrap().unwrap(), b"hello\n");
}

#[test]
fn with_nothing_uncommitted_the_base_is_the_revision() {
    let place = Place::new();
    write(&place.repo.join("out.log"), "ignored\n");
    let base = place.spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
    assert_eq!(base, place.spaces.base("HEAD").unwrap());
}

#[test]
fn uncommitted_changes_are_taken_on_top_of_head_only() {
    let place = Place::new();
    git(&place.repo, &["branch", "old"]);
    git(&place.repo, &["commit", "-q", "--allow-empty", "-m", "second"]);
    let refused = place.spaces.base_with_changes("old", AT, &somebody()).unwrap_err();
    assert!(matches!(refused, Error::NotOnHead(_)));
}

#[test]
fn a_same_size_edit_in_the_second_of_the_persons_commit_is_taken() {
    for turn in 0..5 {
        let place = Place::new();
        write(&place.repo.join("README.md"), format!("hell{turn}\n"));
        let base = place.spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
        let read = place.spaces.read(&base.tree, "README.md").unwrap().unwrap();
        assert_eq!(read, format!("hell{turn}\n").as_bytes());
    }
}

#[test]
fn nothing_but_publishing_writes_the_persons_repository() {
    let place = Place::new();
    git(&place.repo, &["branch", "other"]);
    write(&place.repo.join("README.md"), "uncommitted\n");
    git(&place.repo, &["stash"]);
    make_a_mess(&place);
    let before = place.print();
    let id = run("T-1.1");
    let spaces = Workspaces::open(&place.state, &place.repo).unwrap();
    let base = spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
    spaces.uncommitted().unwrap();
    drop(spaces.author());
    spaces.branch("main").unwrap().unwrap();
    assert!(spaces.is_ignored("target/x").unwrap());
    assert!(spaces.is_ignored("private.txt").unwrap());
    assert!(!spaces.is_ignored("README.md").unwrap());
    let work = spaces.lay(&id, &base, &base.tree, None).unwrap();
    write(&work.join("new"), "new");
    let snapshot = spaces.snapshot(&id, &label("turn-001")).unwrap();
    spaces.rescue(&id, &label("turn-002")).unwrap();
    spaces.room(&id, "AC-1", &snapshot.tree).unwrap();
    spaces.sweep_rooms(&id).unwrap();
    spaces.diff(&base.tree, &snapshot.tree).unwrap();
    spaces.commit(&id, &crate::place::wish(&base, &snapshot.tree)).unwrap();
    spaces.remove_workspace(&id).unwrap();
    assert_eq!(before, place.print());
}

#[test]
fn reading_waits_for_no_lock_of_the_person() {
    let place = Place::new();
    make_a_mess(&place);
    write(&place.repo.join(".git/index.lock"), "");
    let before = place.print();
    assert_eq!(place.spaces.uncommitted().unwrap().len(), 6);
    place.spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
    assert_eq!(before, place.print());
}

#[test]
fn the_author_is_whom_git_knows() {
    let place = Place::new();
    git(&place.repo, &["config", "user.name", "Grace Hopper"]);
    git(&place.repo, &["config", "user.email", "grace@example.org"]);
    let author = place.spaces.author().unwrap();
    assert_eq!(
        (author.name.as_str(), author.email.as_str()),
        ("Grace Hopper", "grace@example.org")
    );
    git(&place.repo, &["config", "user.name", ""]);
    let refused = place.spaces.author().unwrap_err();
    assert!(
        refused.to_string().contains("git config --global user.name"),
        "{refused}"
    );
}

#[test]
fn a_repository_of_sha256_works_like_any_other() {
    let place = Place::made(&["--object-format=sha256"], |_| {});
    let id = run("T-1.1");
    let publish = place.finished(&id);
    assert_eq!(publish.commit.as_str().len(), 64);
    place.spaces.publish(&id, &publish).unwrap();
    assert_eq!(place.tip("trueup/T-1"), publish.commit.as_str());
    let other = Place::new();
    let refused = Workspaces::open(&place.state, &other.repo).unwrap_err();
    assert!(matches!(refused, Error::ObjectFormat { .. }), "{refused}");
}

#[test]
fn a_linked_worktree_works_like_any_other_checkout() {
    let place = Place::new();
    let linked = place.folder.path().join("linked");
    git(
        &place.repo,
        &["worktree", "add", "-q", "-b", "side", linked.to_str().unwrap()],
    );
    write(&linked.join("side.txt"), "side\n");
    git(&linked, &["add", "-A"]);
    git(&linked, &["commit", "-q", "-m", "side"]);
    write(&linked.join("more.txt"), "more\n");
    let before = (place.print(), print(&linked));
    let spaces = Workspaces::open(&place.state, &linked).unwrap();
    assert_eq!(spaces.base("HEAD").unwrap().commit.as_str(), place.tip("side"));
    let base = spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
    assert!(spaces.tree_has(&base.tree, "more.txt").unwrap());
    assert!(before == (place.print(), print(&linked)));
    let publish = Place {
        spaces,
        repo: linked,
        state: place.state.clone(),
        folder: place.folder,
    };
    let id = run("T-1.1");
    let wish = publish.finished(&id);
    publish.spaces.publish(&id, &wish).unwrap();
    assert_eq!(publish.tip("trueup/T-1"), wish.commit.as_str());
}

#[test]
fn a_bare_repository_works_without_a_checkout() {
    let place = Place::new();
    let bare = place.folder.path().join("bare.git");
    git(&place.repo, &["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let place = Place::over(place.folder, &bare);
    assert!(place.spaces.uncommitted().unwrap().is_empty() && !place.spaces.is_ignored("x.log").unwrap());
    let refused = place.spaces.base_with_changes("HEAD", AT, &somebody()).unwrap_err();
    assert!(matches!(refused, Error::NoCheckout));
    let id = run("T-1.1");
    let publish = place.finished(&id);
    place.spaces.publish(&id, &publish).unwrap();
    assert_eq!(place.tip("trueup/T-1"), publish.commit.as_str());
}

#[test]
fn a_shallow_repository_works_as_far_as_it_reaches() {
    let place = Place::new();
    git(&place.repo, &["commit", "-q", "--allow-empty", "-m", "second"]);
    let shallow = place.folder.path().join("shallow");
    let from = format!("file://{}", place.repo.display());
    git(
        place.folder.path(),
        &["clone", "-q", "--depth=1", &from, shallow.to_str().unwrap()],
    );
    let place = Place::over(place.folder, &shallow);
    let id = run("T-1.1");
    let publish = place.finished(&id);
    let work = place.state.workspace(&id);
    assert_eq!(said(&work, &["rev-list", "--count", "HEAD"]), "1");
    let before = place.print();
    place.spaces.publish(&id, &publish).unwrap();
    assert_eq!(
        crate::place::differing(&before, &place.print()),
        [".git/refs/heads/trueup/T-1"]
    );
    git(&shallow, &["fsck"]);
}
