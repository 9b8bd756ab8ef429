//! How a repository lies on disk: object formats, refs, where `.git` is.

use crate::place::Wild;
use std::fs;

/// Makes the repository anew with these options of `git init`.
fn made_by(init: &[&str]) -> Wild {
    let wild = Wild::new("test -f README.md\n");
    wild.household.file("README.md", "hello\n");
    wild.commit();
    wild.replace(|upstream, checkout| {
        let to = checkout.display().to_string();
        wild.git_in(upstream, &[&["init", "--quiet", "-b", "main"], init, &[&to]].concat());
        for name in ["README.md", "tests", "tasks"] {
            let mut copy = std::process::Command::new("cp");
            copy.arg("-r").arg(upstream.join(name)).arg(checkout);
            assert!(copy.status().expect("cp").success());
        }
    });
    wild.commit();
    wild
}

#[test]
fn a_repository_of_sha256_is_proved() {
    let wild = made_by(&["--object-format=sha256"]);
    assert_eq!(wild.household.git(&["rev-parse", "HEAD"]).len(), 64);
    wild.is_proved();
}

#[test]
fn a_repository_with_refs_in_a_reftable_is_proved() {
    let wild = made_by(&["--ref-format=reftable"]);
    assert!(wild.checkout().join(".git/reftable").is_dir());
    wild.is_proved();
}

#[test]
fn a_checkout_whose_git_directory_lies_elsewhere_is_proved() {
    let wild = made_by(&["--separate-git-dir=../elsewhere.git"]);
    assert!(wild.checkout().join(".git").is_file());
    wild.is_proved();
}

#[test]
fn a_linked_worktree_is_proved() {
    let wild = Wild::new("test -f README.md\n");
    wild.household.file("README.md", "hello\n");
    wild.commit();
    wild.replace(|upstream, checkout| {
        let to = checkout.display().to_string();
        wild.git_in(upstream, &["worktree", "add", "--quiet", "-b", "linked", &to]);
    });
    wild.is_proved();
}

#[test]
fn a_bare_repository_is_refused() {
    let wild = Wild::new("true\n");
    wild.commit();
    wild.replace(|upstream, checkout| {
        let (from, to) = (upstream.display().to_string(), checkout.display().to_string());
        wild.git_in(upstream, &["clone", "--quiet", "--bare", &from, &to]);
    });
    let bare = wild.checkout();
    for command in ["check", "run"] {
        let ended = wild.household.trueup(&[command, "T-001"]);
        let told = format!(
            "error: {} is a bare repository, without files to work on\n  git worktree add ../work && cd ../work\n",
            bare.display()
        );
        assert_eq!((ended.code, ended.stderr), (2, told));
    }
    assert!(!wild.household.state().join("journal.db").exists());
}

#[test]
fn a_repository_without_commits_is_refused() {
    let wild = Wild::new("true\n");
    for command in ["check", "run"] {
        let ended = wild.household.trueup(&[command, "T-001"]);
        let told = "error: the base `HEAD` cannot be used: git knows no commit `HEAD` here; `git log --oneline --all` \
                    lists what there is\n  git commit --allow-empty -m \"First commit\"\n";
        assert_eq!((ended.code, ended.stderr.as_str()), (2, told));
    }
    assert!(
        fs::read_dir(wild.household.state().join("workspaces"))
            .expect("a folder")
            .next()
            .is_none()
    );
}
