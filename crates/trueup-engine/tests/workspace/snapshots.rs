//! A snapshot is the tree of what lies there; a room is that tree again.

use crate::place::{Place, git, label, plain, run, said, write};
use std::{
    ffi::OsStr,
    fs::{self, File},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt, symlink},
    },
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use trueup_core::turn::Finding;

/// Every file, link and its bytes, without the clone's `.git`.
fn contents(root: &Path) -> Vec<(Vec<u8>, u32, Vec<u8>)> {
    let mut all: Vec<_> = crate::place::print(root)
        .into_iter()
        .filter(|(name, _)| !name.starts_with(".git/"))
        .map(|(name, (mode, _, bytes))| (name.into_bytes(), mode, bytes))
        .collect();
    all.sort();
    all
}

fn about<'a>(findings: &'a [Finding], path: &str) -> &'a str {
    let found = findings.iter().find(|finding| finding.path == path);
    found.map_or_else(
        || panic!("no finding about {path:?} in {findings:?}"),
        |one| one.what.as_str(),
    )
}

#[test]
fn whatever_git_can_hold_comes_back_as_it_was() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    write(&work.join("-rf"), "dash\n");
    write(&work.join(":(glob)x"), "magic\n");
    write(&work.join("new\nline \"quoted\" \\ back"), "odd\n");
    write(&work.join("grüße/😀.txt"), "unicode\n");
    write(&work.join(OsStr::from_bytes(b"latin-\xe9")), "not unicode\n");
    write(&work.join("binary"), [0u8, 255, 13, 10, 0]);
    write(&work.join("crlf.txt"), "a\r\nb\r\n");
    write(&work.join("empty"), "");
    write(&work.join("run.sh"), "#!/bin/sh\n");
    fs::set_permissions(work.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("/etc/passwd", work.join("outside")).unwrap();
    symlink("nowhere", work.join("dangling")).unwrap();
    symlink("src", work.join("folder-link")).unwrap();
    fs::create_dir(work.join("empty-folder")).unwrap();
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    assert_eq!(snapshot.findings, []);
    let room = place.spaces.room(&id, "AC-1", &snapshot.tree).unwrap();
    assert_eq!(contents(room.path()), contents(&work));
    assert!(!room.path().join("empty-folder").exists() && !room.path().join(".git").exists());
    let files = place.spaces.files(&snapshot.tree).unwrap();
    let read = place.spaces.read_many(&snapshot.tree, &files).unwrap();
    assert_eq!(
        read.len(),
        files.len(),
        "every listed file can be read by the listed name"
    );
}

#[test]
fn a_file_may_become_a_folder_and_a_folder_a_link() {
    let place = Place::with(|repo| write(&repo.join("lib/x/deep"), "deep\n"));
    let id = run("T-1.1");
    let (_, snapshot) = place.after(&id, |work| {
        fs::remove_file(work.join("README.md")).unwrap();
        write(&work.join("README.md/inside"), "inside\n");
        fs::remove_dir_all(work.join("lib")).unwrap();
        fs::create_dir_all(work.join("elsewhere/x")).unwrap();
        write(&work.join("elsewhere/x/deep"), "deep\n");
        symlink("elsewhere", work.join("lib")).unwrap();
    });
    assert_eq!(snapshot.findings, []);
    let room = place.spaces.room(&id, "AC-1", &snapshot.tree).unwrap();
    assert_eq!(contents(room.path()), contents(&place.state.workspace(&id)));
}

#[test]
fn ignored_files_are_left_out_and_tracked_ones_are_not() {
    let place = Place::with(|repo| {
        write(&repo.join("kept.log"), "tracked\n");
        git(repo, &["add", "-f", "kept.log"]);
    });
    let (_, snapshot) = place.after(&run("T-1.1"), |work| {
        write(&work.join("kept.log"), "edited\n");
        write(&work.join("new.log"), "ignored\n");
        write(&work.join("target/debug/x"), "ignored\n");
        write(&work.join("sub/.gitignore"), "*.tmp\n");
        write(&work.join("sub/a.tmp"), "ignored\n");
    });
    let files = place.spaces.files(&snapshot.tree).unwrap();
    assert_eq!(
        files,
        [".gitignore", "README.md", "kept.log", "src/lib.rs", "sub/.gitignore"]
    );
    assert_eq!(
        place.spaces.read(&snapshot.tree, "kept.log").unwrap().unwrap(),
        b"edited\n"
    );
}

/// Sleeps into the first moments of a second, so that what follows shares it.
fn wait_for_a_fresh_second() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    thread::sleep(Duration::from_nanos(u64::from(1_010_000_000 - now.subsec_nanos())));
}

#[test]
fn an_edit_that_keeps_size_and_time_is_seen() {
    let place = Place::new();
    for turn in 0..6 {
        let id = run(&format!("T-1.{turn}"));
        let (_, work) = place.lay(&id);
        let file = work.join("README.md");
        let time = fs::metadata(&file).unwrap().modified().unwrap();
        if turn % 2 == 0 {
            wait_for_a_fresh_second();
        }
        for text in ["HELLO\n", "WORLD\n", "AGAIN\n"] {
            write(&file, text);
            File::options()
                .write(true)
                .open(&file)
                .unwrap()
                .set_modified(time)
                .unwrap();
            let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
            let seen = place.spaces.read(&snapshot.tree, "README.md").unwrap().unwrap();
            assert_eq!(seen, text.as_bytes());
        }
    }
}

#[test]
fn a_nested_repository_is_a_finding_and_never_a_link() {
    let place = Place::with(|repo| write(&repo.join("tracked/file"), "as it was\n"));
    let (_, snapshot) = place.after(&run("T-1.1"), |work| {
        for (folder, marker) in [
            ("plain", ".git"),
            ("upper", ".GIT"),
            ("mixed", ".Git"),
            ("dotted", ".git."),
        ] {
            write(&work.join(folder).join("file"), "inside\n");
            write(&work.join(folder).join(marker).join("HEAD"), "ref: refs/heads/main\n");
        }
        write(&work.join("pointer/.git"), "gitdir: ../elsewhere\n");
        write(&work.join("pointer/file"), "inside\n");
        fs::create_dir_all(work.join("whole")).unwrap();
        git(&work.join("whole"), &["init", "-q"]);
        write(&work.join("whole/file"), "inside\n");
        fs::create_dir_all(work.join("committed")).unwrap();
        git(&work.join("committed"), &["init", "-q"]);
        git(&work.join("committed"), &["commit", "-q", "--allow-empty", "-m", "x"]);
        git(&work.join("tracked"), &["init", "-q"]);
        write(&work.join("tracked/file"), "edited inside\n");
        write(&work.join("target/dep/.git/HEAD"), "ignored anyway\n");
        write(&work.join(".GIT/config"), "[core]\n");
    });
    for folder in [
        "plain",
        "upper",
        "mixed",
        "dotted",
        "pointer",
        "whole",
        "committed",
        "tracked",
    ] {
        assert!(about(&snapshot.findings, folder).contains("repository of its own"));
    }
    assert!(about(&snapshot.findings, ".GIT").contains("keeps this name"));
    assert_eq!(snapshot.findings.len(), 9, "{:?}", snapshot.findings);
    let listed = said(&place.state.results(), &["ls-tree", "-r", snapshot.tree.as_str()]);
    assert!(!listed.contains("160000") && !listed.contains("inside"));
    let frozen = place.spaces.read(&snapshot.tree, "tracked/file").unwrap().unwrap();
    assert_eq!(frozen, b"as it was\n", "what was there before stays as it was");
}

#[test]
fn links_of_the_base_stay_as_they_are() {
    let oid = "1234567890123456789012345678901234567890";
    let place = Place::new();
    let entry = format!("160000,{oid},vendor/dep");
    git(&place.repo, &["update-index", "--add", "--cacheinfo", &entry]);
    git(&place.repo, &["commit", "-q", "-m", "link"]);
    let id = run("T-1.1");
    let (base, snapshot) = place.after(&id, |work| {
        write(&work.join("vendor/dep/file"), "inside\n");
        git(&work.join("vendor/dep"), &["init", "-q"]);
    });
    assert_eq!((&snapshot.tree, snapshot.findings.len()), (&base.tree, 0));
    fs::remove_dir_all(place.state.workspace(&id).join("vendor")).unwrap();
    let gone = place.spaces.snapshot(&id, &label("turn-002")).unwrap();
    assert_eq!(gone.tree, base.tree);
    let room = place.spaces.room(&id, "AC-1", &base.tree).unwrap();
    assert!(room.path().join("vendor/dep").is_dir());
}

#[test]
fn what_git_cannot_hold_is_a_finding_and_never_an_error() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    for pipe in [
        "pipe",
        "deep/.gitignore",
        "deep/.gitattributes",
        "README.md",
        "out.log",
        "odd/.git",
        "odd/.gitignore",
        ".GIT/.gitignore",
    ] {
        let path = work.join(pipe);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        drop(fs::remove_file(&path));
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    write(&work.join("deep/file"), "taken\n");
    write(&work.join("sub/git~1"), "refused name\n");
    symlink("README.md", work.join(".gitmodules")).unwrap();
    write(&work.join("utf/.gitattributes"), "*.txt working-tree-encoding=UTF-16\n");
    write(&work.join("utf/bad.txt"), "not utf-16");
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    for path in ["pipe", "deep/.gitignore", "deep/.gitattributes", "README.md"] {
        assert!(about(&snapshot.findings, path).contains("pipe"));
    }
    for path in ["sub/git~1", ".gitmodules", "utf/bad.txt"] {
        assert!(about(&snapshot.findings, path).contains("left out"));
    }
    assert!(about(&snapshot.findings, "odd").contains("repository of its own"));
    assert!(about(&snapshot.findings, ".GIT").contains("keeps this name"));
    assert_eq!(snapshot.findings.len(), 9, "{:?}", snapshot.findings);
    let files = place.spaces.files(&snapshot.tree).unwrap();
    assert_eq!(files, [".gitignore", "deep/file", "src/lib.rs", "utf/.gitattributes"]);
}

#[test]
fn what_cannot_be_read_is_a_finding_and_stays_as_it_was() {
    let place = Place::with(|repo| write(&repo.join("shut/tracked"), "tracked\n"));
    let id = run("T-1.1");
    let (base, work) = place.lay(&id);
    write(&work.join("README.md"), "edited\n");
    write(&work.join("new"), "new\n");
    for path in ["README.md", "new", "shut"] {
        fs::set_permissions(work.join(path), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    // A superuser reads everything.
    if File::open(work.join("new")).is_err() {
        for path in ["README.md", "new", "shut"] {
            assert!(about(&snapshot.findings, path).contains("Permission denied"));
        }
        assert_eq!((snapshot.findings.len(), &snapshot.tree), (3, &base.tree));
    } else {
        assert_eq!(snapshot.findings, []);
        assert_eq!(place.spaces.changes(&base.tree, &snapshot.tree).unwrap().len(), 2);
    }
}

#[test]
fn findings_are_counted_not_listed_without_end() {
    let place = Place::new();
    let (_, snapshot) = place.after(&run("T-1.1"), |work| {
        (0..300).for_each(|n| write(&work.join(format!("n{n}/git~1")), "x"));
    });
    assert_eq!(snapshot.findings.len(), 51);
    assert!(about(&snapshot.findings, ".").contains("250 more"));
}

#[test]
fn attributes_that_hide_from_archives_change_nothing() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, snapshot) = place.after(&id, |work| {
        write(
            &work.join(".gitattributes"),
            "hidden.txt export-ignore\nstamp.txt export-subst\n",
        );
        write(&work.join("hidden.txt"), "here\n");
        write(&work.join("stamp.txt"), "$Format:%H$\n");
    });
    let room = place.spaces.room(&id, "AC-1", &snapshot.tree).unwrap();
    assert_eq!(contents(room.path()), contents(&place.state.workspace(&id)));
    let archived = git(&place.state.results(), &["archive", snapshot.tree.as_str()]);
    let naive = String::from_utf8_lossy(&archived).contains("here");
    assert!(!naive, "an archive, the known-bad way, does leave it out");
}

#[test]
fn line_endings_are_converted_as_git_does_and_come_back() {
    let place = Place::with(|repo| {
        write(&repo.join(".gitattributes"), "*.bat text eol=crlf\n*.txt text=auto\n");
        write(&repo.join("run.bat"), "echo\r\n");
        write(&repo.join("a.txt"), "a\n");
    });
    let id = run("T-1.1");
    let (base, snapshot) = place.after(&id, |_| {});
    assert_eq!(snapshot.tree, base.tree, "looking changes nothing");
    assert_eq!(place.spaces.read(&base.tree, "run.bat").unwrap().unwrap(), b"echo\n");
    let room = place.spaces.room(&id, "AC-1", &base.tree).unwrap();
    assert_eq!(fs::read(room.path().join("run.bat")).unwrap(), b"echo\r\n");
    assert_eq!(contents(room.path()), contents(&place.state.workspace(&id)));
}

#[test]
fn files_that_were_never_normalised_stay_until_somebody_edits_them() {
    let place = Place::new();
    write(&place.repo.join("old.txt"), "a\r\nb\r\n");
    write(&place.repo.join("edited.txt"), "a\r\nb\r\n");
    git(&place.repo, &["add", "-A"]);
    git(&place.repo, &["commit", "-q", "-m", "as it came"]);
    write(&place.repo.join(".gitattributes"), "*.txt text\n");
    git(&place.repo, &["add", ".gitattributes"]);
    git(&place.repo, &["commit", "-q", "-m", "attributes"]);
    let id = run("T-1.1");
    let (base, snapshot) = place.after(&id, |work| {
        // Touched, so that git looks again however late this is.
        let file = File::options().write(true).open(work.join("old.txt")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    });
    assert_eq!(snapshot.tree, base.tree);
    write(&place.state.workspace(&id).join("edited.txt"), "a\r\nB\r\n");
    let edited = place.spaces.snapshot(&id, &label("turn-002")).unwrap();
    let changes = place.spaces.changes(&base.tree, &edited.tree).unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(
        place.spaces.read(&edited.tree, "edited.txt").unwrap().unwrap(),
        b"a\nB\n"
    );
}

#[test]
fn rooms_of_one_name_are_built_side_by_side() {
    let place = Place::new();
    let id = run("T-1.1");
    let base = place.spaces.base("HEAD").unwrap();
    thread::scope(|scope| {
        let build = || place.spaces.room(&id, "AC-1", &base.tree).unwrap();
        let all: Vec<_> = (0..6).map(|_| scope.spawn(build)).collect();
        let rooms: Vec<_> = all.into_iter().map(|one| one.join().unwrap()).collect();
        assert!(rooms.iter().all(|room| contents(room.path()).len() == 3));
    });
    assert_eq!(fs::read_dir(place.state.rooms(&id)).unwrap().count(), 0);
}

#[test]
fn a_room_goes_when_it_is_dropped_and_leftovers_go_with_a_sweep() {
    let place = Place::new();
    let id = run("T-1.1");
    let base = place.spaces.base("HEAD").unwrap();
    let room = place.spaces.room(&id, "AC-1", &base.tree).unwrap();
    let twin = place.spaces.room(&id, "AC-1", &base.tree).unwrap();
    assert_ne!(room.path(), twin.path());
    let path = room.path().to_path_buf();
    write(&path.join("locked/file"), "x");
    fs::set_permissions(path.join("locked"), fs::Permissions::from_mode(0o500)).unwrap();
    drop(room);
    assert!(!path.exists() && twin.path().join("README.md").exists());
    std::mem::forget(twin);
    place.spaces.sweep_rooms(&id).unwrap();
    assert!(!place.state.rooms(&id).exists());
    place.spaces.sweep_rooms(&id).unwrap();
}

#[test]
fn a_stale_lock_of_ours_is_healed() {
    let place = Place::new();
    let id = run("T-1.1");
    place.lay(&id);
    let refs = place.state.results().join("refs/runs/T-1.1");
    write(&refs.join("turn-001.lock"), "");
    write(&place.state.run(&id).join("index.lock"), "");
    write(&place.state.run(&id).join("index.working.1.1.lock"), "");
    let start = Instant::now();
    place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    assert!(start.elapsed() >= Duration::from_secs(2), "it was waited for first");
    assert!(!refs.join("turn-001.lock").exists());
    let left: Vec<_> = fs::read_dir(place.state.run(&id))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["index"]);
}

#[test]
fn a_lock_that_lives_is_waited_for() {
    let place = Place::new();
    let id = run("T-1.1");
    place.lay(&id);
    let lock = place.state.results().join("refs/runs/T-1.1/turn-001.lock");
    write(&lock, "");
    let inode = fs::metadata(&lock).unwrap().ino();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(700));
            assert_eq!(
                fs::metadata(&lock).unwrap().ino(),
                inode,
                "nobody removed it before its time"
            );
            fs::remove_file(&lock).unwrap();
        });
        place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    });
}

#[test]
fn a_snapshot_outlives_tidying() {
    let place = Place::new();
    let (_, snapshot) = place.after(&run("T-1.1"), |work| write(&work.join("new"), "new\n"));
    git(&place.state.results(), &["gc", "-q", "--prune=now"]);
    assert_eq!(place.spaces.read(&snapshot.tree, "new").unwrap().unwrap(), b"new\n");
    assert!(plain(&place.state.results(), &["fsck", "--strict"]).status.success());
}

#[test]
fn a_workspace_that_its_agent_closed_is_opened_again() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    write(&work.join("made.txt"), "made\n");
    fs::set_permissions(&work, fs::Permissions::from_mode(0o000)).unwrap();
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    assert_eq!(snapshot.findings, []);
    let room = place.spaces.room(&id, "AC-1", &snapshot.tree).unwrap();
    assert!(room.path().join("made.txt").exists());
    let mode = fs::metadata(&work).unwrap().permissions().mode();
    assert_eq!(mode & 0o700, 0o700, "whoever works there next can enter it");
}

#[test]
fn a_name_that_a_mac_takes_for_that_of_a_repository_is_left_out() {
    let place = Place::new();
    let id = run("T-1.1");
    let (_, work) = place.lay(&id);
    for name in [".g\u{200c}it", "sub/.\u{feff}Git"] {
        write(&work.join(name).join("config"), "[core]\n");
    }
    write(&work.join("g\u{200c}it"), "another name\n");
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    let room = place.spaces.room(&id, "AC-1", &snapshot.tree).unwrap();
    assert!(room.path().join("g\u{200c}it").exists());
    assert!(!room.path().join(".g\u{200c}it").exists() && !room.path().join("sub").exists());
    assert_eq!(snapshot.findings.len(), 2, "{:?}", snapshot.findings);
}
