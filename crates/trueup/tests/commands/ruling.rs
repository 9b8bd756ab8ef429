//! Rules: listed, explained, switched by a layer, and allowed by a task.

use std::fs;
use trueup_testkit::household::{Household, Output};

/// The rule that the agent's file breaks.
const RULE: &str = "py/ends-process";

const TASK: &str = "- [ ] **AC-1** It greets by name.\n  - verify: `sh by_name.sh`\n";

/// Greets, and leaves a program of Python that ends the process with success.
const AGENT: &str = "echo 'echo \"Hello, ${1:-world}\"' > greet.sh\n\
                     printf 'import os\\n\\nos._exit(0)\\n' > tool.py\n";

fn household(front_matter: &str) -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), AGENT);
    household.file("greet.sh", "echo \"Hello, world\"\n");
    household.file("by_name.sh", "test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n");
    let task = format!("---\nv: 1\nid: T-001\ntitle: Greet\n{front_matter}---\n## Acceptance criteria\n\n{TASK}");
    household.task("T-001", &task);
    household.commit("A greeting");
    household
}

/// Lays keys into the repository's configuration, and trusts it.
fn configured(household: &Household, rules: &str) {
    let path = household.checkout().join("trueup.toml");
    let written = fs::read_to_string(path).expect("a configuration");
    household.file("trueup.toml", &format!("{written}\n[rules]\n{rules}\n"));
    assert_eq!(household.trueup(&["trust", "--yes"]).code, 0);
}

fn settled(household: &Household) -> Vec<(String, String, String)> {
    let show = household.show("T-001");
    let objections = show["objections"].as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let of = |one: &serde_json::Value| {
        let rule = &one["objection"]["rule"];
        (text(&rule["id"]), text(&rule["level"]), text(&one["settled"]))
    };
    objections.iter().map(of).collect()
}

fn one(level: &str, settled: &str) -> Vec<(String, String, String)> {
    vec![(RULE.to_owned(), level.to_owned(), settled.to_owned())]
}

#[test]
fn what_breaks_a_rule_that_asks_is_asked_about_and_the_rule_is_named() {
    let household = household("");
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 4, "{run:#?}");
    assert!(run.stderr.contains(&format!("[{RULE}]")), "{run:#?}");
    assert!(run.stderr.contains("trueup rules explain RULE"), "{run:#?}");
    assert_eq!(settled(&household), one("ask", "open"));
    assert_eq!(household.trueup(&["approve", "T-001"]).code, 0);
    assert_eq!(settled(&household), one("ask", "approved"));
}

#[test]
fn a_rule_that_a_layer_makes_a_note_stops_nobody_and_is_shown() {
    let household = household("");
    configured(&household, &format!("\"{RULE}\" = \"note\""));
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert_eq!(settled(&household), one("note", "noted"));
    let show = household.trueup(&["show", "T-001"]);
    assert!(
        show.stdout.contains(&format!("[{RULE}] (a note; nobody is asked)")),
        "{show:#?}"
    );
}

#[test]
fn a_person_switches_a_rule_for_all_repositories() {
    let household = household("");
    let own = household.home().join(".config/trueup");
    fs::create_dir_all(&own).expect("a folder");
    fs::write(own.join("config.toml"), format!("[rules]\n\"{RULE}\" = \"note\"\n")).expect("a file");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    assert_eq!(settled(&household), one("note", "noted"));
}

#[test]
fn trust_shows_which_rules_a_repository_makes_notes() {
    let household = household("");
    configured(&household, &format!("\"{RULE}\" = \"note\""));
    let shown = household.trueup(&["trust", "--yes"]);
    assert!(
        shown
            .stdout
            .contains(&format!("! nobody is asked about what breaks {RULE}")),
        "{shown:#?}"
    );
}

#[test]
fn a_task_allows_what_breaks_a_rule_in_the_files_that_it_names() {
    for (allowed, code) in [("tool.py", 0), ("src/**", 4)] {
        let household = household(&format!("allow:\n  rules: [\"{RULE}@{allowed}\"]\n"));
        let run = household.trueup(&["run", "T-001"]);
        assert_eq!(run.code, code, "{allowed}: {run:#?}");
        let settled_as = if code == 0 { "allowed" } else { "open" };
        assert_eq!(settled(&household), one("ask", settled_as), "{allowed}");
    }
}

#[test]
fn a_rule_that_nobody_knows_is_refused_wherever_it_is_named() {
    let task = household("allow:\n  rules: [py/ends-proces]\n").trueup(&["check", "T-001"]);
    assert!(
        task.code == 3
            && task
                .stdout
                .contains("there is no rule `py/ends-proces`; did you mean `py/ends-process`?"),
        "{task:#?}"
    );
    let layer = household("");
    layer.file("trueup.toml", "[rules]\n\"py/ends-proces\" = \"note\"\n");
    let Output { code, stderr, .. } = layer.trueup(&["status"]);
    assert!(
        code == 2 && stderr.contains("there is no rule `py/ends-proces`; did you mean `py/ends-process`?"),
        "{stderr}"
    );
    layer.file("trueup.toml", "[rules]\n\"py/ends-process\" = \"off\"\n");
    let Output { code, stderr, .. } = layer.trueup(&["status"]);
    assert!(
        code == 2 && stderr.contains("`off` is neither `ask` nor `note`"),
        "{stderr}"
    );
    layer.file("trueup.toml", "[rules]\nprofile = \"loud\"\n");
    let Output { code, stderr, .. } = layer.trueup(&["status"]);
    assert!(
        code == 2 && stderr.contains("neither `standard` nor `strict`"),
        "{stderr}"
    );
}

#[test]
fn rules_are_listed_and_explained_with_the_levels_in_force() {
    let household = household("");
    configured(&household, &format!("\"{RULE}\" = \"note\""));
    let listed = household.trueup(&["rules"]);
    assert_eq!(listed.code, 0, "{listed:#?}");
    let line = listed
        .stdout
        .lines()
        .find(|line| line.starts_with(RULE))
        .unwrap_or_default();
    assert!(line.contains("  note  ends the process"), "{line}");
    let document = household.json(&["rules", "--json"]);
    let rules = document["rules"].as_array().cloned().unwrap_or_default();
    let found = rules.iter().find(|rule| rule["id"] == RULE).expect("the rule");
    assert_eq!(
        (&found["level"], &found["usual_level"]),
        (&"note".into(), &"ask".into())
    );
    let explained = household.trueup(&["rules", "explain", RULE]);
    for part in [
        "ends the process",
        "Breaks it:",
        "Does not:",
        "Level note",
        &format!("\"{RULE}\" = \"ask\""),
    ] {
        assert!(explained.stdout.contains(part), "{part}: {explained:#?}");
    }
    let unknown = household.trueup(&["rules", "explain", "py/nope"]);
    assert_eq!(
        (unknown.code, unknown.stderr.contains("trueup rules")),
        (2, true),
        "{unknown:#?}"
    );
}
