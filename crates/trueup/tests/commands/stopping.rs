//! `stop` reaches a run that works, and `resume` takes it up.

use crate::at_work::until_at_work;
use std::{fs, process::Stdio};
use trueup_testkit::household::Household;

#[test]
fn a_stopped_run_says_how_to_go_on_and_goes_on() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let honest = fs::read_to_string(household.agent()).expect("the agent");
    household.set_agent("echo working\nsleep 60\n");
    let mut command = household.command(&["run", "T-001"]);
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("trueup");
    until_at_work(&household, "T-001.1");
    assert_eq!(
        household.trueup(&["status"]).stdout,
        "T-001        working (running)  turn 0/20  Greet by name\n"
    );
    let busy = household.trueup(&["run", "T-001"]);
    assert_eq!(busy.code, 8, "{busy:#?}");

    let asked = household.trueup(&["stop", "T-001"]);
    assert_eq!(
        (asked.code, asked.stdout.as_str()),
        (0, "Asked T-001.1 to stop. Go on later with:\n")
    );
    assert_eq!(asked.stderr, "  trueup resume T-001\n");
    let ended = child.wait_with_output().expect("an end");
    assert_eq!(ended.status.code(), Some(143));
    let said = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(said, "stopped: T-001.1 before its first turn ended. Nothing is lost.\n");
    assert_eq!(
        household.trueup(&["status"]).stdout,
        "Waiting for you:\nT-001        stopped            turn 0/20  Greet by name\n    trueup resume T-001\n"
    );

    household.set_agent(&honest);
    let resumed = household.trueup(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:#?}");
    assert_eq!(household.show("T-001")["outcome"], "verified");
}
