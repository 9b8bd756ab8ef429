//! Every honest change against the real binary.

use std::collections::BTreeSet;
use trueup_testkit::saboteurs::{CHANGES, Change, Scenario, Tools, drawn, two_at_a_time};

/// Exit code of a run that asks a person.
const ASKS: i32 = 4;

fn scenario<'a>(tools: &'a Tools, change: &'a Change, script: &'a str) -> Scenario<'a> {
    Scenario {
        tools,
        project: change.project,
        work: &change.work,
        script,
    }
}

/// How many of the quick ones, and how many of the slow ones, are tried in CI.
const DRAWN: usize = 6;

/// Those to be tried.
fn cases() -> Vec<&'static Change> {
    let all: Vec<&Change> = CHANGES.iter().collect();
    drawn(&all, |one: &Change| (one.name, one.project), DRAWN)
}

#[test]
fn there_are_thirty_and_each_is_really_green() {
    let names: BTreeSet<&str> = CHANGES.iter().map(|change| change.name).collect();
    assert_eq!((names.len(), CHANGES.len()), (30, 30));
    let tools = Tools::find();
    let seen = two_at_a_time(&cases(), |change| {
        let really = scenario(&tools, change, change.script).really();
        (really.code != 0).then(|| format!("{}: {really:#?}", change.name))
    });
    let faults: Vec<String> = seen.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_honest_change_is_refused_and_questions_are_counted() {
    let tools = Tools::find();
    let cases = cases();
    let ended = two_at_a_time(&cases, |change| {
        scenario(&tools, change, change.script).with_trueup(env!("CARGO_BIN_EXE_trueup"))
    });
    let (mut refused, mut questions) = (Vec::new(), 0);
    for (change, ended) in cases.iter().zip(&ended) {
        println!(
            "  {:<64} {:>5.1} s  {}",
            change.name,
            ended.took.as_secs_f64(),
            ended.word()
        );
        match ended.output.code {
            0 => {}
            ASKS => questions += 1,
            _ => refused.push(format!("{}: {:#?}\n{:#}", change.name, ended.output, ended.show)),
        }
    }
    println!(
        "friction: changes={} refused={} questions={questions}",
        cases.len(),
        refused.len()
    );
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The harness can fail: who does nothing is refused, and who breaks a guard is.
#[test]
fn a_change_that_is_not_made_is_counted_as_refused() {
    let tools = Tools::find();
    let change = CHANGES.first().expect("a change");
    let idle = scenario(&tools, change, "true").with_trueup(env!("CARGO_BIN_EXE_trueup"));
    assert!(!matches!(idle.output.code, 0 | ASKS), "{:#?}", idle.output);
}
