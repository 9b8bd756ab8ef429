//! What is said where no repository is, or one that is not set up: what can be
//! said all the same, and how to go on.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};
use trueup_testkit::household::{Household, Output, output};

/// What trueup says in a folder that is in no repository, on a machine that has Claude Code.
fn outside(household: &Household, arguments: &[&str]) -> Output {
    let (folder, tools) = (household.folder().join("empty"), household.home().join(".local/bin"));
    for folder in [&folder, &tools] {
        fs::create_dir_all(folder).expect("a folder");
    }
    let agent = tools.join("claude");
    fs::write(&agent, "#!/bin/sh\necho '2.1.325 (Claude Code)'\n").expect("an agent");
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    let path = std::env::var("PATH").expect("a PATH");
    let mut command = household.command(arguments);
    command
        .current_dir(&folder)
        .env("PATH", format!("{}:{path}", tools.display()))
        .env_remove("TRUEUP_TRUST");
    output(&mut command)
}

fn household() -> Household {
    Household::new(env!("CARGO_BIN_EXE_trueup"), "")
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

#[test]
fn doctor_outside_a_repository_tells_of_the_machine_and_how_to_go_on() {
    let household = household();
    let told = outside(&household, &["doctor"]);
    assert_eq!(told.code, 0, "{told:#?}");
    for row in [
        "✓ git",
        "✓ sandbox",
        "✓ layers",
        "✓ agent claude",
        "✓ repository   none: ",
    ] {
        assert!(told.stdout.contains(row), "{row}: {told:#?}");
    }
    assert!(told.stdout.contains("2.1.325"), "{told:#?}");
    assert!(!told.stdout.contains("journal  "), "{told:#?}");
    assert!(told.stderr.ends_with("\n  trueup init\n"), "{told:#?}");
    assert!(is_empty(&household.folder().join("empty")), "it leaves nothing behind");
    assert!(!household.state().exists(), "nor a state root");
    for flag in ["--repair", "--bundle"] {
        let refused = outside(&household, &["doctor", flag]);
        assert_eq!(refused.code, 2, "{refused:#?}");
        assert!(refused.stderr.contains("is not in a git repository"), "{refused:#?}");
    }
}

#[test]
fn doctor_before_init_finds_no_fault_in_it_and_names_the_next_command() {
    let household = household();
    fs::remove_file(household.checkout().join("trueup.toml")).expect("the configuration");
    household.commit("Not set up");
    let untrusted = household.with_variable("TRUEUP_TRUST", "0");
    let told = untrusted.trueup(&["doctor"]);
    assert_eq!(told.code, 0, "{told:#?}");
    assert!(!told.stdout.contains('✗'), "{told:#?}");
    let row = "✓ repository   not set up yet: it has no trueup.toml, so there is nothing to trust\n";
    assert!(told.stdout.ends_with(row), "{told:#?}");
    assert_eq!(told.stderr, "To set this repository up:\n  trueup init\n");
    let document = untrusted.json(&["doctor", "--json"]);
    let rows = document["examined"].as_array().expect("rows");
    assert!(
        rows.iter().all(|row| row["ok"] == true && row["what"] != "trust"),
        "{document:#}"
    );
    // What is set up and not trusted is a fault, as before.
    untrusted.file("trueup.toml", "version = 1\n");
    let told = untrusted.trueup(&["doctor"]);
    assert_eq!(told.code, 1, "{told:#?}");
    assert!(
        told.stdout.contains("✗ trust") && told.stdout.contains("✗ agents"),
        "{told:#?}"
    );
}

#[test]
fn doctor_tells_of_an_agent_that_is_missing_in_words() {
    let household = household();
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("the configuration");
    household.file(
        "trueup.toml",
        &format!("{config}\n[agent.other]\nkind = \"command\"\ncommand = [\"nobodys\"]\n"),
    );
    fs::remove_file(household.agent()).expect("the agent");
    let told = household.trueup(&["doctor"]);
    assert_eq!(told.code, 1, "{told:#?}");
    let script = format!(
        "there is no program {}; install it, or mend `command`",
        household.agent().display()
    );
    for words in [script.as_str(), "there is no program `nobodys` on the PATH; install it"] {
        assert!(told.stdout.contains(words), "{told:#?}");
    }
    assert!(!told.stdout.contains("os error"), "{told:#?}");
}

#[test]
fn agents_outside_a_repository_are_configured_in_the_persons_own_file() {
    let household = household();
    let listed = outside(&household, &["agent", "list"]);
    assert_eq!(listed.code, 0, "{listed:#?}");
    let set = "trueup config set agent.claude.kind claude-code --user";
    assert!(listed.stderr.ends_with(&format!("\n  {set}\n")), "{listed:#?}");
    let unknown = outside(&household, &["agent", "test", "claude"]);
    assert_eq!((unknown.code, unknown.stderr.contains(set)), (7, true), "{unknown:#?}");
    let words: Vec<&str> = set.split(' ').skip(1).collect();
    assert_eq!(outside(&household, &words).code, 0);
    let listed = outside(&household, &["agent", "list"]);
    assert!(listed.stdout.starts_with("✓ claude       claude-code"), "{listed:#?}");
    assert!(!listed.stdout.contains("not configured"), "{listed:#?}");
}

#[test]
fn what_needs_a_repository_says_so_and_what_to_type() {
    let household = household();
    let status = outside(&household, &["status"]);
    assert_eq!(status.code, 2, "{status:#?}");
    assert!(status.stderr.contains("is not in a git repository"), "{status:#?}");
    assert!(status.stderr.contains("\n  git init\n"), "{status:#?}");
    let set = outside(&household, &["config", "set", "agent.default", "mine"]);
    assert_eq!(set.code, 2, "{set:#?}");
    let own = "\n  trueup config set agent.default mine --user\n";
    assert!(set.stderr.contains(own), "{set:#?}");
}
