//! The log tells every effect and every child, and nothing that it must not.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, process::Command};
use trueup_testkit::household::{Household, Output, output};

const SECRET: &str = "tk/9f8e7d6c+5b4a3210";
/// What nobody calls a secret.
const PLAIN: &str = "plainly-said-0123456789";

fn household() -> Household {
    Household::greeting(env!("CARGO_BIN_EXE_trueup"))
}

/// The lines of a log, from wherever it stands.
fn logged(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.contains(" trueup::")).collect()
}

/// How many spans of this kind ended, in a log.
fn ended(log: &str, span: &str) -> usize {
    let ended = |line: &&&str| line.contains(span) && line.contains(": ended took_ms=");
    logged(log).iter().filter(ended).count()
}

/// The crash points that were passed, each with how often.
fn points(household: &Household) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(household.folder().join("points")).expect("points");
    let mut counted = BTreeMap::new();
    for name in text.lines().filter_map(|line| Some(line.split_once(' ')?.1)) {
        *counted.entry(name.to_owned()).or_default() += 1;
    }
    counted
}

fn run_counting_points(household: &Household, filter: &str) -> (Output, String) {
    let log = household.folder().join("log");
    let mut run = household.command(&["run", "T-001", "--log-file"]);
    run.arg(&log).env("TRUEUP_LOG", filter);
    let ended = output(run.env("TRUEUP_CRASH_LOG", household.folder().join("points")));
    assert_eq!(ended.code, 0, "{ended:#?}");
    (ended, fs::read_to_string(log).expect("a log"))
}

#[test]
fn every_effect_and_every_child_of_a_run_has_its_span() {
    let household = household();
    let (run, log) = run_counting_points(&household, "debug");
    assert_eq!(logged(&run.stderr), Vec::<&str>::new(), "it goes to the file alone");
    let points = points(&household);
    let passed = |name: &str| points.get(name).copied().unwrap_or_default();
    // A verify and a turn at the least, a check and an agent, and git for each.
    assert!(passed("effect.before") >= 6 && passed("sandbox.spawned+0ms") >= 6 && passed("git.spawned+0ms") >= 20);
    let effects = logged(&log)
        .iter()
        .filter(|line| line.contains("trueup::effect: ended"))
        .count();
    assert_eq!(effects, passed("effect.before"), "{log}");
    assert_eq!(ended(&log, "sandbox{kind="), passed("sandbox.spawned+0ms"), "{log}");
    assert_eq!(ended(&log, "child{program=git"), passed("git.spawned+0ms"), "{log}");
    let snapshots = ended(&log, "child{program=trueup verb=snapshot-behind");
    assert_eq!(snapshots, passed("snapshot.spawned+0ms"), "{log}");
    for told in [
        "effect{run=T-001.1 id=baseline kind=verify event=",
        "kind=turn event=turn_ended}: trueup::effect: ended took_ms=",
        "sandbox{kind=check program=sh exit=1}",
        "sandbox{kind=agent program=",
        "kind=verify}:child{program=git verb=read-tree exit=0}",
        r#"command line argv=sh tests/by_name.sh"#,
    ] {
        assert!(log.contains(told), "{told} is missing:\n{log}");
    }
}

#[test]
fn a_span_that_nobody_asked_for_would_be_missed() {
    let household = household();
    let (_, log) = run_counting_points(&household, "trueup::effect=info");
    assert!(log.contains("trueup::effect: ended"), "{log}");
    assert_eq!(ended(&log, "child{program=git"), 0, "the count above can fail");
    let mode = fs::metadata(household.folder().join("log"))
        .expect("a log")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "a log is its owner's");
}

#[test]
fn standard_output_is_the_same_with_and_without_a_log() {
    let (silent, talking) = (household(), household());
    for words in [&["run", "T-001"][..], &["status", "--json"], &["show", "T-001"]] {
        let (without, with) = (silent.trueup(words), {
            let words: Vec<&str> = words.iter().copied().chain(["-vv"]).collect();
            talking.trueup(&words)
        });
        assert_eq!((without.code, &without.stdout), (with.code, &with.stdout), "{words:?}");
        assert!(!logged(&with.stderr).is_empty(), "{words:?} logged nothing");
        assert_eq!(logged(&without.stderr), Vec::<&str>::new(), "nothing is logged unasked");
        let beside: Vec<&str> = with.stderr.lines().filter(|line| !line.contains(" trueup::")).collect();
        assert_eq!(beside, without.stderr.lines().collect::<Vec<_>>(), "{words:?}");
    }
}

#[test]
fn one_v_tells_effects_and_programs_and_two_tell_every_git() {
    let household = household();
    let once = household.trueup(&["verify", "T-001", "-v"]).stderr;
    assert!(
        once.contains("trueup::sandbox: ended") && !once.contains("program=git"),
        "{once}"
    );
    let twice = household.trueup(&["-vv", "check", "T-001"]).stderr;
    assert!(twice.contains("program=git"), "{twice}");
    let flag_wins = output(household.command(&["status", "-v"]).env("TRUEUP_LOG", "debug")).stderr;
    assert!(!flag_wins.contains("program=git"), "{flag_wins}");
}

#[test]
fn a_secret_in_a_command_line_is_not_logged() {
    let household = household().with_variable("DEPLOY_TOKEN", SECRET);
    let task = fs::read_to_string(household.checkout().join("tasks/T-001.md")).expect("a task");
    let goal = "sh tests/by_name.sh";
    let planted = task.replacen(goal, &format!("{goal} {SECRET} {PLAIN}"), 1);
    household.task("T-001", &planted);
    household.commit("A token in a check");
    for words in [&["check", "T-001", "-vv"][..], &["run", "T-001", "-vv"]] {
        let log = household.trueup(words).stderr;
        let log = logged(&log).join("\n");
        assert!(
            log.contains(PLAIN) && log.contains("[DEPLOY_TOKEN redacted]"),
            "the word was never there: {log}"
        );
        assert!(!log.contains(SECRET), "{log}");
    }
}

#[test]
fn a_filter_that_is_none_is_wrong_usage() {
    let household = household();
    let ended = output(household.command(&["status"]).env("TRUEUP_LOG", "trueup=loud"));
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert!(
        ended.stderr.contains("`trueup=loud` is no filter of a log"),
        "{ended:#?}"
    );
    let ended = household.trueup(&["status", "--log-file", "/nowhere/at/all"]);
    assert_eq!(ended.code, 2, "{ended:#?}");
}

#[test]
fn the_log_does_not_tear_the_moving_line_apart() {
    let household = household();
    household.set_agent(
        "sleep 0.5; echo 'echo \"Hello, ${1:-world}\"' > greet.sh; printf 'Run `sh greet.sh NAME`.\\n' > README.md\n",
    );
    let typescript = household.folder().join("typescript");
    let mut script = Command::new("script");
    household.furnish(&mut script);
    script
        .env("TERM", "xterm-256color")
        .args(["--quiet", "--return", "--command"]);
    let line = format!("stty cols 400; {} run T-001 -vv", env!("CARGO_BIN_EXE_trueup"));
    let ended = output(script.arg(line).arg(&typescript));
    assert_eq!(ended.code, 0, "{ended:#?}");
    let text = String::from_utf8_lossy(&fs::read(&typescript).expect("a typescript")).into_owned();
    assert!(text.contains("turn 1/20"), "no line moved: {text}");
    assert!(!logged(&text).is_empty(), "nothing was logged: {text}");
    assert_eq!(torn(&text), Vec::<&str>::new());
}

/// The lines of a log before which something else still stands: the moving
/// line, unless it was taken away.
fn torn(text: &str) -> Vec<&str> {
    let stands_before = |line: &&&str| {
        // A time is written in 27 letters, the last of them a Z.
        let at = line.find("Z ").map_or(0, |at| at.saturating_sub(26));
        let before = line.get(..at).unwrap_or(line);
        let left = before.rsplit("\u{1b}[2K").next().unwrap_or(before);
        // A moving line of two rows is taken away from the lower one up.
        !left.trim_start_matches("\u{1b}[1A").is_empty()
    };
    logged(text).iter().filter(stands_before).copied().collect()
}

#[test]
fn a_torn_line_would_be_noticed() {
    let log = "2026-01-01T00:00:00.000000Z DEBUG child{program=git}: trueup::child: ended took_ms=1";
    assert_eq!(torn(&format!("{log}\n  turn 1/5 \r\u{1b}[2K{log}")).len(), 0);
    let two_rows = "  turn 1/5 \u{1b}[1A\r\u{1b}[2K\u{1b}[1B\r\u{1b}[2K\u{1b}[1A";
    assert_eq!(torn(&format!("{two_rows}{log}")).len(), 0);
    for standing in ["  turn 1/5 ", "  turn 1/5 \u{1b}[1A", "\u{1b}[2K  turn 1/5 \u{1b}[1A"] {
        assert_eq!(torn(&format!("{standing}{log}")).len(), 1, "{standing:?}");
    }
}
