//! Names git can hold: odd ones, long ones, twins, and links that lead out.

use crate::place::Wild;
use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, os::unix::fs::symlink};

#[test]
fn odd_names_come_through_as_they_are() {
    let wild = Wild::new("test \"$(ls | wc -l)\" -ge 8\n");
    let names: [&[u8]; 8] = [
        b"two\nlines",
        b"not \xff unicode",
        b"-rf",
        b"--help",
        b":(glob)*",
        b" space ",
        b"quote\"back\\slash",
        b"star*",
    ];
    for name in names {
        fs::write(wild.checkout().join(OsStr::from_bytes(name)), name).expect("a file");
    }
    wild.commit();
    wild.agent(
        "echo more >> ./-rf\nprintf x > \"$(printf 'new\\nline')\"\nprintf x > \"$(printf 'n\\377w')\"\nrm -- --help\n",
    );
    wild.is_proved();
    assert_eq!(fs::read_dir(wild.beside("plain")).expect("a folder").count(), 13);
}

#[test]
fn links_are_laid_as_links_and_never_followed() {
    let wild = Wild::new("test -L out && test -L up && test -L absolute\n");
    for (name, target) in [
        ("out", "../../outside"),
        ("up", ".."),
        ("absolute", "/etc/passwd"),
        ("gone", "nowhere"),
    ] {
        symlink(target, wild.checkout().join(name)).expect("a link");
    }
    wild.commit();
    wild.agent("ln -s ../../other new\nln -sfn /nowhere gone\n");
    wild.is_proved();
    assert_eq!(wild.household.git(&["show", "trueup/T-001:new"]), "../../other");
}

#[test]
fn names_as_long_as_the_system_allows_are_laid() {
    let deep = format!("{}/f", ["d".repeat(200).as_str(); 15].join("/"));
    let wild = Wild::new(&format!("test -f {deep}\n"));
    wild.household.file(&deep, "deep\n");
    wild.commit();
    wild.agent(&format!("echo more >> {deep}\n"));
    wild.is_proved();
}

#[test]
fn a_name_too_long_below_the_state_root_is_refused() {
    let wild = Wild::new("true\n");
    wild.commit();
    let deep = format!("{}/{}", ["d".repeat(200).as_str(); 19].join("/"), "f".repeat(200));
    let blob = wild.household.git(&["rev-parse", "HEAD:tests/own.sh"]);
    wild.household
        .git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{deep}")]);
    wild.household.git(&["commit", "--quiet", "-m", "A long name"]);
    wild.is_refused(
        &format!(
            "the base has a name of {} bytes (`{}…`), which is too long below the state root",
            deep.len(),
            "d".repeat(40)
        ),
        "export TRUEUP_STATE=/short",
    );
}

#[test]
fn twins_of_the_base_are_laid_both() {
    let wild = Wild::new("test \"$(cat README readme)\" = 'onetwo'\n");
    for (name, text) in [
        ("README", "one"),
        ("readme", "two"),
        ("caf\u{e9}", "3"),
        ("cafe\u{301}", "4"),
    ] {
        wild.household.file(name, text);
    }
    wild.commit();
    wild.agent("printf two > readme\n");
    wild.is_proved();
}

#[test]
fn a_twin_an_agent_adds_is_left_out_and_told() {
    let wild = Wild::new("test -f Makefile\n");
    wild.household.file("Makefile", "all:\n");
    wild.household.file("caf\u{e9}.txt", "composed\n");
    wild.commit();
    wild.agent("echo other > makefile\nprintf x > \"$(printf 'cafe\\314\\201.txt')\"\n");
    wild.is_proved();
    let changed = wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]);
    assert_eq!(changed, "done.txt");
    let told = wild.findings();
    assert!(
        told.contains("`makefile` was left out: its name differs from `Makefile` only in case"),
        "{told}"
    );
    assert!(told.contains("cafe\u{301}.txt` was left out"), "{told}");
}
