//! Contents kept by Git LFS, followed without git-lfs.

use super::place::{AT, Place, git, label, run, said, somebody, wish, write};
use std::{
    fs,
    path::{Path, PathBuf},
};
use trueup_core::{digest::Digest, effect::Publish};
use trueup_engine::workspace::{Delivery, Error};

const TEXT: &str = "a content of some length\n";

/// A pointer to a content, in the words of this version.
fn pointer(version: &str, text: &str) -> String {
    format!(
        "version {version}\noid sha256:{}\nsize {}\n",
        Digest::of(text.as_bytes()),
        text.len()
    )
}

/// Where a content lies in a store.
fn place(store: &Path, text: &str) -> PathBuf {
    let digest = Digest::of(text.as_bytes()).to_string();
    store.join(&digest[..2]).join(&digest[2..4]).join(digest)
}

/// A repository with a pointer, in words git-lfs itself no longer writes.
fn kept() -> Place {
    let place_of = Place::with(|repo| {
        write(&repo.join(".gitattributes"), "*.bin filter=lfs -text\n");
        write(
            &repo.join("one.bin"),
            pointer("https://hawser.github.com/spec/v1", TEXT),
        );
    });
    write(&place(&place_of.repo.join(".git/lfs/objects"), TEXT), TEXT);
    place_of
}

#[test]
fn a_pointer_in_other_words_stays_as_it_was() {
    let place = kept();
    let (base, snapshot) = place.after(&run("r"), |work| {
        assert_eq!(fs::read_to_string(work.join("one.bin")).unwrap(), TEXT);
        // Written anew, with the same bytes.
        write(&work.join("one.bin"), TEXT);
    });
    assert_eq!(snapshot.tree, base.tree);
    assert_eq!(snapshot.findings, []);
}

#[test]
fn where_nobody_runs_git_lfs_its_attributes_change_no_byte() {
    let place = Place::new();
    let (_, snapshot) = place.after(&run("r"), |work| {
        write(&work.join(".gitattributes"), "*.bin filter=lfs -text\n");
        write(&work.join("new.bin"), TEXT);
    });
    let held = place.spaces.read(&snapshot.tree, "new.bin").unwrap().unwrap();
    assert_eq!(String::from_utf8(held).unwrap(), TEXT, "as a plain checkout holds it");
}

#[test]
fn attributes_of_one_turn_count_in_the_next() {
    let place = Place::new();
    git(&place.repo, &["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
    let (_, work) = place.lay(&run("r"));
    write(&work.join("sub/.gitattributes"), "*.bin filter=lfs -text\n");
    place.spaces.snapshot(&run("r"), &label("turn-001")).unwrap();
    write(&work.join("sub/new.bin"), TEXT);
    let snapshot = place.spaces.snapshot(&run("r"), &label("turn-002")).unwrap();
    let held = place.spaces.read(&snapshot.tree, "sub/new.bin").unwrap().unwrap();
    let wanted = pointer("https://git-lfs.github.com/spec/v1", TEXT);
    assert_eq!(String::from_utf8(held).unwrap(), wanted);
}

#[test]
fn a_macro_hands_no_file_to_a_program() {
    let place = Place::with(|repo| {
        write(&repo.join(".gitattributes"), "[attr]loud filter=upper\n");
        write(&repo.join("sub/note.txt"), "quiet\n");
    });
    git(&place.repo, &["config", "filter.upper.smudge", "tr a-z A-Z"]);
    let (base, snapshot) = place.after(&run("r"), |work| {
        write(&work.join("sub/.gitattributes"), "*.txt loud\n")
    });
    assert_eq!(snapshot.tree, base.tree);
    assert!(
        snapshot.findings[0]
            .what
            .contains("it hands `sub/note.txt` to the filter `upper`"),
        "{snapshot:?}"
    );
}

#[test]
fn contents_nobody_touched_are_not_read_again() {
    use std::os::unix::fs::MetadataExt;
    let place = kept();
    let (base, work) = place.lay(&run("r"));
    let index = place.state.run(&run("r")).join("index");
    let laid = fs::metadata(&index).unwrap().ino();
    let snapshot = |turn: &str| {
        let snapshot = place.spaces.snapshot(&run("r"), &label(turn)).unwrap();
        (snapshot.tree, fs::metadata(&index).unwrap().ino())
    };
    // Other files were written in one moment with the index, so it may be looked at them once more.
    let (tree, first) = snapshot("turn-001");
    assert_eq!(tree, base.tree);
    assert_eq!(snapshot("turn-002"), (base.tree.clone(), first));
    write(&work.join("two.bin"), "another content\n");
    let (tree, second) = snapshot("turn-003");
    assert_ne!((&tree, second), (&base.tree, laid));
    assert_eq!(snapshot("turn-004"), (tree.clone(), second));
    write(&work.join("two.bin"), "ANOTHER content\n");
    assert_ne!(snapshot("turn-005").0, tree, "an edit of the same length is seen");
}

#[test]
fn attributes_that_change_decide_anew_what_is_a_content() {
    let place = kept();
    let (base, work) = place.lay(&run("r"));
    let held = |label: &trueup_core::id::EffectId| {
        let snapshot = place.spaces.snapshot(&run("r"), label).unwrap();
        assert_ne!(snapshot.tree, base.tree);
        String::from_utf8(place.spaces.read(&snapshot.tree, "one.bin").unwrap().unwrap()).unwrap()
    };
    write(
        &work.join(".gitattributes"),
        "*.bin filter=lfs -text\n*.png filter=lfs -text\n",
    );
    let old = pointer("https://hawser.github.com/spec/v1", TEXT);
    assert_eq!(held(&label("turn-001")), old);
    write(&work.join(".gitattributes"), "*.png filter=lfs -text\n");
    assert_eq!(held(&label("turn-002")), TEXT);
}

#[test]
fn an_agents_own_git_sees_nothing_changed_in_a_fresh_clone() {
    let place = kept();
    let (_, work) = place.lay(&run("r"));
    assert_eq!(said(&work, &["status", "--porcelain"]), "");
}

#[test]
fn a_room_holds_contents_also_when_the_person_pruned_theirs() {
    let place = kept();
    let base = place.spaces.base("HEAD").unwrap();
    fs::remove_dir_all(place.repo.join(".git/lfs")).unwrap();
    let room = place.spaces.room(&run("r"), "AC-1", &base.tree).unwrap();
    assert_eq!(fs::read_to_string(room.path().join("one.bin")).unwrap(), TEXT);
}

#[test]
fn contents_are_found_where_the_person_keeps_them() {
    let place = kept();
    let objects = place.repo.join(".git/lfs/objects");
    let elsewhere = place.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::rename(&objects, elsewhere.join("objects")).unwrap();
    assert_eq!(place.spaces.repository("HEAD").unwrap().unsmudged, ["one.bin"]);
    git(&place.repo, &["config", "lfs.storage", elsewhere.to_str().unwrap()]);
    assert!(place.spaces.repository("HEAD").unwrap().unsmudged.is_empty());
}

#[test]
fn contents_are_found_where_objects_are_borrowed() {
    let place = kept();
    let clone = place.folder.path().join("clone");
    git(place.folder.path(), &["clone", "-q", "--shared", "repo", "clone"]);
    let borrowing = Place::over(place.folder, &clone);
    assert!(borrowing.spaces.repository("HEAD").unwrap().unsmudged.is_empty());
    let (_, work) = borrowing.lay(&run("r"));
    assert_eq!(fs::read_to_string(work.join("one.bin")).unwrap(), TEXT);
}

#[test]
fn a_content_that_is_not_the_one_named_is_never_laid() {
    let place_of = kept();
    let content = place(&place_of.repo.join(".git/lfs/objects"), TEXT);
    fs::write(&content, TEXT.to_uppercase()).unwrap();
    let error = place_of.spaces.base("HEAD").unwrap_err();
    assert!(matches!(&error, Error::Damaged { path } if *path == content), "{error}");
}

#[test]
fn publishing_adds_new_contents_and_nothing_else() {
    let place_of = kept();
    let store = place_of.repo.join(".git/lfs/objects");
    let (base, work) = place_of.lay(&run("r"));
    write(&work.join("new.bin"), "another content\n");
    write(&work.join("gone.bin"), "in no delivered tree\n");
    place_of.spaces.snapshot(&run("r"), &label("turn-001")).unwrap();
    fs::remove_file(work.join("gone.bin")).unwrap();
    let snapshot = place_of.spaces.snapshot(&run("r"), &label("turn-002")).unwrap();
    let commit = place_of.spaces.commit(&run("r"), &wish(&base, &snapshot.tree)).unwrap();
    let publish = Publish {
        branch: "trueup/T-1".into(),
        commit,
        expected: None,
    };
    for _ in 0..2 {
        assert_eq!(place_of.spaces.publish(&run("r"), &publish).unwrap(), Delivery::Done);
    }
    let listed = said(&place_of.repo, &["-c", "core.pager=cat", "ls-files", "--others", "-z"]);
    assert_eq!(listed, "", "the checkout is as it was");
    let mut found: Vec<PathBuf> = Vec::new();
    let mut folders = vec![place_of.repo.join(".git/lfs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                found.push(path)
            }
        }
    }
    found.sort();
    let mut wanted = vec![place(&store, TEXT), place(&store, "another content\n")];
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn uncommitted_contents_become_pointers() {
    let place_of = kept();
    write(&place_of.repo.join("one.bin"), TEXT);
    write(&place_of.repo.join("two.bin"), "not committed\n");
    let base = place_of.spaces.base_with_changes("HEAD", AT, &somebody()).unwrap();
    let held = place_of.spaces.read(&base.tree, "two.bin").unwrap().unwrap();
    let wanted = pointer("https://git-lfs.github.com/spec/v1", "not committed\n");
    assert_eq!(String::from_utf8(held).unwrap(), wanted);
    let was = place_of.spaces.read(&base.tree, "one.bin").unwrap().unwrap();
    assert_eq!(
        String::from_utf8(was).unwrap(),
        pointer("https://hawser.github.com/spec/v1", TEXT)
    );
    assert!(
        !place(&place_of.repo.join(".git/lfs/objects"), "not committed\n").exists(),
        "nothing is written there yet"
    );
}
