//! The first proof in each project: `init --yes`, then `run`, nothing edited.

use crate::fixtures::{self, Sample};
use serde_json::Value;
use std::time::Instant;
use trueup_testkit::household::Household;

/// Most that may pass from `init` to the evidence of every check of a repository
/// of several languages, alone on the machine and with nothing to download.
const SECONDS: f64 = 30.0;

/// Sets the project up and answers what `init` said of it, after how many seconds.
fn set_up(fixture: &Sample, household: &Household) -> (Value, f64) {
    let begun = Instant::now();
    let said = household.json(&["init", "--yes", "--json"]);
    let seconds = begun.elapsed().as_secs_f64();
    println!("measured: init_{}_seconds={seconds:.2}", fixture.name);
    (said, seconds)
}

/// The colour `init` saw a check in.
fn colour<'a>(said: &'a Value, check: &str) -> &'a str {
    let checks = said["checks"].as_array().expect("checks");
    let found = checks.iter().find(|found| found["name"] == check);
    found.and_then(|found| found["base"].as_str()).unwrap_or_default()
}

/// Answers how many seconds passed until the evidence of every check.
fn proves(fixture: &Sample) -> f64 {
    let household = fixture.lay();
    let (said, seconds) = set_up(fixture, &household);
    assert_eq!(said["trusted"], true, "{said:#}");
    for check in said["checks"].as_array().expect("checks") {
        assert_eq!(
            check["base"],
            "green",
            "{said:#}\n{}",
            household.trueup(&["check"]).stdout
        );
    }
    for test in fixture.tests {
        assert_eq!(colour(&said, test), "green", "{said:#}");
    }
    let before = household.checkout_digest();
    let begun = Instant::now();
    let ran = household.trueup(&["run", "T-001"]);
    println!(
        "measured: first_run_{}_seconds={:.2}",
        fixture.name,
        begun.elapsed().as_secs_f64()
    );
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stdout.starts_with("verified: "), "{ran:#?}");
    assert_eq!(household.checkout_digest(), before, "the checkout was touched");
    let shown = household.show("T-001");
    assert_eq!(shown["outcome"], "verified");
    assert_eq!(shown["valid"], true);
    let guards = shown["criteria"][2]["evidence"].as_array().expect("guards").len();
    assert_eq!(guards, fixture.tests.len(), "{shown:#}");
    let changed = household.git(&["diff", "--name-only", "main", "trueup/T-001"]);
    assert_eq!(changed, "TRUEUP.md", "what was laid ready is no part of the work");
    seconds
}

#[test]
fn a_rust_project_is_proved_without_editing_a_file() {
    proves(&fixtures::RUST);
}

#[test]
fn an_npm_project_is_proved_without_editing_a_file() {
    proves(&fixtures::NPM);
}

#[test]
fn a_pnpm_project_is_proved_without_editing_a_file() {
    proves(&fixtures::PNPM);
}

#[test]
fn a_uv_project_is_proved_without_editing_a_file() {
    proves(&fixtures::UV);
}

#[test]
fn a_pip_project_is_proved_without_editing_a_file() {
    proves(&fixtures::PIP);
}

#[test]
fn a_go_project_is_proved_without_editing_a_file() {
    proves(&fixtures::GO);
}

#[test]
fn a_make_project_is_proved_without_editing_a_file() {
    proves(&fixtures::MAKE);
}

#[test]
fn a_script_of_several_programs_tells_of_each_test_and_a_new_task_asks_for_one() {
    let household = fixtures::NPM.lay();
    let package = std::fs::read_to_string(household.checkout().join("package.json")).expect("the package");
    let chain = package.replace(
        "node --test",
        "node --version && node --test *.test.js && node --version",
    );
    household.file("package.json", &chain);
    household.commit("A chain");
    let (said, _) = set_up(&fixtures::NPM, &household);
    assert_eq!(colour(&said, "test"), "green", "{said:#}");
    assert_eq!(household.trueup(&["new", "Greet Bob"]).code, 0);
    let task = std::fs::read_to_string(household.checkout().join("tasks/T-002.md")).expect("the task");
    assert!(task.contains("- verify: tests of this run"), "{task}");
    let check = household.trueup(&["check", "T-002"]);
    assert!(check.code == 0 && check.stdout.contains("T-002 is ready"), "{check:#?}");
    // What it reports is believed by name.
    household.file(
        "tasks/T-002.md",
        &task.replace(
            "verify: tests of this run",
            "guard: test greets\n  - verify: file B exists",
        ),
    );
    let check = household.trueup(&["check", "T-002"]);
    assert!(check.code == 0 && check.stdout.contains("T-002 is ready"), "{check:#?}");
}

/// `.config/nextest.toml` lets nothing run beside it.
#[test]
fn a_repository_of_several_languages_is_soon_proved_without_editing_a_file() {
    let seconds = proves(&fixtures::MIXED);
    assert!(seconds < SECONDS, "{seconds:.2} s until the evidence");
}

/// The known-bad subjects: tests that are red today, and an agent that makes
/// them red.
#[test]
fn a_broken_project_is_told_so_and_one_that_gets_broken_is_not_verified() {
    let broken = fixtures::MAKE.lay();
    broken.file("greet.sh", "echo \"Bye, $1\"\n");
    broken.commit("Break it");
    let (said, _) = set_up(&fixtures::MAKE, &broken);
    assert_eq!(colour(&said, "test"), "red", "{said:#}");
    let task = std::fs::read_to_string(broken.checkout().join("tasks/T-001.md")).expect("the task");
    assert!(!task.contains("guard: test"), "a red check cannot be a guard:\n{task}");
    assert!(task.contains("guard: lint"), "{task}");

    let household = fixtures::MAKE.lay();
    set_up(&fixtures::MAKE, &household);
    household.set_agent("echo 'trueup check, trueup show' > TRUEUP.md; echo 'echo Bye' > greet.sh\n");
    let layer = household.folder().join("config/trueup/config.toml");
    std::fs::create_dir_all(layer.parent().expect("a folder")).expect("a folder");
    let agent = format!(
        "[agent.breaker]\nkind = \"command\"\ncommand = [\"{}\"]\n",
        household.agent().display()
    );
    std::fs::write(layer, agent).expect("the user's layer");
    let ran = household.trueup(&["run", "T-001", "--agent", "breaker"]);
    assert_eq!(ran.code, 5, "{ran:#?}");
    assert!(ran.stderr.contains("AC-3 ✗"), "{ran:#?}");
}
