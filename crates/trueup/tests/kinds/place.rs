//! A household with a tool that writes reports, and one task.

use serde_json::Value;
use std::fs;
use trueup_testkit::household::{Household, Output};

pub(crate) const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// The task everything is about.
pub(crate) const TASK: &str = "T-001";

/// The branch with the work on it.
const WORK: &str = "work";

/// A repository with a `tool.sh`, a configuration, and a task of these lines.
pub(crate) fn household(tool: &str, configuration: &str, lines: &[&str]) -> Household {
    let household = Household::new(TRUEUP, "true\n");
    household.file("tool.sh", tool);
    household.file("README.md", "# a project\n");
    let there = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    household.file("trueup.toml", &format!("{there}\n{configuration}"));
    let checks: String = lines.iter().map(|line| format!("  - {line}\n")).collect();
    household.task(
        TASK,
        &format!(
            "---\nv: 1\nid: {TASK}\ntitle: Answer\nbudget:\n  turns: 2\n---\n\nAnswer it.\n\n\
             ## Acceptance criteria\n\n- [ ] **AC-1** It is answered.\n{checks}"
        ),
    );
    household.commit("A project");
    household
}

/// What the task's checks show on the base, one piece of evidence each.
pub(crate) fn on_base(household: &Household) -> Vec<Value> {
    let checked = household.json(&["check", TASK, "--json"]);
    let evidence = checked["tasks"][0]["evidence"].as_array();
    evidence.unwrap_or_else(|| panic!("{checked:#}")).clone()
}

/// What they show once these files are written.
pub(crate) fn after(household: &Household, files: &[(&str, &str)]) -> Vec<Value> {
    let head = household.git(&["rev-parse", "HEAD"]);
    household.git(&["checkout", "--quiet", "-B", WORK]);
    for (path, text) in files {
        household.file(path, text);
    }
    household.commit("Work");
    household.git(&["checkout", "--quiet", "main"]);
    assert_eq!(household.git(&["rev-parse", "HEAD"]), head, "the base stays");
    let seen = household.json(&["verify", TASK, "--on", WORK, "--json"]);
    seen["evidence"]
        .as_array()
        .unwrap_or_else(|| panic!("{seen:#}"))
        .clone()
}

/// What a piece of evidence says in a word: `green`, `red`, `not executed`.
pub(crate) fn colour(evidence: &Value) -> &'static str {
    let saw = &evidence["saw"];
    if saw == "passed" {
        "green"
    } else if saw.get("failed").is_some() || saw == "timed_out" {
        "red"
    } else {
        "not executed"
    }
}

/// Why it is not green.
pub(crate) fn why(evidence: &Value) -> String {
    let saw = &evidence["saw"];
    let why = saw["failed"]["why"]
        .as_str()
        .or_else(|| saw["cannot_run"]["why"].as_str());
    why.unwrap_or_else(|| panic!("{evidence:#}")).to_owned()
}

/// Every problem `check` has with the task, in a text.
pub(crate) fn refusal(household: &Household) -> String {
    let Output { code, stdout, stderr } = household.trueup(&["check", TASK]);
    assert_eq!(code, 3, "{stdout}{stderr}");
    format!("{stdout}{stderr}")
}
