//! Contents kept by Git LFS: rooms hold the content, git holds pointers, and
//! plain git-lfs finds what was delivered.

use crate::place::Wild;
use std::fs;

/// A repository whose `*.bin` files are kept by Git LFS.
fn kept() -> Wild {
    let wild = Wild::new("grep -q 'the first content' one.bin\n");
    wild.git_in(&wild.checkout(), &["lfs", "install", "--local"]);
    wild.household
        .file(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    wild.household.file("one.bin", "the first content\n");
    wild.household.file("sub/two.bin", &"the second content\n".repeat(1000));
    wild.household.file("empty.bin", "");
    wild.program("run.bin", "#!/bin/sh\ntrue\n");
    wild.commit();
    let held = wild.household.git(&["show", "HEAD:one.bin"]);
    assert!(held.starts_with("version https://git-lfs"), "{held}");
    wild
}

#[test]
fn contents_are_laid_and_new_ones_are_delivered() {
    let wild = kept();
    wild.agent(
        "echo changed >> sub/two.bin\necho 'a new content' > three.bin\nchmod 755 one.bin\nmkdir more\ncp one.bin more/\n",
    );
    wild.is_proved_in_a_worktree();
    let changed = wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]);
    assert_eq!(changed, "done.txt\nmore/one.bin\none.bin\nsub/two.bin\nthree.bin");
    let held = wild.household.git(&["show", "trueup/T-001:three.bin"]);
    assert!(
        held.starts_with("version https://git-lfs.github.com/spec/v1\noid sha256:"),
        "{held}"
    );
    assert_eq!(
        fs::read_to_string(wild.beside("plain/three.bin")).expect("a file"),
        "a new content\n"
    );
    let status = wild.git_in(&wild.beside("plain"), &["status", "--porcelain"]);
    assert_eq!(status, "", "plain git-lfs would have kept the same pointers");
    let seen = wild.git_in(&wild.beside("plain"), &["lfs", "fsck"]);
    assert!(seen.contains("OK"), "{seen}");
}

#[test]
fn behind_a_veil_contents_are_what_they_are_anywhere() {
    let wild = kept();
    wild.veil();
    wild.agent("test -z \"$(git status --porcelain one.bin sub)\" && echo clean > clean.txt\ngrep -q second sub/two.bin && echo changed >> sub/two.bin\necho 'a new content' > three.bin\n");
    wild.is_proved_in_a_worktree();
    let changed = wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]);
    assert_eq!(changed, "clean.txt\ndone.txt\nsub/two.bin\nthree.bin");
    let held = wild.household.git(&["show", "trueup/T-001:three.bin"]);
    assert!(held.starts_with("version https://git-lfs"), "{held}");
    assert_eq!(wild.bases(), 1);
}

#[test]
fn the_first_content_a_repository_ever_keeps_may_be_an_agents() {
    let wild = Wild::new("true\n");
    wild.git_in(&wild.checkout(), &["lfs", "install", "--local"]);
    wild.household.file("old.bin", "never kept by Git LFS\n");
    wild.allow(".gitattributes");
    wild.commit();
    wild.agent("echo '*.bin filter=lfs -text' > .gitattributes\necho content > new.bin\n");
    wild.is_proved_in_a_worktree();
    let held = wild.household.git(&["show", "trueup/T-001:new.bin"]);
    assert!(held.starts_with("version https://git-lfs"), "{held}");
    let old = wild.household.git(&["show", "trueup/T-001:old.bin"]);
    assert_eq!(old, "never kept by Git LFS", "nobody edited it");
}

#[test]
fn attributes_that_wait_for_their_first_content_count() {
    let wild = Wild::new("true\n");
    wild.git_in(&wild.checkout(), &["lfs", "install", "--local"]);
    wild.household.file(".gitattributes", "*.bin filter=lfs -text\n");
    wild.commit();
    wild.agent("echo content > new.bin\n");
    wild.is_proved_in_a_worktree();
    let held = wild.household.git(&["show", "trueup/T-001:new.bin"]);
    assert!(held.starts_with("version https://git-lfs"), "{held}");
}

#[test]
fn contents_that_are_not_here_are_refused_until_they_are_pulled() {
    let wild = kept();
    let objects = wild.checkout().join(".git/lfs/objects");
    let away = wild.beside("away");
    fs::rename(&objects, &away).expect("a folder");
    wild.is_refused(
        "the content of `one.bin` and 2 more is kept by Git LFS and is not here",
        "git lfs pull",
    );
    fs::rename(&away, &objects).expect("a folder");
    wild.is_proved_in_a_worktree();
}

#[test]
fn a_damaged_content_is_never_laid() {
    let wild = kept();
    let pointer = wild.household.git(&["show", "HEAD:one.bin"]);
    let digest = pointer
        .split("sha256:")
        .nth(1)
        .expect("a digest")
        .get(..64)
        .expect("a digest");
    let (head, next) = (digest.get(..2).expect("two"), digest.get(2..4).expect("two"));
    let content = wild
        .checkout()
        .join(".git/lfs/objects")
        .join(head)
        .join(next)
        .join(digest);
    fs::write(&content, "the FIRST content\n").expect("a file");
    let ended = wild.household.trueup(&["check", "T-001"]);
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert!(
        ended
            .stderr
            .contains("is damaged: its bytes are not those its name promises"),
        "{ended:#?}"
    );
}

#[test]
fn a_pointer_an_agent_writes_must_lead_to_a_content() {
    let wild = kept();
    let nowhere = format!(
        "version https://git-lfs.github.com/spec/v1\\noid sha256:{}\\nsize 5\\n",
        "0".repeat(64)
    );
    wild.agent(&format!(
        "printf '{nowhere}' > one.bin\ngit show HEAD:sub/two.bin > copy.bin\n"
    ));
    wild.is_proved_in_a_worktree();
    let changed = wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]);
    assert_eq!(
        changed, "copy.bin\ndone.txt",
        "a pointer to what is there is as good as the content"
    );
    let told = wild.findings();
    assert!(
        told.contains("`one.bin` was left out: it is a Git LFS pointer to a content that is not here"),
        "{told}"
    );
}

#[test]
fn uncommitted_contents_become_pointers_without_git_lfs() {
    let wild = kept();
    wild.household.file("four.bin", "not committed\n");
    wild.household.file("one.bin", "the first content\nand more\n");
    let before = fs::read_dir(wild.checkout().join(".git/lfs/objects"))
        .expect("a folder")
        .count();
    wild.run(&["--with-changes"]);
    let changed = wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]);
    assert_eq!(changed, "done.txt\nfour.bin\none.bin");
    assert!(
        fs::read_dir(wild.checkout().join(".git/lfs/objects"))
            .expect("a folder")
            .count()
            > before
    );
    wild.compare(|checkout, plain| {
        let to = plain.display().to_string();
        wild.git_in(checkout, &["worktree", "add", "--quiet", &to, "trueup/T-001"]);
    });
}

#[test]
fn a_repository_that_names_git_lfs_without_having_it_is_refused() {
    let wild = kept();
    wild.replace(|upstream, checkout| {
        // A clone by somebody who never installed git-lfs.
        let (from, to) = (upstream.display().to_string(), checkout.display().to_string());
        wild.git_in(upstream, &["clone", "--quiet", &from, &to]);
    });
    wild.is_refused(
        "the content of `one.bin` and 2 more is kept by Git LFS and is not here",
        "git lfs pull",
    );
}
