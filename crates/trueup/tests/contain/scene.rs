//! A household whose agent leaves daemons behind, and a stranger with the
//! agent's own name outside.

use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::{household::Household, processes as alive};

/// How long anything may live after its agent ended.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// How long a test waits for anything before it gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who leaves its session, its parent and its variables, and is deaf to kind words.
const AGENT: &str = r#"
if [ -n "$STRANGER" ]; then read never; exit; fi
trap '' TERM INT HUP
(setsid sh -c 'trap "" TERM HUP INT; sleep NUMBER; true' </dev/null >/dev/null 2>&1 &)
(setsid sh -c '(setsid sh -c "trap \"\" TERM HUP INT; exec sleep NUMBER" &)' </dev/null >/dev/null 2>&1 &)
env -i /bin/sh -c 'trap "" TERM HUP INT; while :; do sleep NUMBER; done' </dev/null >/dev/null 2>&1 &
THEN
"#;

const TASK: &str = "\
---
v: 1
id: T-001
title: Greet by name
budget:
  turns: 1
---

Greet by name.

## Acceptance criteria

- [ ] **AC-1** `greet.sh Ada` greets Ada.
  - verify: `sh tests/by_name.sh`
";

pub(crate) struct Scene {
    pub(crate) household: Household,
    /// What everything the agent starts is found by.
    pub(crate) number: String,
    stranger: Child,
}

impl Scene {
    pub(crate) fn new(mode: &str, then: &str, limits: &str) -> Self {
        let household = Household::greeting(env!("CARGO_BIN_EXE_trueup")).with_variable("TRUEUP_SANDBOX", mode);
        let number = unique();
        household.set_agent(&AGENT.replace("NUMBER", &number).replace("THEN", then));
        household.task("T-001", TASK);
        household.commit("One turn");
        let configuration = household.checkout().join("trueup.toml");
        let there = fs::read_to_string(configuration).unwrap();
        household.file("trueup.toml", &format!("{there}\n{limits}"));
        let mut stranger = Command::new(household.agent());
        let stranger = stranger.env("STRANGER", "1").stdin(Stdio::piped()).spawn().unwrap();
        Self {
            household,
            number,
            stranger,
        }
    }

    pub(crate) fn start(&self) -> Child {
        let mut command = self.household.command(&["run", "T-001"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Waits until all the agent starts is there.
    pub(crate) fn wait_until_up(&self) {
        let until = Instant::now() + PATIENCE;
        let sleeper = format!("sleep {} ", self.number);
        while living(&self.number)
            .iter()
            .filter(|(_, words)| *words == sleeper)
            .count()
            < 3
        {
            assert!(
                Instant::now() < until,
                "the agent never came up: {:?}",
                living(&self.number)
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn gone(&self) -> Result<Duration, Vec<(u32, String)>> {
        self.gone_within(GRACE)
    }

    /// How long it took until nothing of the agent's lived, found by its
    /// number and by the household it worked in.
    pub(crate) fn gone_within(&self, limit: Duration) -> Result<Duration, Vec<(u32, String)>> {
        let since = Instant::now();
        loop {
            let mut left = living(&self.number);
            let others = alive::of(self.household.folder()).into_iter();
            left.extend(others.map(|process| (process.id, process.words)));
            left.retain(|(id, _)| *id != self.stranger.id());
            if left.is_empty() {
                return Ok(since.elapsed());
            }
            if since.elapsed() > limit {
                reap(&left);
                return Err(left);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn assert_the_stranger_lives(&mut self) {
        assert!(self.stranger.try_wait().unwrap().is_none(), "it was none of ours");
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        drop(self.stranger.kill());
        drop(self.stranger.wait());
    }
}

/// The processes of this machine whose words or variables hold the number.
pub(crate) fn living(number: &str) -> Vec<(u32, String)> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let found = ids.filter(|id| *id != std::process::id()).filter_map(|id: u32| {
        let read = |name: &str| {
            let bytes = fs::read(format!("/proc/{id}/{name}")).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        let words = read("cmdline");
        (words.contains(number) || read("environ").contains(number)).then_some((id, words))
    });
    found.collect()
}

/// Ends what a test itself found to be left, by id.
pub(crate) fn reap(left: &[(u32, String)]) {
    for id in left.iter().filter_map(|(id, _)| i32::try_from(*id).ok()) {
        if let Some(id) = Pid::from_raw(id) {
            // Who is gone by now is as good as ended.
            kill_process(id, Signal::KILL).unwrap_or_default();
        }
    }
}

/// A number of seconds no other test and no other run sleeps by.
fn unique() -> String {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    format!("7{:07}{count:04}", std::process::id())
}
