//! `log -f` while another process drives the run, and the pages it leaves.

#![expect(clippy::expect_used, reason = "a test without its run is over")]

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::Household;

/// What an agent of a known kind prints.
const SPOKEN: &str =
    r#"{"type":"assistant","session_id":"s","message":{"content":[{"type":"text","text":"I am at it"}]}}"#;

fn wait_for(what: &str, happened: impl Fn() -> bool) {
    let begun = Instant::now();
    while !happened() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} never came");
        thread::sleep(Duration::from_millis(20));
    }
}

fn begin(command: &mut Command) -> Child {
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("trueup")
}

/// What a process printed, once it has ended with this code.
fn ended(child: Child, code: i32) -> String {
    let ended = child.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(
        ended.status.code(),
        Some(code),
        "{said}{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    said
}

/// The household's agent, which needs two turns, after these words of a shell.
fn agent_after(household: &Household, words: &str) -> String {
    let honest = fs::read_to_string(household.agent()).expect("the agent");
    let honest = honest.lines().filter(|line| !line.starts_with("#!"));
    let honest: Vec<&str> = honest.collect();
    format!("echo \"turn $TRUEUP_TURN begins\"\n{words}\n{}\n", honest.join("\n"))
}

fn live(household: &Household, turn: u32) -> impl Fn() -> bool {
    let file = household.state().join(format!("runs/T-001.1/turn-{turn:03}.live"));
    move || fs::read_to_string(&file).is_ok_and(|said| said.contains("begins"))
}

fn page(household: &Household, name: &str) -> Option<String> {
    let folder = household.state().join("runs/T-001.1/transcripts");
    fs::read_to_string(folder.join(Path::new(name))).ok()
}

#[test]
fn log_follows_a_run_through_its_turns_until_it_rests() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let words = format!("printf '%s\\n' '{SPOKEN}'\nsleep 2\nprintf 'half a line'");
    household.set_agent(&agent_after(&household, &words));
    let run = begin(&mut household.command(&["run", "T-001"]));
    wait_for("the first turn", live(&household, 1));
    let follower = begin(&mut household.command(&["log", "T-001", "-f"]));
    let program = begin(&mut household.command(&["log", "T-001", "-f", "--json"]));
    ended(run, 0);

    let said = ended(follower, 0);
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text} is not in\n{said}"));
    let order = [
        "baseline",
        "      │ turn 1 begins\n      │ I am at it\n      │ half a line",
        "turn 1/20",
        "      │ turn 2 begins\n      │ I am at it\n      │ half a line",
        "turn 2/20",
        "commit",
    ];
    let places: Vec<usize> = order.iter().map(|text| place(text)).collect();
    assert!(places.is_sorted(), "{said}");
    assert!(!said.contains("session_id"), "{said}");

    let streamed = ended(program, 0);
    let lines = streamed
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON"));
    let lines: Vec<_> = lines.collect();
    let spoken = serde_json::json!({"v": 1, "type": "live", "turn": 2, "text": "I am at it"});
    assert!(lines.contains(&spoken), "{streamed}");
    let kept = lines.iter().filter(|line| line.get("seq").is_some()).count();
    assert_eq!(kept, household.events("T-001").len());

    let first = page(&household, "01-implement-001.md").expect("a page");
    for part in [
        "## Prompt",
        "# T-001: ",
        "> I am at it",
        "does not meet every criterion",
        "(+",
    ] {
        assert!(first.contains(part), "{part} is not in\n{first}");
    }
    let second = page(&household, "01-implement-002.md").expect("a page");
    for part in ["## What came of the last turn", "Every criterion is met", "(+"] {
        assert!(second.contains(part), "{part} is not in\n{second}");
    }
}

#[test]
fn log_ends_with_a_run_that_is_stopped_and_a_lost_page_is_written_again() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let honest = fs::read_to_string(household.agent()).expect("the agent");
    household.set_agent(&agent_after(&household, "[ \"$TRUEUP_TURN\" = 1 ] || sleep 60"));
    let run = begin(&mut household.command(&["run", "T-001"]));
    wait_for("the second turn", live(&household, 2));
    let follower = begin(&mut household.command(&["log", "T-001", "-f"]));
    let first = page(&household, "01-implement-001.md").expect("a page");
    fs::remove_dir_all(household.state().join("runs/T-001.1/transcripts")).expect("pages");
    assert_eq!(household.trueup(&["stop", "T-001"]).code, 0);
    ended(run, 143);
    assert!(ended(follower, 0).contains("stopped"));

    household.set_agent(&honest);
    assert_eq!(household.trueup(&["resume"]).code, 0);
    assert_eq!(page(&household, "01-implement-001.md"), Some(first));
    assert!(page(&household, "01-implement-002.md").is_some());
}
