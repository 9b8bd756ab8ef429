//! What the person configured for themselves: it does not run, and it does not
//! bend what is proved.

use crate::place::Wild;
use std::fs;

#[test]
fn no_hook_monitor_or_signer_of_the_person_runs() {
    let wild = Wild::new("true\n");
    wild.commit();
    let ran = wild.beside("ran");
    let leave_word = format!("#!/bin/sh\necho \"$0\" >> '{}'\n", ran.display());
    for hook in [
        "pre-commit",
        "post-commit",
        "post-checkout",
        "reference-transaction",
        "post-index-change",
        "pre-auto-gc",
        "post-update",
        "update",
    ] {
        wild.program(&format!(".git/hooks/{hook}"), &leave_word);
    }
    wild.program("../signer", &leave_word);
    let signer = wild.beside("signer").display().to_string();
    for (key, value) in [
        ("core.fsmonitor", signer.as_str()),
        ("commit.gpgsign", "true"),
        ("gpg.program", &signer),
        ("diff.external", &signer),
        ("core.pager", &signer),
        ("core.editor", &signer),
        ("uploadpack.packObjectsHook", &signer),
        ("gc.auto", "1"),
    ] {
        wild.household.git(&["config", key, value]);
    }
    drop(fs::remove_file(&ran));
    let ended = wild.household.trueup(&["check", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let ended = wild.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert!(!ran.exists(), "{:?}", fs::read_to_string(&ran));
    for key in ["core.fsmonitor", "commit.gpgsign"] {
        wild.household.git(&["config", "--unset", key]);
    }
    wild.compare_with_a_clone();
}

#[test]
fn without_file_modes_the_modes_of_the_tree_count() {
    let wild = Wild::new("./run.sh\n");
    wild.program("run.sh", "#!/bin/sh\ntrue\n");
    wild.commit();
    wild.household.git(&["config", "core.fileMode", "false"]);
    // On such a file system every file looks like this.
    wild.program("tests/own.sh", "./run.sh\n");
    wild.agent("cp run.sh new.sh\nchmod 755 new.sh\n");
    wild.is_proved();
    let listed = wild
        .household
        .git(&["ls-tree", "trueup/T-001", "new.sh", "tests/own.sh"]);
    assert!(
        listed.contains("100755 blob") && listed.ends_with("new.sh\n100644 blob") || listed.contains("100644"),
        "{listed}"
    );
    assert_eq!(
        wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]),
        "done.txt\nnew.sh"
    );
}

#[test]
fn line_endings_of_the_persons_own_checkouts_are_told_and_stay_theirs() {
    let wild = Wild::new("test \"$(od -An -c note.txt | tr -d ' \\n')\" = 'a\\nb\\n'\n");
    wild.household.file("note.txt", "a\nb\n");
    wild.commit();
    wild.household.git(&["config", "core.autocrlf", "true"]);
    fs::remove_file(wild.checkout().join("note.txt")).expect("a file");
    wild.household.git(&["checkout", "--", "note.txt"]);
    assert_eq!(
        fs::read(wild.checkout().join("note.txt")).expect("a file"),
        b"a\r\nb\r\n"
    );
    let told = "`core.autocrlf=true` gives your own checkouts other line endings than rooms have; to have the same \
                everywhere, put `* text=auto eol=lf` into .gitattributes";
    for command in ["check", "run"] {
        let ended = wild.household.trueup(&[command, "T-001", "--progress=none"]);
        assert_eq!(ended.code, 0, "{ended:#?}");
        assert_eq!(
            ended.stderr.lines().filter(|line| *line == told).count(),
            1,
            "{ended:#?}"
        );
    }
    // Everybody else has what the room had.
    wild.compare_with_a_clone();
}

#[test]
fn uncommitted_changes_with_other_line_endings_are_taken_as_git_would() {
    let wild = Wild::new("test -f note.txt\n");
    wild.household.file("note.txt", "a\nb\n");
    wild.commit();
    wild.household.git(&["config", "core.autocrlf", "true"]);
    wild.household.file("note.txt", "a\r\nb\r\nc\r\n");
    wild.run(&["--with-changes"]);
    assert_eq!(wild.household.git(&["show", "trueup/T-001:note.txt"]), "a\nb\nc");
}
