//! A check that takes long is sabotaged while it is executed.

use crate::place::{RUST_HONEST, crate_of_prices, task};
use std::fs;

/// How many effects were performed before the first control was kept, where a
/// test of the project takes so many seconds.
fn effects_before_the_first_control(seconds: u32) -> usize {
    let household = crate_of_prices(&task("test adds in unit", "unit", 2, ""), RUST_HONEST);
    let slow =
        format!("#[test]\nfn waits() {{\n    std::thread::sleep(std::time::Duration::from_secs({seconds}));\n}}\n");
    household.file("tests/slow.rs", &slow);
    household.commit("A test that waits");
    let log = household.folder().join("points");
    let household = household.with_variable("TRUEUP_CRASH_LOG", &log.display().to_string());
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
    let points = fs::read_to_string(log).expect("what was passed");
    let until = points.lines().take_while(|point| !point.ends_with(" control.after"));
    until.filter(|point| point.ends_with(" effect.after")).count()
}

/// The base, a turn, and then the checks: the next is the challenge.
const WITH_THE_CHECKS: usize = 2;

#[test]
fn a_check_that_takes_long_is_sabotaged_while_it_is_executed() {
    assert_eq!(effects_before_the_first_control(6), WITH_THE_CHECKS);
}

#[test]
fn a_check_that_is_soon_done_is_sabotaged_after_it_passed() {
    assert_eq!(effects_before_the_first_control(0), WITH_THE_CHECKS + 1);
}
