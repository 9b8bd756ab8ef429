//! Findings 5, 11 and 12: who hoards, how deep, and what becomes of a journal.

use crate::attack::{FINISH, all, holds_now_and_fell_with, within};
use std::{fs, process::Command};
use trueup_testkit::household::{Household, output};

/// What lies deeper than a path can say is beyond this test's own folder too.
fn remove(household: &Household) {
    let removed = Command::new("rm").arg("-rf").arg(household.state()).status();
    assert!(removed.expect("rm").success());
}

#[test]
fn who_fills_the_quota_makes_nobody_else_wait() {
    holds_now_and_fell_with("blames-nobody", |subject| {
        let household = subject.asked_to_finish("mkdir -p hoard; head -c 120000000 /dev/zero > hoard/all; sleep 3\n");
        household.file("trueup.local.toml", "[state]\nquota = \"60MB\"\n");
        household.task("T-002", &FINISH.replace("T-001", "T-002"));
        household.commit("Another task");
        within(12, &household, subject, &["run", "T-001"]);
        household.set_agent("echo done > done.txt\n");
        let ended = within(12, &household, subject, &["run", "T-002"]);
        (ended.code != 0, format!("{ended:#?}"))
    });
}

#[test]
fn no_depth_hides_from_the_quota() {
    let deep = "mkdir hoard; python3 - <<'END'\nimport os\nos.chdir('hoard')\nfor _ in range(4000):\n    os.mkdir('d')\n    os.chdir('d')\n\
                with open('all', 'wb') as file:\n    for _ in range(240):\n        file.write(os.urandom(1 << 20))\nEND\n\
                sleep 5\necho done > done.txt\n";
    holds_now_and_fell_with("walks-by-path", |subject| {
        let household = subject.asked_to_finish(deep);
        household.file("trueup.local.toml", "[state]\nquota = \"60MB\"\n");
        let ended = within(60, &household, subject, &["run", "T-001"]);
        let swept = within(60, &household, subject, &["gc"]);
        remove(&household);
        let told = ended.stderr.contains("MB of disk (`[state] quota`)");
        (!told, format!("{ended:#?}{swept:#?}"))
    });
}

#[test]
fn an_empty_journal_is_not_one_of_somebody_who_never_ran_anything() {
    holds_now_and_fell_with("overlooks-damage", |subject| {
        let household = subject.asked_to_finish("echo done > done.txt\n");
        household.trueup(&["run", "T-001"]);
        fs::write(household.state().join("journal.db"), "").expect("damaged");
        let said = household.trueup(&["show", "T-001"]);
        (!said.stderr.contains("trueup doctor --repair"), all(&said))
    });
}

#[test]
fn a_repository_that_was_moved_is_not_one_that_never_ran() {
    holds_now_and_fell_with("overlooks-damage", |subject| {
        let household = subject.asked_to_finish("echo done > done.txt\n");
        let states = household.folder().join("states");
        let trueup = |folder: &std::path::Path, words: &[&str]| {
            let mut command = household.command(words);
            command
                .current_dir(folder)
                .env_remove("TRUEUP_STATE")
                .env("XDG_STATE_HOME", &states);
            output(&mut command)
        };
        trueup(&household.checkout(), &["run", "T-001"]);
        let elsewhere = household.folder().join("elsewhere");
        fs::rename(household.checkout(), &elsewhere).expect("moved");
        let said = trueup(&elsewhere, &["show", "T-001"]);
        (said.stderr.contains("never run"), all(&said))
    });
}
