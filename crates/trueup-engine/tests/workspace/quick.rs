//! Snapshots that are taken without git, against git.

use crate::place::{Place, git, label, plain, run, said, write};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % sides
    }
}

/// One random edit.
fn edit(work: &Path, dice: &mut Dice) {
    let name = |dice: &mut Dice| {
        let depth = dice.roll(4);
        let folders: String = (0..depth).map(|_| format!("d{}/", dice.roll(4))).collect();
        format!("{folders}f{}", dice.roll(12))
    };
    let path = work.join(name(dice));
    let is_folder = path.symlink_metadata().is_ok_and(|about| about.is_dir());
    let above = path.parent().expect("a folder");
    match dice.roll(8) {
        0 if !is_folder => drop(fs::remove_file(&path)),
        1 if above != work => drop(fs::remove_dir_all(above)),
        2 if !is_folder && fs::create_dir_all(above).is_ok() => {
            drop(fs::remove_file(&path));
            drop(symlink(format!("to-{}", dice.roll(9)), &path));
        }
        3 if path.is_file() && !path.is_symlink() => {
            let mode = if dice.roll(2) == 0 { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        }
        // A folder takes the place of a file, or a file that of a folder.
        4 => {
            drop(fs::remove_file(&path));
            drop(fs::remove_dir_all(&path));
        }
        _ if !is_folder && fs::create_dir_all(above).is_ok() => {
            let text = format!("{}\n", dice.roll(5)).repeat(1 + dice.roll(400) as usize);
            drop(fs::remove_file(&path));
            drop(fs::write(&path, text));
        }
        _ => {}
    }
}

/// The tree plain git makes of a folder's files.
fn by_git(work: &Path, aside: &Path) -> String {
    let index = aside.join("index");
    drop(fs::remove_file(&index));
    let whole = format!("--work-tree={}", work.display());
    let here = format!("--git-dir={}", aside.display());
    let run = |words: &[&str]| {
        let output = std::process::Command::new("git")
            .args([&whole, &here])
            .args(words)
            .current_dir(work)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git");
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    run(&["add", "-A", "."]);
    run(&["write-tree"])
}

fn packs(place: &Place) -> usize {
    let listed = fs::read_dir(place.state.results().join("objects/pack")).expect("packs");
    let names = listed.flatten().map(|entry| entry.path());
    names
        .filter(|path| path.extension().is_some_and(|ext| ext == "pack"))
        .count()
}

/// Random edits of a repository of this object format.
fn against_git(format: &str, seed: u64) {
    let place = Place::made(&[&format!("--object-format={format}")], |repo| {
        for number in 0..40 {
            write(
                &repo.join(format!("d{}/d{}/f{number}", number % 4, number % 3)),
                "base\n",
            );
        }
    });
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    let aside = place.folder.path().join("aside.git");
    git(
        place.folder.path(),
        &[
            "init",
            "-q",
            "--bare",
            &format!("--object-format={format}"),
            "aside.git",
        ],
    );
    let (mut dice, mut quick) = (Dice(seed), 0);
    for turn in 0..30 {
        for _ in 0..=dice.roll(12) {
            edit(&work, &mut dice);
        }
        let before = packs(&place);
        let snapshot = place
            .spaces
            .snapshot(&id, &label(&format!("turn-{turn}")))
            .expect("a tree");
        quick += usize::from(packs(&place) != before);
        assert_eq!(snapshot.findings, []);
        assert_eq!(
            snapshot.tree.as_str(),
            by_git(&work, &aside),
            "seed {seed}, turn {turn}"
        );
    }
    assert!(quick > 10, "git was asked most of the time: {quick}");
    let results = place.state.results();
    let checked = plain(&results, &["fsck", "--strict", "--full", "--no-dangling"]);
    let words = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{words}");
    // Git reads the index that is kept, and finds in it what lies there.
    let index = place.state.run(&id).join("index");
    let index = format!("{}", index.display());
    let tree = std::process::Command::new("git")
        .args(["write-tree"])
        .current_dir(&results)
        .env("GIT_INDEX_FILE", &index)
        .output()
        .expect("git");
    assert_eq!(String::from_utf8_lossy(&tree.stdout).trim(), by_git(&work, &aside));
}

#[test]
fn what_is_taken_without_git_is_what_git_would_take() {
    for seed in 1..=3 {
        against_git("sha1", seed);
    }
    against_git("sha256", 7);
}

#[test]
fn packs_stay_few_and_lose_nothing() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    let mut trees = Vec::new();
    for turn in 0..100 {
        // What comes back lies in more than one pack.
        write(&work.join("src/lib.rs"), format!("{}\n", turn % 30));
        write(&work.join("more/file"), format!("{turn}\n"));
        let snapshot = place
            .spaces
            .snapshot(&id, &label(&format!("turn-{turn}")))
            .expect("a tree");
        trees.push(snapshot.tree);
        assert!(packs(&place) <= 40, "turn {turn}: {}", packs(&place));
    }
    let results = place.state.results();
    let checked = plain(&results, &["fsck", "--strict", "--full", "--no-dangling"]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    for (turn, tree) in trees.iter().enumerate() {
        let read = place.spaces.read(tree, "more/file").expect("a file");
        assert_eq!(read, Some(format!("{turn}\n").into_bytes()));
    }
    let packed = said(&results, &["count-objects", "-v"]);
    assert!(packed.contains("garbage: 0"), "{packed}");
}

#[test]
fn names_and_contents_that_are_not_plain_still_come_in() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    write(&work.join("README.md"), "edited\n");
    write(&work.join("gr\u{fc}n"), "no git needed\n");
    let before = packs(&place);
    place.spaces.snapshot(&id, &label("turn-000")).expect("a tree");
    assert_eq!(packs(&place), before + 1, "a name like others");
    write(&work.join("a:b"), "git takes this one\n");
    let before = packs(&place);
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).expect("a tree");
    assert_eq!(packs(&place), before, "such a name is left to git");
    let listed = said(
        &place.state.results(),
        &["ls-tree", "-z", "--name-only", snapshot.tree.as_str()],
    );
    assert!(listed.contains("gr\u{fc}n") && listed.contains("a:b"), "{listed}");
}
