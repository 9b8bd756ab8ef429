//! What a turn changed beyond the rights of its phase is put back, and kept.

use crate::place::{Place, label, run, said, write};
use std::{fs, os::unix::fs::symlink, path::Path};
use trueup_core::{id::TreeId, phase::Rights};
use trueup_engine::workspace::{RestoredTree, TurnRights};

const LIB: &str = "pub fn one() -> u32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() {\n        assert_eq!(super::one(), 1);\n    }\n}\n";

fn fill(repo: &Path) {
    write(&repo.join("src/lib.rs"), LIB);
    write(&repo.join("src/app.py"), "def one():\n    return 1\n");
    write(
        &repo.join("tests/test_app.py"),
        "import app\n\ndef test_one():\n    assert app.one() == 1\n",
    );
}

fn put_back(rights: Rights, edit: impl FnOnce(&Path)) -> (Place, TreeId, Option<RestoredTree>) {
    let place = Place::with(fill);
    let id = run("T-1.1");
    let (base, left) = place.after(&id, edit);
    let measure = TurnRights {
        rights,
        since: &base.tree,
    };
    let done = place
        .spaces
        .put_back(&id, &label("turn-001"), measure, &left.tree)
        .unwrap();
    (place, left.tree, done)
}

fn read(place: &Place, tree: &TreeId, path: &str) -> Option<String> {
    let bytes = place.spaces.read(tree, path).unwrap();
    bytes.map(|bytes| String::from_utf8(bytes).unwrap())
}

fn edit_everything(work: &Path) {
    write(&work.join("src/lib.rs"), LIB.replace('1', "2"));
    write(&work.join("src/app.py"), "def one():\n    return 2\n");
    write(&work.join("src/new.py"), "new = 1\n");
    write(&work.join("tests/test_app.py"), "def test_one():\n    assert True\n");
    write(&work.join("tests/test_new.py"), "def test_new():\n    assert False\n");
    fs::remove_file(work.join("README.md")).unwrap();
    symlink("src", work.join("link")).unwrap();
}

#[test]
fn a_phase_of_tests_keeps_tests_and_puts_the_rest_back() {
    let (place, left, done) = put_back(Rights::Tests, edit_everything);
    let RestoredTree { tree, findings } = done.unwrap();
    assert_eq!(read(&place, &tree, "src/app.py").unwrap(), "def one():\n    return 1\n");
    assert_eq!(read(&place, &tree, "README.md").unwrap(), "hello\n");
    assert!(!place.spaces.tree_has(&tree, "src/new.py").unwrap());
    assert!(!place.spaces.tree_has(&tree, "link").unwrap());
    assert!(
        read(&place, &tree, "tests/test_app.py")
            .unwrap()
            .contains("assert True")
    );
    assert!(place.spaces.tree_has(&tree, "tests/test_new.py").unwrap());
    let lib = read(&place, &tree, "src/lib.rs").unwrap();
    assert!(lib.contains("    1\n") && lib.contains("one(), 2)"), "{lib}");
    let told: Vec<String> = findings
        .iter()
        .map(|finding| format!("{}: {}", finding.path, finding.what))
        .collect();
    let only = "this phase may change tests only";
    assert_eq!(
        told,
        [
            format!("README.md: {only}; `README.md` was put back"),
            format!("link: {only}; `link` was taken away"),
            format!("src/app.py: {only}; `src/app.py` was put back"),
            format!("src/lib.rs: {only}; what is no test in `src/lib.rs` is as it was before it"),
            format!("src/new.py: {only}; `src/new.py` was taken away"),
            "refs/trueup/rescue: this git ref holds the files as you left them, for the phase they belong to"
                .to_owned(),
        ]
    );
    // Everything is kept, and what may stay is what the turn left.
    let results = place.state.results();
    assert_eq!(
        said(&results, &["rev-parse", "refs/rescue/T-1.1/turn-001"]),
        left.as_str()
    );
    assert_eq!(
        said(&results, &["rev-parse", "refs/runs/T-1.1/turn-001"]),
        tree.as_str()
    );
    said(&results, &["fsck", "--strict"]);
}

#[test]
fn a_phase_of_work_puts_tests_back_and_keeps_the_rest() {
    let (place, _, done) = put_back(Rights::Code, edit_everything);
    let RestoredTree { tree, findings } = done.unwrap();
    assert!(read(&place, &tree, "src/app.py").unwrap().contains("return 2"));
    assert!(place.spaces.tree_has(&tree, "src/new.py").unwrap());
    assert!(!place.spaces.tree_has(&tree, "README.md").unwrap());
    assert!(
        read(&place, &tree, "tests/test_app.py")
            .unwrap()
            .contains("app.one() == 1")
    );
    assert!(!place.spaces.tree_has(&tree, "tests/test_new.py").unwrap());
    let lib = read(&place, &tree, "src/lib.rs").unwrap();
    assert!(lib.contains("    2\n") && lib.contains("one(), 1)"), "{lib}");
    assert_eq!(
        findings[0].what,
        "this phase may not change tests; the tests in `src/lib.rs` are as they were before it"
    );
}

#[test]
fn what_was_put_back_is_lawful_however_often_it_is_judged() {
    for rights in [Rights::Tests, Rights::Code] {
        let (place, _, done) = put_back(rights, edit_everything);
        let base = place.spaces.base("HEAD").unwrap();
        let measure = TurnRights {
            rights,
            since: &base.tree,
        };
        let tree = done.unwrap().tree;
        let again = place.spaces.put_back(&run("T-1.1"), &label("turn-002"), measure, &tree);
        assert_eq!(again.unwrap(), None, "{rights:?}");
    }
}

#[test]
fn who_keeps_to_their_rights_notices_nothing() {
    let tests = |work: &Path| write(&work.join("tests/test_b.py"), "def test_b():\n    assert False\n");
    let code = |work: &Path| write(&work.join("src/b.py"), "b = 1\n");
    for (place, _, done) in [
        put_back(Rights::Tests, tests),
        put_back(Rights::Code, code),
        put_back(Rights::All, edit_everything),
        put_back(Rights::Tests, |_| {}),
    ] {
        assert_eq!(done, None);
        assert!(!place.state.results().join("refs/rescue").exists());
    }
}

#[test]
fn a_file_is_put_back_where_a_folder_was_laid_over_it() {
    let (place, _, done) = put_back(Rights::Tests, |work| {
        fs::remove_file(work.join("src/app.py")).unwrap();
        write(&work.join("src/app.py/inner.py"), "x = 1\n");
        fs::remove_dir_all(work.join("tests")).unwrap();
        write(&work.join("tests"), "no folder any more\n");
    });
    let tree = done.unwrap().tree;
    assert!(read(&place, &tree, "src/app.py").unwrap().contains("return 1"));
    // A file called like a folder of tests is no test; what lay in the folder was one.
    assert!(!place.spaces.tree_has(&tree, "tests").unwrap());
}

#[test]
fn a_mode_counts_as_a_change_of_what_the_path_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let run = |work: &Path| {
        for path in ["src/app.py", "tests/test_app.py"] {
            fs::set_permissions(work.join(path), fs::Permissions::from_mode(0o755)).unwrap();
        }
    };
    for (rights, path) in [(Rights::Tests, "src/app.py"), (Rights::Code, "tests/test_app.py")] {
        let (_, _, done) = put_back(rights, run);
        let told: Vec<String> = done.unwrap().findings.into_iter().map(|finding| finding.path).collect();
        assert_eq!(told, [path, "refs/trueup/rescue"]);
    }
}
