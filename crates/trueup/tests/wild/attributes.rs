//! Attributes: what git converts by itself is converted alike; what only a
//! program of the person's could convert is refused.

use crate::place::Wild;
use std::fs;

#[test]
fn line_endings_are_what_a_plain_checkout_has() {
    let wild = Wild::new("test \"$(od -An -c dos.txt | tr -d ' \\n')\" = 'a\\r\\nb\\r\\n'\n");
    wild.household.file(
        ".gitattributes",
        "*.txt text eol=crlf\n*.dat -text\nkept.txt text=auto eol=lf\n",
    );
    wild.household.file("dos.txt", "a\r\nb\r\n");
    wild.household.file("kept.txt", "a\nb\n");
    wild.household.file("raw.dat", "a\r\nb\n");
    wild.commit();
    wild.agent("printf 'one\\ntwo\\n' > new.txt\nprintf 'x\\r\\ny\\n' > mixed.dat\n");
    wild.is_proved();
    assert_eq!(wild.household.git(&["show", "trueup/T-001:new.txt"]), "one\ntwo");
}

#[test]
fn files_that_were_never_normalised_are_what_a_plain_checkout_has() {
    let wild = Wild::new("test -f old.txt\n");
    wild.household.file("old.txt", "a\r\nb\r\n");
    wild.commit();
    wild.household.file(".gitattributes", "*.txt text\n");
    wild.household.git(&["add", ".gitattributes"]);
    wild.household.git(&["commit", "--quiet", "-m", "Attributes alone"]);
    wild.is_proved();
}

#[test]
fn encodings_of_the_work_tree_are_what_a_plain_checkout_has() {
    let wild = Wild::new("test \"$(od -An -tx1 wide.txt | tr -d ' \\n')\" = 'fffe680069000a00'\n");
    wild.household.file(
        ".gitattributes",
        "*.txt text working-tree-encoding=UTF-16LE-BOM eol=lf\n",
    );
    fs::write(wild.checkout().join("wide.txt"), b"\xff\xfeh\0i\0\n\0").expect("a file");
    fs::write(wild.checkout().join("done.txt"), b"\xff\xfen\0o\0\n\0").expect("a file");
    wild.commit();
    wild.household
        .set_agent("printf '\\377\\376d\\000o\\000n\\000e\\000\\n\\000' > done.txt\ncp done.txt more.txt\n");
    wild.household.file("tests/work.sh", "");
    let work = "set -e\nfind . -name .git -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum -z | \
                sha256sum\nsh tests/own.sh\ntr -d '\\000' < done.txt | grep -q done\n";
    wild.household.file("tests/work.sh", work);
    wild.commit();
    wild.is_proved();
    assert_eq!(wild.household.git(&["show", "trueup/T-001:more.txt"]), "done");
}

#[test]
fn idents_are_expanded_as_in_a_plain_checkout() {
    let wild = Wild::new("grep -q 'Id: [0-9a-f]*' version.c\n");
    wild.household.file(".gitattributes", "*.c ident\n");
    wild.household.file("version.c", "/* $Id$ */\n");
    wild.commit();
    wild.agent("echo 'int x;' >> version.c\necho '/* $Id$ */' > new.c\n");
    wild.is_proved();
    let kept = wild.household.git(&["show", "trueup/T-001:version.c"]);
    assert_eq!(kept, "/* $Id$ */\nint x;", "what git keeps is not expanded");
}

#[test]
fn what_archives_leave_out_or_substitute_is_laid_as_it_is() {
    let wild = Wild::new("grep -qF 'Format:%H' stamp.txt\ntest -f secret/notes.txt\n");
    wild.household
        .file(".gitattributes", "secret export-ignore\nstamp.txt export-subst\n");
    wild.household.file("stamp.txt", "$Format:%H$\n");
    wild.household.file("secret/notes.txt", "not in archives\n");
    wild.commit();
    wild.is_proved();
}

#[test]
fn a_filter_without_a_program_changes_nothing() {
    let wild = Wild::new("grep -q plain data.up\n");
    wild.household.file(".gitattributes", "*.up filter=upper\n");
    wild.household.file("data.up", "plain\n");
    wild.commit();
    wild.agent("echo more >> data.up\n");
    wild.is_proved();
}

/// A filter whose program shouts, and leaves word when it runs.
fn with_a_filter() -> Wild {
    let wild = Wild::new("true\n");
    let ran = wild.beside("ran");
    let program = format!("touch '{}'; tr a-z A-Z", ran.display());
    wild.household.git(&["config", "filter.upper.smudge", &program]);
    wild.household.git(&["config", "filter.upper.clean", &program]);
    wild.household.file(".gitattributes", "*.up filter=upper\n");
    wild
}

#[test]
fn a_filter_with_a_program_is_refused_and_the_program_never_runs() {
    let wild = with_a_filter();
    wild.household.file("sub/data.up", "loud\n");
    wild.commit();
    // So that git would have to look at it again, by running the filter.
    wild.household.file("sub/data.up", "LOUD\n");
    fs::remove_file(wild.beside("ran")).expect("git ran it");
    wild.is_refused(
        "`sub/data.up` goes through the filter `upper`, a program of your git configuration that trueup does not run, \
         so a room would hold other bytes than your checkout; unset the filter if the bytes git keeps are meant",
        "git config --show-origin --get-regexp '^filter\\.upper\\.'",
    );
    assert!(!wild.beside("ran").exists(), "the filter ran");
}

#[test]
fn an_uncommitted_file_that_goes_through_a_program_is_refused() {
    let wild = with_a_filter();
    wild.commit();
    wild.household.file("new.up", "quiet\n");
    let ended = wild.household.trueup(&["run", "T-001", "--with-changes"]);
    let told = "error: new.up cannot be taken: it would go through the filter `upper`, a program of the person's that is \
                not run here; commit, ignore or remove it\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (2, told));
    assert!(!wild.beside("ran").exists(), "the filter ran");
    assert_eq!(wild.household.trueup(&["show", "T-001"]).code, 2, "a run was opened");
}

#[test]
fn an_agent_hands_no_file_to_a_program_of_the_persons() {
    hands_no_file(&with_a_filter());
}

#[test]
fn nor_does_one_behind_a_veil() {
    let wild = with_a_filter();
    wild.veil();
    hands_no_file(&wild);
    assert_eq!(wild.bases(), 1);
}

fn hands_no_file(wild: &Wild) {
    wild.household.file("note.txt", "quiet\n");
    wild.commit();
    wild.agent("echo quiet > new.up\necho 'note.txt filter=upper' >> .gitattributes\n");
    wild.household.file("tests/own.sh", "grep -q quiet note.txt\n");
    wild.commit();
    wild.is_proved_in_a_worktree();
    let told = wild.findings();
    for sentence in [
        "`.gitattributes` was left out: it hands `note.txt` to the filter `upper`",
        "`new.up` was left out: it would go through the filter `upper`",
    ] {
        assert!(told.contains(sentence), "{told}");
    }
}
