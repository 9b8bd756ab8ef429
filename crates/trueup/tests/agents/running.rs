//! A trueup under way, for whoever wants to watch it, to stop it, or to strike
//! its agent down.

use super::scene::{Scene, Who};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    fs::{self, File},
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::processes;

/// How long a test waits for anything before it gives up.
const PATIENCE: Duration = Duration::from_secs(40);

/// How long anything of an agent may live after its turn.
const GRACE: Duration = Duration::from_secs(3);

/// A trueup under way; it does not outlive its test.
pub(crate) struct Running {
    child: Child,
    printed: PathBuf,
}

impl Scene {
    /// Starts trueup, which tells its events as they come.
    pub(crate) fn start(&self, verb: &str) -> Running {
        let printed = self.household.folder().join(format!("printed.{verb}"));
        let file = File::create(&printed).expect("a file");
        let mut command = self.household.command(&[verb, "T-001", "--json"]);
        command
            .stdin(Stdio::null())
            .stdout(file.try_clone().expect("the same file"))
            .stderr(file);
        let child = command.spawn().expect("trueup");
        Running { child, printed }
    }

    /// Strikes the agent's own process down from outside; whatever runs with it
    /// is gone soon after, while the run goes on.
    pub(crate) fn strike_down(&self, who: Who, signal: Signal) {
        let program = who.program().display().to_string();
        let agent = self.living(|process| process.words.starts_with(&program));
        let walled = processes::of(self.household.folder()).into_iter();
        // Everything but trueup itself lives behind the agent's wall.
        let walled: Vec<_> = walled
            .filter(|one| !one.words.starts_with(env!("CARGO_BIN_EXE_trueup")))
            .collect();
        assert!(walled.contains(&agent), "{walled:#?}");
        let id = i32::try_from(agent.id).ok().and_then(Pid::from_raw);
        kill_process(id.expect("an id"), signal).expect("a living agent");
        let gone = processes::these_gone_within(&walled, GRACE);
        gone.unwrap_or_else(|living| panic!("still alive: {living:#?}"));
    }

    /// A process of the household, once it is there.
    pub(crate) fn living(&self, is: impl Fn(&processes::Process) -> bool) -> processes::Process {
        let mut found = None;
        wait_until("a process", || {
            found = processes::of(self.household.folder()).into_iter().find(|one| is(one));
            found.is_some()
        });
        found.expect("it was found")
    }

    /// Asserts that nothing of the household lives any more.
    pub(crate) fn left_nothing_alive(&self) {
        let gone = processes::gone_within(self.household.folder(), GRACE);
        gone.unwrap_or_else(|living| panic!("still alive: {living:#?}"));
    }
}

impl Running {
    /// Waits until so many turns have ended.
    pub(crate) fn wait_for_endings(&mut self, turns: usize) {
        let printed = self.printed.clone();
        wait_until(&format!("the end of turn {turns}"), || {
            let text = fs::read_to_string(&printed).unwrap_or_default();
            let ended = text.matches(r#""type":"turn_ended""#).count() >= turns;
            assert!(ended || self.is_alive(), "it ended early: {text}");
            ended
        });
    }

    fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("its state").is_none()
    }

    /// What it has printed so far.
    pub(crate) fn printed(&self) -> String {
        fs::read_to_string(&self.printed).unwrap_or_default()
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("a living trueup");
    }

    /// Its exit code, 128 and the signal's number where a signal ended it.
    pub(crate) fn wait(&mut self) -> i32 {
        let printed = self.printed.clone();
        let told = move || fs::read_to_string(&printed).unwrap_or_default();
        wait_until_or("the end of the run", told, || !self.is_alive());
        let status = self.child.wait().expect("its end");
        status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Looks again and again.
pub(crate) fn wait_until(what: &str, is: impl FnMut() -> bool) {
    wait_until_or(what, String::new, is);
}

/// The same, for somebody who can say more of what went wrong.
fn wait_until_or(what: &str, told: impl Fn() -> String, mut is: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < until, "waited in vain for {what}: {}", told());
        thread::sleep(Duration::from_millis(30));
    }
}

/// The name of an ending, as the journal spells it.
pub(crate) fn kind(ending: &Value) -> String {
    let name = ending
        .as_str()
        .or_else(|| Some(ending.as_object()?.keys().next()?.as_str()));
    name.unwrap_or("?").to_owned()
}
