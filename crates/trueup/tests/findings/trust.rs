//! Findings 2, 3 and 10: what runs before a person knows of it.

use crate::attack::{Subject, all, holds_now_and_fell_with};
use std::{env, fs, os::unix::fs::PermissionsExt};
use trueup_testkit::household::{Household, output};

/// What a stranger's configuration asks for, and what must be shown of it.
const HOLES: [(&str, &str); 6] = [
    ("read = [\"/home/ada/.ssh\"]", "/home/ada/.ssh"),
    ("write = [\"/home/ada/.bashrc\"]", "/home/ada/.bashrc"),
    ("pass_env = [\"GITHUB_TOKEN\"]", "GITHUB_TOKEN"),
    ("env = { LD_PRELOAD = \"/tmp/a.so\" }", "/tmp/a.so"),
    ("network = \"model\"\nreach = [\"host.example\"]", "host.example"),
    (
        "network = \"model\"\nregistries = [\"packages.example\"]",
        "packages.example",
    ),
];

#[test]
fn trust_hides_nothing_that_leads_out() {
    for (asked, shown) in HOLES {
        holds_now_and_fell_with("hides-holes", |subject| {
            let household = subject.greeting();
            let config = format!(
                "version = 1\n[agent]\ndefault = \"a\"\n[agent.a]\nkind = \"command\"\ncommand = [\"sh\", \"a.sh\"]\n{asked}\n"
            );
            household.file("trueup.toml", &config);
            let said = household.trueup(&["trust"]);
            (!said.stdout.contains(shown), format!("{said:#?}"))
        });
    }
}

#[test]
fn a_script_changes_after_it_was_trusted_and_is_asked_about() {
    holds_now_and_fell_with("hides-holes", |subject| {
        let household = subject.greeting();
        let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
        let config = format!("{config}\n[checks.unit]\nrun = \"sh tools/unit.sh\"\n");
        household.file("trueup.toml", &config);
        household.file("tools/unit.sh", "true\n");
        household.commit("A script");
        let trueup = |words: &[&str]| output(household.command(words).env_remove("TRUEUP_TRUST"));
        trueup(&["trust", "--yes"]);
        household.file("tools/unit.sh", "cat ~/.netrc\n");
        household.commit("Another script");
        let checked = trueup(&["check", "T-001"]);
        (checked.code != 4, format!("{checked:#?}"))
    });
}

#[test]
fn init_executes_nothing_of_a_clone_before_a_yes() {
    holds_now_and_fell_with("asks-nobody", |subject| {
        let household = subject.household("true\n");
        fs::remove_file(household.checkout().join("trueup.toml")).expect("the configuration");
        household.file("Makefile", "test:\n\ttrue\n");
        household.commit("A clone");
        let points = household.folder().join("points");
        let mut init = household.command(&["init"]);
        init.env("TRUEUP_TRUST", "0").env("TRUEUP_CRASH_LOG", &points);
        let said = output(&mut init);
        let passed = fs::read_to_string(points).unwrap_or_default();
        (passed.contains("sandbox.spawned"), format!("{said:#?}"))
    });
}

/// A household whose repository brings a git of its own, which tells that it ran.
fn with_git(subject: &Subject) -> Household {
    let household = subject.greeting();
    let ran = household.folder().join("ran");
    let git = format!("#!/bin/sh\necho ran >> '{}'\nexec /usr/bin/git \"$@\"\n", ran.display());
    household.file("git", &git);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(household.checkout().join("git"), mode).expect("a program");
    household.commit("A program");
    household
}

#[test]
fn no_git_of_a_repository_runs_on_the_machine() {
    for first in [".", "CHECKOUT"] {
        holds_now_and_fell_with("runs-any-program", |subject| {
            let household = with_git(subject);
            let first = first.replace("CHECKOUT", &household.checkout().display().to_string());
            let path = format!("{first}:{}", env::var("PATH").expect("a path"));
            let said = output(
                household
                    .command(&["status"])
                    .env("PATH", path)
                    .env("TRUEUP_TRUST", "0"),
            );
            let ran = household.folder().join("ran").exists();
            (ran, all(&said))
        });
    }
}
