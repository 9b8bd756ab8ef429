//! Places where a test may kill this process, to prove that nothing is lost.
//!
//! Every boundary between doing and keeping calls [`point`]. Unless a plan was
//! laid with [`arm`], that is one relaxed load. A plan either counts the points
//! a run passes, or dies by SIGKILL at the n-th of them: no destructor, no
//! flush, exactly as if the machine's owner had pulled the plug on us.

use rustix::process::{Signal, getpid, kill_process};
use std::{
    io::Write,
    path::PathBuf,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

static PLAN: OnceLock<Plan> = OnceLock::new();
static PASSED: AtomicU64 = AtomicU64::new(0);
static PASSED_HOLD: AtomicU64 = AtomicU64::new(0);

/// What happens at crash points.
#[derive(Debug)]
pub struct Plan {
    /// Die at this point, counted from 1; 0 never dies.
    pub die_at: u64,
    /// Append the name of every point passed to this file.
    pub log: Option<PathBuf>,
    /// Hold the process at a point, for a test that changes the world there.
    pub hold: Option<HoldAt>,
}

/// Where a process is held.
#[derive(Debug)]
pub struct HoldAt {
    /// At points of this name.
    pub name: String,
    /// At the n-th of them, counted from 1.
    pub at: u64,
    /// This file is made when the point is reached, and the process goes on
    /// when it is gone.
    pub file: PathBuf,
}

/// How long after a spawn a death is tried, each a point of its own.
const AFTER_SPAWN_MS: [u64; 4] = [0, 1, 2, 5];

/// Lays the plan; the first one counts.
pub fn arm(plan: Plan) {
    PLAN.get_or_init(|| plan);
}

/// A boundary at which this process may die.
pub fn point(name: &str) {
    let Some(plan) = PLAN.get() else { return };
    if passes(plan, name) {
        die();
    }
    match &plan.hold {
        Some(hold) if hold.name == name => hold.wait(),
        Some(_) | None => {}
    }
}

impl HoldAt {
    fn wait(&self) {
        if PASSED_HOLD.fetch_add(1, Ordering::SeqCst) + 1 != self.at {
            return;
        }
        // A file that cannot be made holds nobody, which the test that waits for it sees.
        drop(std::fs::write(&self.file, ""));
        while self.file.exists() {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A child was spawned: four more boundaries, a moment later each.
pub fn spawned(name: &str) {
    let Some(plan) = PLAN.get() else { return };
    for delay in AFTER_SPAWN_MS {
        if passes(plan, &format!("{name}+{delay}ms")) {
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(delay));
                die();
            });
        }
    }
}

fn passes(plan: &Plan, name: &str) -> bool {
    let count = PASSED.fetch_add(1, Ordering::SeqCst) + 1;
    if let Some(log) = &plan.log {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(log);
        // A log that cannot be written shows as missing points in the test that reads it.
        // Points are passed by several threads, so a line is written whole.
        if let Ok(mut file) = file {
            drop(file.write_all(format!("{count} {name}\n").as_bytes()));
        }
    }
    count == plan.die_at
}

fn die() {
    // A refused kill leaves the process alive, which the test that asked for it sees.
    if kill_process(getpid(), Signal::KILL).is_ok() {
        thread::sleep(Duration::from_secs(1));
    }
}
