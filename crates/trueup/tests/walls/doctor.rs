//! Walls that cannot stand, really provoked; and that nothing runs there
//! unless a person chose to do without.

use crate::{TRUEUP, greeting};
use std::{fs, os::unix::fs::PermissionsExt, process::Command};
use trueup_testkit::household::{Household, Output, output};

/// trueup, started by a shell in a namespace in which something was taken away.
fn after(household: &Household, taken: &str, arguments: &str) -> Output {
    let mut command = Command::new("unshare");
    let script = format!("{taken} && exec {TRUEUP} {arguments}");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]);
    household.furnish(&mut command);
    output(&mut command)
}

/// What is taken away, and what `doctor` then says to do.
const TAKEN: [(&str, &[&str]); 3] = [
    (
        "echo 0 > /proc/sys/user/max_user_namespaces",
        &[
            "user.max_user_namespaces is 0",
            "sudo sysctl -w user.max_user_namespaces=15000",
        ],
    ),
    (
        "mount --bind /dev/null /proc/interrupts",
        &["masks /proc", "--security-opt systempaths=unconfined"],
    ),
    (
        "mount --bind /dev/null /usr/bin/bwrap",
        &[
            "bubblewrap is not installed",
            "Install bubblewrap",
            "install bubblewrap",
        ],
    ),
];

#[test]
fn doctor_names_what_is_in_the_way_and_what_to_type() {
    for (taken, words) in TAKEN {
        let household = Household::greeting(TRUEUP);
        let told = after(&household, taken, "doctor");
        assert_eq!(told.code, 1, "{taken}: {told:#?}");
        for word in words {
            assert!(told.stdout.contains(word), "{taken}: {word}: {told:#?}");
        }
        for line in [
            "✗ sandbox",
            "✓ mode outer   works",
            "✓ mode none    works",
            "TRUEUP_SANDBOX",
        ] {
            assert!(told.stdout.contains(line), "{taken}: {line}: {told:#?}");
        }
    }
}

#[test]
fn without_a_wall_and_without_a_choice_nothing_runs() {
    for (taken, words) in TAKEN {
        let household = Household::greeting(TRUEUP);
        let refused = after(&household, taken, "run T-001");
        assert_eq!(refused.code, 1, "{taken}: {refused:#?}");
        assert!(
            refused.stderr.contains("no sandbox, so nothing can be proved"),
            "{refused:#?}"
        );
        assert!(refused.stderr.contains("trueup doctor"), "{refused:#?}");
        assert!(refused.stderr.contains(words[0]), "{taken}: {refused:#?}");
        assert_eq!(household.try_git(&["rev-parse", "--verify", "trueup/T-001"]).code, 128);
        assert!(
            !household.state().join("workspaces/T-001.1").exists(),
            "no agent was started"
        );
    }
}

#[test]
fn a_person_who_chose_to_do_without_can_go_on_in_the_same_place() {
    for (taken, _) in TAKEN {
        let household = greeting("none");
        let verified = after(&household, taken, "run T-001");
        assert_eq!(verified.code, 0, "{taken}: {verified:#?}");
        assert!(verified.stdout.contains("verified (not isolated)"), "{verified:#?}");
    }
}

#[test]
fn an_old_bubblewrap_is_named_with_how_to_get_a_newer_one() {
    let household = Household::greeting(TRUEUP);
    let old = household.folder().join("old");
    fs::create_dir(&old).expect("a folder");
    fs::write(old.join("bwrap"), "#!/bin/sh\necho bubblewrap 0.4.1\n").expect("a program");
    fs::set_permissions(old.join("bwrap"), fs::Permissions::from_mode(0o755)).expect("the right to run it");
    let path = format!("{}:{}", old.display(), std::env::var("PATH").expect("a PATH"));
    let household = household.with_variable("PATH", &path);
    let told = household.trueup(&["doctor"]);
    assert_eq!(told.code, 1, "{told:#?}");
    assert!(
        told.stdout
            .contains("bubblewrap 0.4.1, but the wall needs bubblewrap 0.8"),
        "{told:#?}"
    );
    let refused = household.trueup(&["run", "T-001"]);
    assert!(
        refused.code == 1 && refused.stderr.contains("0.8 or newer"),
        "{refused:#?}"
    );
}

#[test]
fn doctor_is_content_where_the_chosen_mode_works() {
    for mode in ["bubblewrap", "outer", "none"] {
        let told = greeting(mode).trueup(&["doctor"]);
        assert_eq!(told.code, 0, "{told:#?}");
        let mut rows = told.stdout.lines().filter_map(|line| line.strip_prefix("✓ sandbox "));
        let works = format!("{mode} works");
        assert!(rows.any(|row| row.trim_start().starts_with(&works)), "{told:#?}");
    }
}
