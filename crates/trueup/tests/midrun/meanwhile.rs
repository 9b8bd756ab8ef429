//! A run that stands still in its second turn until a bell is rung.

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::{Household, Output};

/// The folder of the bell, which the agent may read and nothing else.
const BELL: &str = "bell";

/// The greeting's agent, but its second turn waits for the bell.
const AGENT: &str = r#"
if [ "$TRUEUP_TURN" = 1 ]; then
    echo 'echo "Hello, ${1:-world}"' > greet.sh
    exit 0
fi
echo "waiting for the bell"
until [ -e "$BELL/rung" ]; do sleep 0.05; done
printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
"#;

/// The greeting's household with the agent that waits.
pub(crate) fn household() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(AGENT);
    let bell = household.folder().join(BELL);
    fs::create_dir(&bell).expect("a folder");
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("the configuration");
    let bell = bell.display();
    household.file(
        "trueup.toml",
        &format!("{config}read = [\"{bell}\"]\nenv = {{ BELL = \"{bell}\" }}\n"),
    );
    household.commit("An agent that waits");
    household
}

/// Rings the bell, for this run and every later one.
pub(crate) fn ring(household: &Household) {
    fs::write(household.folder().join(BELL).join("rung"), "").expect("the bell");
}

/// Runs the task; while its second turn works, lets `happen` happen.
pub(crate) fn run(household: &Household, happen: impl FnOnce(&Household)) -> Output {
    let mut command = household.command(&["run", "T-001"]);
    let child = started(&mut command);
    wait_for_second_turn(household);
    happen(household);
    ring(household);
    ended(child)
}

fn started(command: &mut Command) -> Child {
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("trueup")
}

fn wait_for_second_turn(household: &Household) {
    let live = household.state().join("runs/T-001.1/turn-002.live");
    let start = Instant::now();
    while !fs::read_to_string(&live).is_ok_and(|said| said.contains("bell")) {
        assert!(start.elapsed() < Duration::from_secs(60), "the second turn never began");
        thread::sleep(Duration::from_millis(20));
    }
}

fn ended(child: Child) -> Output {
    let output = child.wait_with_output().expect("an end");
    Output {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
