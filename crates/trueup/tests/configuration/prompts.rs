//! `[prompts] folder`: what agents are told, in a person's own words.

use std::fs;
use trueup_testkit::household::Household;

/// An agent that repeats what it is told; its run ends with its turns.
fn household() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent("cat\n");
    let path = household.checkout().join("trueup.toml");
    let before = fs::read_to_string(path).expect("the configuration");
    household.file("trueup.toml", &format!("{before}\n[prompts]\nfolder = \"prompts\"\n"));
    household
}

#[test]
fn an_agent_is_told_what_stands_in_the_folder_of_prompts() {
    let household = household();
    household.file("prompts/claims.md.j2", "Say it in one sentence, {{ TASK_ID }}.\n");
    household.file("prompts/README.md", "{{ not a template }}\n");
    household.trueup(&["run", "T-001"]);
    let told = household.trueup(&["log", "T-001", "--turn", "1"]).stdout;
    assert!(told.contains("Say it in one sentence, T-001."), "{told}");
}

#[test]
fn a_fault_in_a_template_is_told_with_its_place_before_a_run_is_opened() {
    let household = household();
    let told = |ended: &trueup_testkit::household::Output, place: &str| {
        assert_eq!(ended.code, 2, "{ended:#?}");
        assert!(ended.stderr.contains(place), "{ended:#?}");
    };
    told(&household.trueup(&["run", "T-001"]), "prompts: cannot be read");
    household.file("prompts/turn.md.j2", "Work.\n{{ TASK_TITEL }}\n");
    told(
        &household.trueup(&["run", "T-001"]),
        "prompts/turn.md.j2:2: there is no variable `TASK_TITEL`; did you mean `TASK_TITLE`?",
    );
    let shown = household.trueup(&["show", "T-001.1"]);
    assert_eq!(shown.code, 2, "a run was opened: {shown:#?}");
}

#[test]
fn a_template_that_changes_must_be_trusted_again() {
    let household = household().with_variable("TRUEUP_TRUST", "0");
    household.file("prompts/claims.md.j2", "Say it.\n");
    let asked = household.trueup(&["trust", "--yes"]);
    assert!(
        asked.stdout.contains("tell agents what stands in prompts/claims.md.j2"),
        "{asked:#?}"
    );
    assert_ne!(household.trueup(&["check"]).code, 4);
    household.file("prompts/claims.md.j2", "Say something else.\n");
    assert_eq!(household.trueup(&["check"]).code, 4, "it changed");
    household.trueup(&["trust", "--yes"]);
    household.file("prompts/retry.md.j2", "Again.\n");
    assert_eq!(household.trueup(&["check"]).code, 4, "another one came");
}
