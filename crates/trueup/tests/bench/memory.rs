//! How much memory `trueup run` takes at the most.

use crate::meter::{Bound, Figure, demand};
use std::{fs, process::Stdio, thread, time::Duration};
use trueup_testkit::household::Household;

/// The most memory a process ever held so far, in megabytes.
fn high_water(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[test]
fn a_run_takes_little_memory() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let mut command = household.command(&["run", "T-001"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = command.spawn().expect("trueup");
    let mut most: f64 = 0.0;
    let status = loop {
        // It only ever rises, so the last look before the end is the one that counts.
        most = high_water(run.id()).unwrap_or_default().max(most);
        if let Some(status) = run.try_wait().expect("a process") {
            break status;
        }
        thread::sleep(Duration::from_millis(1));
    };
    assert!(status.success() && most > 0.0, "{status}");
    demand(&[Figure {
        name: "run_memory_megabytes".to_owned(),
        value: most,
        bound: Bound::AtMost(40.0),
        slack: 1.0,
        detail: "the high water mark of the process that drives the run".to_owned(),
    }]);
}
