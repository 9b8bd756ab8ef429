//! Each run of the archive is gone on with by today's build.

use crate::scene::{EXPECTED, archive, end, go_on, tasks, unpack};
use serde_json::Value;
use std::fs;
use trueup_testkit::household::Household;

fn kinds(household: &Household, task: &str) -> Vec<String> {
    let events = household.events(task);
    events
        .iter()
        .filter_map(|event| event["type"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn every_run_of_an_older_build_ends_as_it_would_have_there() {
    let household = unpack(env!("CARGO_BIN_EXE_trueup"), &archive());
    let expected = fs::read_to_string(household.folder().join(EXPECTED)).expect("what the older build made of it");
    let expected: Value = serde_json::from_str(&expected).expect("a document");
    assert_eq!(expected.as_object().map(|all| all.len()), Some(tasks().len()));
    let mut wrong = Vec::new();
    for task in tasks() {
        let before = kinds(&household, task);
        assert!(
            !before.iter().any(|kind| kind == "opening_completed"),
            "{task} is not of an older build"
        );
        let ended = go_on(&household, task);
        let mut end = end(&household, task);
        end["exit"] = Value::from(ended.code);
        if end != expected[task] {
            wrong.push(format!("{task}: {end:#}, not {:#}: {ended:#?}", expected[task]));
        }
        let after = kinds(&household, task);
        let completed = after.iter().filter(|kind| *kind == "opening_completed").count();
        let due = usize::from(!task.starts_with("D-"));
        if completed != due || after[..before.len()] != before {
            wrong.push(format!("{task}: {before:?} became {after:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_run_that_ends_otherwise_is_noticed() {
    let household = unpack(env!("CARGO_BIN_EXE_trueup"), &archive());
    let expected = fs::read_to_string(household.folder().join(EXPECTED)).expect("what the older build made of it");
    let expected: Value = serde_json::from_str(&expected).expect("a document");
    // Another agent, so another tree.
    household.set_agent("printf 'def greet(name=\"world\"):\\n    return f\"Hello, {name}\" + \"\"\\n' > greet.py\n");
    go_on(&household, "P-keyboard");
    assert_ne!(end(&household, "P-keyboard")["tree"], expected["P-keyboard"]["tree"]);
}
