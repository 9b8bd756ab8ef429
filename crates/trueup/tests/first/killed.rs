//! A process that dies while it puts something back loses nothing, and leaves
//! nothing that was put back in the way of the next turn.

use crate::place::{Agent, GOALS, TESTS, carried_out, delivered, household};
use std::fs;
use trueup_testkit::{household::Household, saboteurs::PYTEST};

fn place() -> Household {
    household(
        &PYTEST,
        GOALS,
        Agent {
            tests: &format!("{TESTS}honest"),
            work: "! grep -q 95 shop/price.py\nhonest",
            ..Agent::default()
        },
    )
}

#[test]
fn putting_back_survives_a_kill_at_each_of_its_boundaries() {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let counted = place()
        .with_variable("TRUEUP_CRASH_AT", "0")
        .with_variable("TRUEUP_CRASH_LOG", &log.path().display().to_string());
    let whole = carried_out(&counted);
    whole.assert_verified();
    let points = fs::read_to_string(log.path()).expect("a log");
    let ours: Vec<(&str, &str)> = points
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(_, name)| name.starts_with("rights."))
        .collect();
    let names: Vec<&str> = ours.iter().map(|(_, name)| *name).collect();
    assert_eq!(names, ["rights.before", "rights.rescued", "rights.kept", "rights.laid"]);
    for (at, name) in ours {
        let household = place();
        let killed = household.command(&["run", "T-001"]).env("TRUEUP_CRASH_AT", at).output();
        let killed = killed.expect("a run");
        assert_eq!(killed.status.code(), None, "{name}: it was killed: {killed:#?}");
        let resumed = household.trueup(&["resume", "T-001"]);
        let show = household.show("T-001");
        assert!(
            resumed.code == 0 && show["outcome"] == "verified",
            "{name}: {resumed:#?}\n{show:#}"
        );
        assert_eq!(show["tree"], whole.show["tree"], "{name}");
        assert!(delivered(&household, "shop/price.py").contains("95"));
    }
}
