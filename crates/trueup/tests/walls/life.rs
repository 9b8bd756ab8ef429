//! Without bubblewrap: what a program still finds, and that nothing of it stays.

use crate::greeting;
use std::{
    fs,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::{household::Household, processes};

/// How long anything may live after it was told to end.
const GRACE: Duration = Duration::from_secs(3);

/// What the agent printed in its first turn.
fn transcript(household: &Household) -> String {
    household.trueup(&["log", "T-001", "--turn", "1"]).stdout
}

#[test]
fn a_program_without_a_wall_starts_as_clean_as_behind_one() {
    for mode in ["outer", "none"] {
        let household = greeting(mode).with_variable("AWS_SECRET_ACCESS_KEY", "marker-of-a-secret");
        household.set_agent(
            r#"
            env | sort
            echo "pwd=$(pwd)"
            echo "prompt=$(wc -c < "$TRUEUP_PROMPT_FILE") stdin=$(wc -c)"
            echo "home=$(ls -A "$HOME" | wc -l) tmp=$(ls -A "$TMPDIR" | wc -l)"
            touch "$HOME/planted" "$TMPDIR/planted"
            echo "session=$(ps -o sid= -p $$ | tr -d ' ') group=$(ps -o pgid= -p $PPID | tr -d ' ')"
            "#,
        );
        household.trueup(&["run", "T-001"]);
        let said = transcript(&household);
        let field = |name: &str| {
            let word = said.split_whitespace().find_map(|word| word.strip_prefix(name));
            word.unwrap_or_else(|| panic!("{name}: {said}")).to_owned()
        };
        assert!(!said.contains("marker-of-a-secret"), "{said}");
        assert_eq!(field("prompt="), field("stdin="), "{said}");
        assert_eq!((field("home="), field("tmp=")), ("0".into(), "0".into()), "{said}");
        assert_eq!(
            field("session="),
            field("group="),
            "the entry leads the session: {said}"
        );
        assert!(
            field("pwd=").starts_with(household.state().to_str().expect("text")),
            "{said}"
        );
        let home = field("HOME=");
        assert!(home.starts_with(household.state().to_str().expect("text")), "{home}");
        assert!(
            !fs::exists(&home).expect("an answer"),
            "a fresh home is gone with its program"
        );
        assert!(!household.home().join("planted").exists());
    }
}

/// Leaves what has left its session and lost its parent, and ignores kind words.
const DAEMONS: &str = r#"
(setsid sh -c 'trap "" TERM HUP INT; sleep 9183; true' </dev/null >/dev/null 2>&1 &)
(setsid setsid sh -c 'trap "" TERM HUP INT; while :; do (sleep 9183 &); sleep 0.01; done' </dev/null >/dev/null 2>&1 &)
sleep 0.3
"#;

#[test]
fn nothing_survives_a_turn_or_a_check_without_a_wall() {
    for mode in ["outer", "none"] {
        let household = greeting(mode);
        household.set_agent(&format!("{DAEMONS}\necho 'echo \"Hello, ${{1:-world}}\"' > greet.sh"));
        household.file(
            "tests/world.sh",
            &format!("{DAEMONS}\ntest \"$(sh greet.sh)\" = \"Hello, world\"\n"),
        );
        household.commit("Checks that leave something");
        household.task("T-001", &TASK.replace("TURNS", "1"));
        let run = household.trueup(&["run", "T-001"]);
        assert_eq!(run.code, 0, "{run:#?}");
        let left = processes::gone_within(household.folder(), Duration::ZERO);
        left.unwrap_or_else(|living| panic!("{mode}: {living:#?}"));
    }
}

#[test]
fn a_daemon_nobody_ends_is_seen_to_survive() {
    let household = greeting("none");
    let mut daemon = std::process::Command::new("sleep");
    let mut daemon = daemon
        .arg("9184")
        .env("MARK", household.folder())
        .spawn()
        .expect("sleep");
    // A program that was only just started has its variables a moment later.
    let up = Instant::now() + Duration::from_secs(10);
    while processes::of(household.folder()).is_empty() {
        assert!(Instant::now() < up, "the daemon is not seen");
        thread::sleep(Duration::from_millis(10));
    }
    assert!(processes::gone_within(household.folder(), Duration::ZERO).is_err());
    daemon.kill().expect("an end");
    daemon.wait().expect("an end");
}

#[test]
fn nothing_survives_the_death_of_trueup_and_the_run_goes_on() {
    for mode in ["outer", "none"] {
        let household = greeting(mode);
        household.task("T-001", &TASK.replace("TURNS", "3"));
        household.set_agent(&format!("touch \"$HOME\"; {DAEMONS}\nsleep 60"));
        let mut command = household.command(&["run", "T-001"]);
        let mut trueup = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("trueup");
        let up = Instant::now() + Duration::from_secs(30);
        let sleeps = || {
            processes::of(household.folder())
                .iter()
                .any(|process| process.words.contains("9183"))
        };
        while !sleeps() {
            assert!(Instant::now() < up, "{mode}: the agent never came up");
            thread::sleep(Duration::from_millis(10));
        }
        trueup.kill().expect("a kill");
        trueup.wait().expect("an end");
        let left = processes::gone_within(household.folder(), GRACE);
        left.unwrap_or_else(|living| panic!("{mode}: {living:#?}"));
        household.set_agent("echo 'echo \"Hello, ${1:-world}\"' > greet.sh");
        let resumed = household.trueup(&["resume", "T-001"]);
        assert_eq!(resumed.code, 0, "{mode}: {resumed:#?}");
    }
}

#[test]
fn a_time_limit_holds_without_a_wall() {
    let household = greeting("none");
    household.file("tests/by_name.sh", &format!("{DAEMONS}\nsleep 60\n"));
    crate::repository_layer(
        &household,
        "[checks.slow]\nrun = \"sh tests/by_name.sh\"\ntimeout = \"1s\"\n",
    );
    household.task(
        "T-001",
        &TASK.replace("`sh tests/by_name.sh`", "slow").replace("TURNS", "1"),
    );
    household.commit("A slow check");
    let began = Instant::now();
    let checked = household.json(&["check", "T-001", "--json"]);
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(checked["tasks"][0]["evidence"][0]["saw"], "timed_out", "{checked:#}");
    let left = processes::gone_within(household.folder(), Duration::ZERO);
    left.unwrap_or_else(|living| panic!("{living:#?}"));
}

#[test]
fn a_check_that_kills_its_entry_passes_nothing() {
    let household = greeting("none");
    household.file("tests/by_name.sh", "kill -9 $PPID\nexit 0\n");
    household.task("T-001", &TASK.replace("TURNS", "1"));
    household.commit("A check that kills");
    let checked = household.json(&["check", "T-001", "--json"]);
    let saw = &checked["tasks"][0]["evidence"][0]["saw"];
    // Whether the entry could still say that the program began is a matter of luck.
    let ended = saw["failed"]["exit"] == 137 || saw["cannot_run"]["why"].is_string();
    assert!(ended, "{checked:#}");
}

#[test]
fn what_outlives_its_killed_entry_still_holds_the_runs_lock() {
    let household = greeting("none");
    household.task("T-001", &TASK.replace("TURNS", "1"));
    household.set_agent("(setsid sleep 6 </dev/null >/dev/null 2>&1 &)\nsleep 0.3; kill -9 $PPID; sleep 9\n");
    household.trueup(&["run", "T-001"]);
    let alive = fs::File::open(household.state().join("runs/T-001.1/alive")).expect("the lock");
    assert!(alive.try_lock().is_err(), "somebody lives, and the lock says so");
    alive.lock().expect("free when the last of them is gone");
    let left = processes::gone_within(household.folder(), GRACE);
    left.unwrap_or_else(|living| panic!("{living:#?}"));
}

/// What a program does to find a terminal.
const LOOK: &str = "if (: </dev/tty) 2>/dev/null; then echo terminal=open; else echo terminal=none; fi";

#[test]
fn no_program_has_the_persons_terminal_behind_any_wall() {
    let on_a_terminal = |household: &Household, command: &str| {
        let mut script = std::process::Command::new("script");
        household.furnish(&mut script);
        script.args(["--quiet", "--return", "--command", command, "/dev/null"]);
        trueup_testkit::household::output(&mut script).stdout
    };
    for mode in ["bubblewrap", "outer", "none"] {
        let household = greeting(mode);
        let seen = on_a_terminal(&household, LOOK);
        assert!(seen.contains("terminal=open"), "there is one to be found: {seen}");
        household.set_agent(LOOK);
        household.task("T-001", &TASK.replace("TURNS", "1"));
        on_a_terminal(&household, &format!("{} run T-001", crate::TRUEUP));
        assert_eq!(transcript(&household).trim(), "terminal=none", "{mode}");
    }
}

const TASK: &str = "\
---
v: 1
id: T-001
title: Greet by name
budget:
  turns: TURNS
---

Greet by name.

## Acceptance criteria

- [ ] **AC-1** `greet.sh Ada` greets Ada.
  - verify: `sh tests/by_name.sh`
- [ ] **AC-2** Without a name it still greets the world.
  - guard: `sh tests/world.sh`
";
