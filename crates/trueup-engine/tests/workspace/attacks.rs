//! Whatever an agent plants in its clone, the engine's git runs none of it.

use crate::place::{Place, label, plain, run, wish, write};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

/// Whether plain git, run in the workspace, falls for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    /// It does: the plant is armed.
    Falls,
    /// Not by `status` and `add` alone.
    Withstands,
}

/// A place to plant a command that leaves a marker.
struct Vector {
    name: &'static str,
    plain: Plain,
    plant: fn(work: &Path, command: &str),
}

const VECTORS: &[Vector] = &[
    falls("fsmonitor", |work, command| {
        config(work, &format!("[core]\nfsmonitor = {command}\n"))
    }),
    falls("post-index-change hook", |work, command| {
        hook(&work.join(".git/hooks"), "post-index-change", command)
    }),
    falls("hooks elsewhere", |work, command| {
        hook(&work.join("my-hooks"), "post-index-change", command);
        config(
            work,
            &format!("[core]\nhooksPath = {}\n", work.join("my-hooks").display()),
        );
    }),
    falls("clean filter", |work, command| {
        write(&work.join(".gitattributes"), "* filter=evil\n");
        config(
            work,
            &format!("[filter \"evil\"]\nclean = {command}\nsmudge = {command}\nrequired\n"),
        );
    }),
    falls("filter process", |work, command| {
        write(&work.join(".gitattributes"), "* filter=evil\n");
        config(work, &format!("[filter \"evil\"]\nprocess = {command}\n"));
    }),
    falls("info/attributes", |work, command| {
        write(&work.join(".git/info/attributes"), "* filter=evil\n");
        config(work, &format!("[filter \"evil\"]\nclean = {command}\n"));
    }),
    falls("included configuration", |work, command| {
        write(&work.join("extra"), format!("[core]\nfsmonitor = {command}\n"));
        config(work, &format!("[include]\npath = {}\n", work.join("extra").display()));
    }),
    falls("configuration of the work tree", |work, command| {
        config(
            work,
            "[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\n",
        );
        write(
            &work.join(".git/config.worktree"),
            format!("[core]\nfsmonitor = {command}\n"),
        );
    }),
    falls(".git replaced by a pointer", |work, command| {
        config(
            work,
            &format!("[core]\nfsmonitor = {command}\nworktree = {}\n", work.display()),
        );
        fs::rename(work.join(".git"), work.join("evil")).unwrap();
        write(&work.join(".git"), "gitdir: evil\n");
    }),
    falls(".git replaced by a link", |work, command| {
        config(work, &format!("[core]\nfsmonitor = {command}\n"));
        fs::rename(work.join(".git"), work.join("evil")).unwrap();
        symlink("evil", work.join(".git")).unwrap();
    }),
    falls("commondir", |work, command| {
        let evil = work.join("evil");
        assert!(
            std::process::Command::new("cp")
                .arg("-r")
                .arg(work.join(".git"))
                .arg(&evil)
                .status()
                .unwrap()
                .success()
        );
        append(&evil.join("config"), &format!("[core]\nfsmonitor = {command}\n"));
        write(&work.join(".git/commondir"), "../evil\n");
    }),
    falls("nested repository", |work, command| {
        nested(&work.join("sub"), command);
        crate::place::git(work, &["-c", "core.fsmonitor=false", "add", "sub"]);
    }),
    falls("case variant of .git", |work, command| {
        config(work, &format!("[core]\nfsmonitor = {command}\n"));
        nested(&work.join("sub"), command);
        fs::rename(work.join("sub/.git"), work.join("sub/.GIT")).unwrap();
    }),
    withstands("core.worktree", |work, command| {
        config(
            work,
            &format!("[core]\nworktree = ../src\n[alias]\nstatus = !{command}\n"),
        );
    }),
    withstands("bare repository in the tree", |work, command| {
        nested(&work.join("sub"), command);
        fs::rename(work.join("sub/.git"), work.join("bare.git")).unwrap();
    }),
    withstands("external diff and text conversion", |work, command| {
        write(&work.join(".gitattributes"), "* diff=evil merge=evil\n");
        config(
            work,
            &format!("[diff]\nexternal = {command}\n[diff \"evil\"]\ntextconv = {command}\ncommand = {command}\n"),
        );
        config(work, &format!("[merge \"evil\"]\ndriver = {command}\n"));
    }),
    withstands("programs of the configuration", |work, command| {
        let programs = "sshCommand pager editor askPass gitProxy alternateRefsCommand";
        programs
            .split(' ')
            .for_each(|key| config(work, &format!("[core]\n{key} = {command}\n")));
        config(
            work,
            &format!("[gpg]\nprogram = {command}\n[commit]\ngpgSign\n[credential]\nhelper = !{command}\n"),
        );
        config(
            work,
            &format!("[trace2]\neventTarget = {}\n", work.join("trace").display()),
        );
    }),
    withstands("every other hook", |work, command| {
        for name in [
            "pre-commit",
            "post-commit",
            "reference-transaction",
            "post-checkout",
            "pre-auto-gc",
            "post-rewrite",
        ] {
            hook(&work.join(".git/hooks"), name, command);
        }
    }),
    withstands("submodule commands", |work, command| {
        let text = format!("[submodule \"x\"]\npath = x\nurl = ext::{command}\nupdate = !{command}\n");
        write(&work.join(".gitmodules"), &text);
        config(work, &text);
    }),
    withstands("a git in the tree", |work, command| hook(work, "git", command)),
    withstands("remotes that run", |work, command| {
        config(work, "[protocol \"ext\"]\nallow = always\n");
        config(
            work,
            &format!("[remote \"origin\"]\nurl = ext::{command}\nuploadpack = {command}\npromisor = true\n"),
        );
        config(
            work,
            "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n",
        );
    }),
    withstands("alternates", |work, _| {
        write(&work.join(".git/objects/info/alternates"), "/nowhere\n")
    }),
    withstands("info/exclude", |work, _| write(&work.join(".git/info/exclude"), "*\n")),
    withstands("a broken .git", |work, _| {
        fs::remove_dir_all(work.join(".git")).unwrap();
        write(&work.join(".git"), "gitdir: /nowhere\n");
    }),
    withstands("no .git", |work, _| fs::remove_dir_all(work.join(".git")).unwrap()),
    withstands("replaced objects", |work, _| {
        let head = crate::place::said(work, &["rev-parse", "HEAD"]);
        let empty = crate::place::said(
            work,
            &["commit-tree", "-m", "x", &crate::place::said(work, &["mktree"])],
        );
        crate::place::git(work, &["replace", &head, &empty]);
    }),
];

const fn falls(name: &'static str, plant: fn(&Path, &str)) -> Vector {
    Vector {
        name,
        plain: Plain::Falls,
        plant,
    }
}

const fn withstands(name: &'static str, plant: fn(&Path, &str)) -> Vector {
    Vector {
        name,
        plain: Plain::Withstands,
        plant,
    }
}

fn append(file: &Path, text: &str) {
    let old = fs::read_to_string(file).unwrap_or_default();
    write(file, format!("{old}\n{text}"));
}

fn config(work: &Path, text: &str) {
    append(&work.join(".git/config"), text);
}

fn hook(folder: &Path, name: &str, command: &str) {
    write(&folder.join(name), format!("#!/bin/sh\n{command}\n"));
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn nested(folder: &Path, command: &str) {
    fs::create_dir_all(folder).unwrap();
    crate::place::git(folder, &["init", "-q"]);
    crate::place::git(folder, &["commit", "-q", "--allow-empty", "-m", "x"]);
    append(&folder.join(".git/config"), &format!("[core]\nfsmonitor = {command}\n"));
}

#[test]
fn nothing_an_agent_plants_is_run_by_the_engine() {
    let place = Place::new();
    let base = place.spaces.base("HEAD").unwrap();
    let marker = place.folder.path().join("marker");
    let script = place.folder.path().join("script");
    hook(
        place.folder.path(),
        "script",
        &format!("touch {}; cat", marker.display()),
    );
    for (number, vector) in VECTORS.iter().enumerate() {
        let id = run(&format!("T-1.{number}"));
        let work = place.spaces.lay(&id, &base, &base.tree, None).unwrap();
        (vector.plant)(&work, script.to_str().unwrap());
        write(&work.join("README.md"), "the agent's work\n");
        drop(fs::remove_file(&marker));
        let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
        let rescue = place.spaces.rescue(&id, &label("turn-002")).unwrap().unwrap();
        drop(place.spaces.room(&id, "AC-1", &snapshot.tree).unwrap());
        place.spaces.changes(&base.tree, &snapshot.tree).unwrap();
        place.spaces.diff(&base.tree, &snapshot.tree).unwrap();
        place.spaces.commit(&id, &wish(&base, &snapshot.tree)).unwrap();
        assert!(!marker.exists(), "{} was run", vector.name);
        let read = place.spaces.read(&snapshot.tree, "README.md").unwrap().unwrap();
        assert_eq!(read, b"the agent's work\n", "{}", vector.name);
        // The known-bad way, so that no vector passes for being harmless.
        let status = plain(&work, &["status"]);
        let add = plain(&work, &["add", "-A"]);
        let fell = if marker.exists() {
            Plain::Falls
        } else {
            Plain::Withstands
        };
        assert!(fell == vector.plain, "{}: {status:?} {add:?}", vector.name);
        drop(fs::remove_file(&marker));
        place.spaces.lay(&id, &base, &snapshot.tree, Some(&rescue)).unwrap();
        assert!(!marker.exists(), "{} was run by laying anew", vector.name);
        place.spaces.remove_workspace(&id).unwrap();
    }
    let armed = VECTORS.iter().filter(|vector| vector.plain == Plain::Falls).count();
    assert!(VECTORS.len() >= 25 && armed >= 12);
}

#[test]
fn a_link_of_the_base_with_a_planted_repository_runs_nothing() {
    let place = Place::new();
    let entry = "160000,1234567890123456789012345678901234567890,dep";
    crate::place::git(&place.repo, &["update-index", "--add", "--cacheinfo", entry]);
    crate::place::git(&place.repo, &["commit", "-q", "-m", "link"]);
    let id = run("T-1.1");
    let (base, work) = place.lay(&id);
    let marker = place.folder.path().join("marker");
    hook(
        place.folder.path(),
        "script",
        &format!("touch {}; cat", marker.display()),
    );
    nested(&work.join("dep"), place.folder.path().join("script").to_str().unwrap());
    drop(fs::remove_file(&marker));
    let snapshot = place.spaces.snapshot(&id, &label("turn-001")).unwrap();
    assert_eq!(snapshot.tree, base.tree);
    assert!(!marker.exists());
    plain(&work, &["status"]);
    assert!(marker.exists(), "plain git does look into it, by its own rules");
}
