//! `config show` and `config set`.

use serde_json::Value;
use std::{fs, os::unix::fs::symlink};
use trueup_testkit::household::Household;

const REPOSITORY: &str = "\
# Ours.
version = 1

[project]
base = \"main\"    # the branch others start from

[checks.unit]      # from the Makefile
run = \"make test\"
";

/// A household with every layer, and nobody's trust but what it says itself.
fn household() -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "").with_variable("TRUEUP_TRUST", "0");
    household.file("trueup.toml", REPOSITORY);
    household.file("trueup.local.toml", "[checks.unit]\ntimeout = \"5m\"\n");
    let user = household.home().join(".config/trueup");
    fs::create_dir_all(&user).expect("a folder");
    fs::write(
        user.join("config.toml"),
        "[project]\nbase = \"trunk\"\ntasks = \"todo\"\n",
    )
    .expect("the user's layer");
    household
}

fn origin<'a>(document: &'a Value, key: &str) -> &'a Value {
    let keys = document["keys"].as_array().expect("keys");
    keys.iter().find(|found| found["key"] == key).unwrap_or(&Value::Null)
}

#[test]
fn every_key_says_which_layer_set_it_and_where() {
    let household = household();
    let shown = household.json(&["config", "show", "--json"]);
    for (key, value, layer, line) in [
        ("project.base", "main", "repository", 5),
        ("project.tasks", "todo", "user", 3),
        ("checks.unit.run", "make test", "repository", 8),
        ("checks.unit.timeout", "5m", "local", 2),
    ] {
        let found = origin(&shown, key);
        assert_eq!(found["value"], value, "{key}: {shown:#}");
        assert_eq!(found["layer"], layer, "{key}");
        assert_eq!(found["line"], line, "{key}");
    }
    assert_eq!(origin(&shown, "sandbox.read")["layer"], "built_in");
    let lines = household.trueup(&["config", "show", "--origin"]).stdout;
    assert!(
        lines
            .lines()
            .any(|line| line.starts_with("project.base = \"main\" ") && line.ends_with("# trueup.toml:5")),
        "{lines}"
    );
    let plain = household.trueup(&["config", "show"]).stdout;
    assert!(plain.lines().any(|line| line == "project.base = \"main\""), "{plain}");
}

#[test]
fn setting_a_key_changes_that_key_and_keeps_every_comment() {
    let household = household();
    let set = household.trueup(&["config", "set", "project.base", "develop"]);
    assert_eq!(set.code, 0, "{set:#?}");
    household.trueup(&["config", "set", "checks.unit.network", "true"]);
    household.trueup(&["config", "set", "checks.unit.run", "true"]);
    let text = fs::read_to_string(household.checkout().join("trueup.toml")).expect("the configuration");
    let expected = REPOSITORY
        .replace("\"main\"", "\"develop\"")
        .replace("\"make test\"\n", "\"true\"\nnetwork = true\n");
    assert_eq!(text, expected, "a switch stays a switch, and a command a command");
}

#[test]
fn each_layer_can_be_set_and_a_missing_file_is_made() {
    let household = household();
    fs::remove_file(household.checkout().join("trueup.local.toml")).expect("the local layer");
    fs::remove_dir_all(household.home().join(".config")).expect("the user's layer");
    household.trueup(&["config", "set", "project.tasks", "mine", "--user"]);
    household.trueup(&["config", "set", "sandbox.read", "[\"/opt/a\"]", "--local"]);
    let shown = household.json(&["config", "show", "--json"]);
    assert_eq!(origin(&shown, "project.tasks")["layer"], "user");
    assert_eq!(origin(&shown, "sandbox.read")["layer"], "local");
    assert_eq!(origin(&shown, "sandbox.read")["value"], serde_json::json!(["/opt/a"]));
}

#[test]
fn what_would_not_be_valid_is_refused_and_changes_nothing() {
    let household = household();
    for (key, value, why) in [
        ("project.bsae", "main", "did you mean `base`?"),
        ("chekcs.unit.run", "make", "did you mean `checks`?"),
        ("checks.unit.timeout", "soon", "is not a time"),
        ("checks.fresh.timeout", "5m", "[checks.fresh] has no `run`"),
        ("checks.unit.run", "make && true", "only to a shell"),
        ("project.base.x", "1", "not a table"),
        ("a..b", "1", "is not a key"),
        ("version", "2", "version 2"),
        ("sandbox.mode", "none", "not for a repository to decide"),
        (
            "sandbox.mode",
            "none",
            "\n  trueup config set sandbox.mode none --user\n",
        ),
        (
            "sandbox.read",
            "/opt/a",
            "\n  trueup config set sandbox.read '[\"/opt/a\"]'\n",
        ),
    ] {
        let set = household.trueup(&["config", "set", key, value]);
        assert_eq!(set.code, 2, "{key}: {set:#?}");
        assert!(set.stderr.contains(why), "{key}: {set:#?}");
        let text = fs::read_to_string(household.checkout().join("trueup.toml")).expect("the configuration");
        assert_eq!(text, REPOSITORY, "{key}");
    }
}

#[test]
fn what_was_trusted_stays_trusted_when_its_owner_changes_it_and_nothing_else_does() {
    let household = household();
    household.trueup(&["config", "set", "project.base", "develop"]);
    assert_eq!(household.trueup(&["check"]).code, 4, "nobody trusted it");
    household.trueup(&["trust", "--yes"]);
    household.trueup(&["config", "set", "project.tasks", "tasks"]);
    assert_ne!(household.trueup(&["check"]).code, 4, "its owner changed it");
    household.file("trueup.toml", REPOSITORY);
    assert_eq!(household.trueup(&["check"]).code, 4, "somebody else changed it");
}

/// A repository can carry a link to anything, and nobody trusted it yet.
#[test]
fn a_file_that_never_ends_is_no_configuration() {
    for name in ["trueup.toml", "trueup.local.toml"] {
        let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
        let file = household.checkout().join(name);
        let refused = |why: &str| {
            for words in [&["status"][..], &["config", "show", "--origin"]] {
                let told = household.trueup(words);
                assert_eq!(told.code, 2, "{name} {words:?}: {told:#?}");
                assert!(told.stderr.contains(why) && told.stderr.contains(name), "{told:#?}");
            }
        };
        drop(fs::remove_file(&file));
        symlink("/dev/zero", &file).expect("a link");
        refused("not a regular file");
        fs::remove_file(&file).expect("the link");
        fs::write(&file, format!("# {}\n", "x".repeat(1 << 20))).expect("a long file");
        refused("larger than 1 MB");
    }
}
