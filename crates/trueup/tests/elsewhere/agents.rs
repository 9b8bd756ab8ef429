//! What becomes of a run whose agent is configured otherwise by now.

use crate::places::{begin, begin_until, plain, under_way};
use serde_json::Value;
use std::fs;
use trueup_testkit::household::Household;

/// Another agent, which knows the second half of the work.
const OTHER: &str = "[agent.other]\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"printf '# greet\\\\n\\\\nRun `sh greet.sh NAME`.\\\\n' > README.md\"]\n\n[prompts]";

/// Writes the configuration anew.
fn configure(household: &Household, from: &str, to: &str) {
    let file = household.checkout().join("trueup.toml");
    let text = fs::read_to_string(&file).expect("the configuration");
    assert!(text.contains(from), "{text}");
    household.file("trueup.toml", &text.replacen(from, to, 1));
}

/// The events by which an agent was taken in.
fn taken_in(household: &Household) -> Vec<Value> {
    let mut events = household.events("T-001");
    events.retain(|event| event["type"] == "agent_changed");
    events
}

#[test]
fn an_agent_that_could_not_be_started_is_mended_and_the_run_goes_on() {
    let household = plain();
    configure(&household, "\"worker\", \"--work\"", "\"wroker\", \"--work\"");
    let refused = household.trueup(&["run", "T-001"]);
    assert_eq!(refused.code, 7, "{refused:#?}");
    let still = household.trueup(&["resume", "T-001"]);
    assert_eq!((still.code, taken_in(&household).len()), (7, 0), "{still:#?}");
    configure(&household, "\"wroker\"", "\"worker\"");
    let ended = household.trueup(&["resume", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert!(ended.stderr.contains("command: - wroker --work"), "{ended:#?}");
    assert!(ended.stderr.contains("command: + worker --work"), "{ended:#?}");
    let taken = taken_in(&household);
    assert_eq!(taken.len(), 1, "{taken:#?}");
    assert_eq!(taken[0]["settings"]["command"][0], "worker");
}

#[test]
fn an_agent_configured_otherwise_is_left_and_a_person_is_told_how_to_take_it_in() {
    let household = plain();
    begin(&household);
    // Called like this, it would refuse to work.
    configure(&household, "--work", "--idle");
    let ended = household.trueup(&["resume", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert!(ended.stderr.contains("command: + worker --idle"), "{ended:#?}");
    assert!(
        ended.stderr.contains("trueup resume T-001 --agent worker"),
        "{ended:#?}"
    );
    assert_eq!(taken_in(&household).len(), 0);
}

#[test]
fn a_run_goes_on_with_the_agent_that_a_person_names() {
    let household = plain();
    begin(&household);
    configure(&household, "[prompts]", OTHER);
    let unknown = household.trueup(&["resume", "T-001", "--agent", "nobody"]);
    assert_eq!(unknown.code, 7, "{unknown:#?}");
    assert!(unknown.stderr.contains("there is no agent `nobody`"), "{unknown:#?}");
    let ended = household.trueup(&["resume", "T-001", "--agent", "other"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let taken = taken_in(&household);
    assert_eq!(taken.len(), 1, "{taken:#?}");
    assert_eq!(taken[0]["agent"]["name"], "other");
    let prompt = household.state().join("runs/T-001.1/turn-002.prompt.md");
    let prompt = fs::read_to_string(prompt).expect("the prompt");
    assert!(
        prompt.contains("Turn 1"),
        "another agent is told what was done:\n{prompt}"
    );
}

#[test]
fn a_turn_that_ended_and_was_not_kept_is_kept_before_another_agent_takes_over() {
    let household = plain();
    begin_until(&household, "effect.after:2");
    assert_eq!(under_way(&household), "opened checked");
    configure(&household, "[prompts]", OTHER);
    let ended = household.trueup(&["resume", "T-001", "--agent", "other"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let events = under_way(&household);
    assert!(
        events.starts_with("opened checked turn_ended agent_changed checked turn_ended checked"),
        "{events}"
    );
    let turns = household.show("T-001")["turns"].clone();
    assert_eq!(turns, 2, "{events}");
}
