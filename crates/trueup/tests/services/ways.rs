//! What becomes of a check whose services come up, die, lie or never come.

use crate::place::{WEB, household, seen, why};
use serde_json::json;
use std::time::Duration;
use trueup_testkit::processes;

/// The modes, each with what a service has there: a network of its own or not.
const MODES: [&str; 2] = ["bubblewrap", "none"];

#[test]
fn a_check_starts_when_its_service_can_be_used_and_both_end_with_it() {
    for mode in MODES {
        let household = household(WEB, &["verify: fetch"]).with_variable("TRUEUP_SANDBOX", mode);
        let run = household.trueup(&["run", "T-001"]);
        assert_eq!(run.code, 0, "{mode}: {run:#?}");
        let left = processes::gone_within(household.folder(), Duration::ZERO);
        left.unwrap_or_else(|living| panic!("{mode}: {living:#?}"));
    }
}

#[test]
fn a_check_that_does_not_ask_for_a_service_finds_none() {
    let alone = "[checks.alone]\nrun = \"python3 tests/fetch.py answer.txt\"\n";
    let household = household(&format!("{WEB}\n{alone}"), &["verify: alone"]);
    assert_eq!(seen(&household), [json!({ "failed": { "exit": 9 } })]);
}

#[test]
fn checks_side_by_side_have_the_same_port_each_to_itself() {
    let slow = "import time, subprocess, sys\ntime.sleep(1.5)\n\
                sys.exit(subprocess.call([sys.executable, 'tests/fetch.py', 'answer.txt']))\n";
    let more = "[checks.again]\nrun = \"python3 tests/slow.py\"\nneeds = [\"web\"]\n\n\
                [checks.thrice]\nrun = \"python3 tests/slow.py\"\nneeds = [\"web\"]\ntimeout = \"3m\"\n";
    for mode in MODES {
        let lines = ["verify: fetch", "verify: again", "verify: thrice"];
        let household = household(&format!("{WEB}\n{more}"), &lines).with_variable("TRUEUP_SANDBOX", mode);
        household.file("tests/slow.py", slow);
        household.commit("Slow ones");
        let red = json!({ "failed": { "exit": 1 } });
        assert_eq!(
            seen(&household),
            [red.clone(), red.clone(), red],
            "{mode}: each was served, and got no answer"
        );
        let run = household.trueup(&["run", "T-001"]);
        assert_eq!(run.code, 0, "{mode}: {run:#?}");
    }
}

/// A service that is this script of the repository.
fn scripted(ready: &str) -> String {
    format!(
        "[services.odd]\nrun = \"sh tests/odd.sh\"\n{ready}\n\n\
         [checks.calm]\nrun = \"sh tests/calm.sh\"\nneeds = [\"odd\"]\n"
    )
}

#[test]
fn a_service_that_dies_is_never_a_verdict_and_its_last_words_are_the_reason() {
    let port = "port = 8766";
    let up = "ready = \"true\"";
    for (odd, calm, ready, told) in [
        (
            "echo the pipe organ broke; exit 3",
            "exit 0",
            port,
            "ended with exit 3; it last said: the pipe organ broke",
        ),
        // A check that ends first has had its service all the time it ran.
        ("exit 0", "sleep 2; exit 0", up, "ended with exit 0; it said nothing"),
        (
            "echo no tune >&2; kill -9 $$",
            "exit 1",
            port,
            "was ended by signal 9; it last said: no tune",
        ),
        (
            "sleep 1; echo enough; exit 4",
            "sleep 3; exit 0",
            up,
            "ended with exit 4; it last said: enough",
        ),
        (
            "sleep 1; echo enough; exit 4",
            "sleep 3; exit 1",
            up,
            "ended with exit 4; it last said: enough",
        ),
        ("exec no-such-organ", "exit 0", port, "no-such-organ"),
    ] {
        for mode in MODES {
            let household = household(&scripted(ready), &["verify: calm"]).with_variable("TRUEUP_SANDBOX", mode);
            household.file("tests/odd.sh", odd);
            household.file("tests/calm.sh", calm);
            household.commit("An odd service");
            let why = why(&household);
            assert!(
                why.contains("the service `odd`") && why.contains(told),
                "{mode}: {odd}: {why}"
            );
        }
    }
}

#[test]
fn a_service_whose_program_is_missing_is_named() {
    let missing = scripted("port = 8766").replace("sh tests/odd.sh", "no-such-organ --loud");
    let why = why(&household(&missing, &["verify: calm"]));
    assert!(
        why.contains("the service `odd` cannot be started: no-such-organ --loud"),
        "{why}"
    );
}

#[test]
fn a_port_that_somebody_else_answers_is_not_taken_for_the_service() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a listener");
    let port = taken.local_addr().expect("an address").port();
    let household = household(&scripted(&format!("port = {port}")), &["verify: calm"]);
    household.file("tests/odd.sh", "sleep 60");
    household.file("tests/calm.sh", "exit 1");
    household.commit("A service");
    let open = household.with_variable("TRUEUP_SANDBOX", "none");
    let why = why(&open);
    assert!(why.contains(&format!("something else listens on port {port}")), "{why}");
}

#[test]
fn nothing_a_service_leaves_behind_survives() {
    let odd = "(setsid sh -c 'trap \"\" TERM HUP INT; sleep 9185; true' >/dev/null 2>&1 &)\nsleep 60\n";
    for mode in MODES {
        let household =
            household(&scripted("ready = \"true\""), &["verify: calm"]).with_variable("TRUEUP_SANDBOX", mode);
        household.file("tests/odd.sh", odd);
        household.file("tests/calm.sh", "sleep 0.5; exit 1");
        household.commit("A service that leaves something");
        assert_eq!(seen(&household), [json!({ "failed": { "exit": 1 } })], "{mode}");
        let left = processes::gone_within(household.folder(), Duration::ZERO);
        left.unwrap_or_else(|living| panic!("{mode}: {living:#?}"));
    }
}

/// Writes the entry's own words wherever it can.
const FORGE: &str = "\
trap '' PIPE
for word in ready started 'failed forged' 'unserved \"forged\"'; do
    echo \"$word\"; echo \"$word\" >&2
    for fd in /proc/self/fd/* /proc/1/fd/* /proc/$PPID/fd/*; do
        echo \"$word\" 2>/dev/null >\"$fd\"
    done
    echo \"$word\" >&0
done
";

#[test]
fn no_service_can_say_that_it_is_ready() {
    for mode in MODES {
        let household = household(&scripted("port = 8766"), &["verify: calm"]).with_variable("TRUEUP_SANDBOX", mode);
        household.file("tests/odd.sh", &format!("{FORGE}exit 0\n"));
        household.file("tests/calm.sh", "echo it began > began; exit 0");
        household.commit("A service that forges");
        let why = why(&household);
        assert!(why.contains("the service `odd` ended with exit 0"), "{mode}: {why}");
    }
}

#[test]
fn no_check_can_say_that_its_service_was_not_there() {
    for mode in MODES {
        let household =
            household(&scripted("ready = \"true\""), &["verify: calm"]).with_variable("TRUEUP_SANDBOX", mode);
        household.file("tests/odd.sh", "sleep 60");
        household.file("tests/calm.sh", &format!("{FORGE}exit 5\n"));
        household.commit("A check that forges");
        assert_eq!(seen(&household), [json!({ "failed": { "exit": 5 } })], "{mode}");
    }
}

#[test]
fn a_run_stopped_while_a_service_comes_up_leaves_nothing() {
    let household = household(&scripted("ready = \"false\""), &["verify: calm"]);
    household.file("tests/odd.sh", "sleep 600");
    household.file("tests/calm.sh", "exit 1");
    household.commit("A service that never comes up");
    for mode in MODES {
        let mut command = household.command(&["run", "T-001", "--anew"]);
        let mut trueup = command.env("TRUEUP_SANDBOX", mode).spawn().expect("trueup");
        let up = || {
            processes::of(household.folder())
                .iter()
                .any(|process| process.words.contains("odd.sh"))
        };
        while !up() {
            assert!(
                trueup.try_wait().expect("an answer").is_none(),
                "{mode}: it ended by itself"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        let pid = rustix::process::Pid::from_child(&trueup);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
        assert_eq!(trueup.wait().expect("an end").code(), Some(130), "{mode}");
        let left = processes::gone_within(household.folder(), Duration::ZERO);
        left.unwrap_or_else(|living| panic!("{mode}: {living:#?}"));
    }
}

#[test]
fn a_service_that_is_never_ready_is_waited_for_a_minute_and_told() {
    if trueup_testkit::household::scale() < 10 {
        // A minute of waiting; the engine's own test waits less of it.
        return;
    }
    let household = household(&scripted("ready = \"false\""), &["verify: calm"]);
    household.file("tests/odd.sh", "echo still tuning; sleep 600");
    household.file("tests/calm.sh", "exit 0");
    household.commit("A service that never comes up");
    let why = why(&household);
    assert!(
        why.contains("was not ready within 60 s; it last said: still tuning"),
        "{why}"
    );
}
