//! Facts about trees are read from git's objects.

use crate::place::{Place, run, write};
use std::{fs, os::unix::fs::symlink};
use trueup_engine::workspace::Change;

fn change(path: &str, added: u32, removed: u32) -> Change {
    Change {
        path: path.into(),
        added,
        removed,
    }
}

#[test]
fn changes_are_counted_and_no_attribute_hides_them() {
    let place = Place::new();
    let (base, snapshot) = place.after(&run("T-1.1"), |work| {
        write(&work.join("README.md"), "hello\nworld\n");
        fs::remove_file(work.join("src/lib.rs")).unwrap();
        write(&work.join("tab\tname"), "one\n");
        write(&work.join("z.bin"), [0u8; 8]);
        write(&work.join(".gitattributes"), "* -diff\n* binary\n");
    });
    let changes = place.spaces.changes(&base.tree, &snapshot.tree).unwrap();
    let expected = [
        change(".gitattributes", 2, 0),
        change("README.md", 1, 0),
        change("src/lib.rs", 0, 1),
        change("tab\tname", 1, 0),
        change("z.bin", 0, 0),
    ];
    assert_eq!(changes, expected);
    let patch = String::from_utf8(place.spaces.diff(&base.tree, &snapshot.tree).unwrap()).unwrap();
    assert!(patch.contains("\n+world\n"), "{patch}");
    assert!(place.spaces.diff(&base.tree, &base.tree).unwrap().is_empty());
}

#[test]
fn links_are_not_followed_and_paths_do_not_leave_the_tree() {
    let place = Place::new();
    let (_, snapshot) = place.after(&run("T-1.1"), |work| {
        symlink("README.md", work.join("link")).unwrap();
        symlink("src", work.join("folder")).unwrap();
        write(&work.join("*"), "star\n");
    });
    let read = |path: &str| place.spaces.read(&snapshot.tree, path).unwrap();
    assert_eq!(read("README.md").unwrap(), b"hello\n");
    assert_eq!(read("./src//lib.rs").unwrap(), b"pub fn one() -> u32 { 1 }\n");
    assert_eq!(read("*").unwrap(), b"star\n", "a name is a name, never a pattern");
    for path in [
        "link",
        "folder/lib.rs",
        "src",
        "",
        ".",
        "..",
        "../README.md",
        "/README.md",
        "src/*",
        "none",
    ] {
        assert_eq!(read(path), None, "{path}");
    }
    let has = |path: &str| place.spaces.tree_has(&snapshot.tree, path).unwrap();
    assert!(has("link") && has("src") && has("src/") && has("src/lib.rs"));
    assert!(!has("none") && !has("folder/lib.rs") && !has("/src"));
    let all = ["link".to_string(), "README.md".to_string(), "none".to_string()];
    let many = place.spaces.read_many(&snapshot.tree, &all).unwrap();
    assert_eq!(many, [("README.md".to_string(), b"hello\n".to_vec())]);
}
