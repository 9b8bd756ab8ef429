//! Waiting for what happens beside a test.

use std::{
    fs, thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::Household;

pub(crate) fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Until the agent of this run has printed `working`, in its first turn.
pub(crate) fn until_at_work(household: &Household, run: &str) {
    let live = household.state().join(format!("runs/{run}/turn-001.live"));
    let is_at_work = || fs::read_to_string(&live).is_ok_and(|said| said.contains("working"));
    until("a turn began", is_at_work);
}
