//! What a person reads and types whose checks are not green at once, or who
//! stopped `init` before it was through.

use crate::fixtures;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::{Household, Output};

fn read(household: &Household, name: &str) -> String {
    fs::read_to_string(household.checkout().join(name)).unwrap_or_default()
}

/// Everything that was said, as a terminal shows it.
fn said(ended: &Output) -> String {
    format!("{}{}", ended.stdout, ended.stderr)
}

#[test]
fn a_tool_that_is_missing_is_told_once_with_what_to_do_and_where() {
    let household = fixtures::MAKE
        .lay()
        .with_variable("PATH", "/usr/local/bin:/usr/bin:/bin");
    household.git(&["rm", "--quiet", "-r", "."]);
    household.file("pyproject.toml", "[tool.poetry]\nname = \"greet\"\nversion = \"0.1.0\"\n[tool.poetry.group.dev.dependencies]\npytest = \"*\"\n[build-system]\nrequires = [\"poetry-core\"]\nbuild-backend = \"poetry.core.masonry.api\"\n");
    household.file("poetry.lock", "");
    household.file("tests/test_a.py", "def test_a():\n    assert True\n");
    household.commit("Poetry");
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let told = said(&ended);
    let why = "cannot run `poetry install --no-interaction`: there is no program `poetry` on the PATH; install it";
    assert_eq!(told.matches(why).count(), 1, "{told}");
    assert_eq!(told.matches("no program").count(), 1, "{told}");
    assert!(!told.contains("No such file"), "{told}");
    let toml = read(&household, "trueup.toml");
    let line = toml
        .lines()
        .position(|line| line.starts_with("[prepare.python]"))
        .expect("it")
        + 1;
    let place = format!("Not green:\n  test (trueup.toml, line {line})\n");
    assert!(ended.stderr.contains(&place), "{told}");
    assert!(ended.stderr.contains("try again:\n  trueup init\n"), "{told}");
}

#[test]
fn a_preparation_that_comes_with_the_repository_and_is_not_there_is_told_in_words() {
    let household = fixtures::MAKE.lay();
    let config = "version = 1\n[prepare.tools]\nrun = \"./prepare.sh\"\nkey = [\"Makefile\"]\nkeep = [\"tools\"]\n[checks.test]\nrun = \"make test\"\n";
    household.file("trueup.toml", config);
    household.trueup(&["trust", "--yes"]);
    let ended = household.trueup(&["init"]);
    let told = said(&ended);
    assert!(
        told.contains("[prepare.tools] cannot run `./prepare.sh`: this file is not in the commit"),
        "{told}"
    );
    assert!(told.contains("(trueup.toml, line 2)"), "{told}");
}

#[test]
fn what_is_red_is_named_with_its_place_and_init_tries_it_again() {
    let household = fixtures::MAKE.lay();
    let makefile = read(&household, "Makefile");
    household.file(
        "Makefile",
        "test:\n\t@echo 'Error: no greeting'; for i in 1 2 3 4 5 6 7; do echo $$i >&2; done; exit 1\n",
    );
    household.commit("Red");
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let toml = read(&household, "trueup.toml");
    let line = toml
        .lines()
        .position(|line| line.starts_with("[checks.test]"))
        .expect("it")
        + 1;
    let told = format!("Not green:\n  test (trueup.toml, line {line}): Error: no greeting\n");
    assert!(ended.stderr.contains(&told), "{}", ended.stderr);
    assert!(ended.stderr.contains("try again:\n  trueup init\n"), "{}", ended.stderr);
    assert!(
        !ended.stderr.contains("trueup trust"),
        "nothing changed: {}",
        ended.stderr
    );
    assert!(!read(&household, "tasks/T-001.md").contains("guard:"));

    household.file("Makefile", &makefile);
    household.commit("Green");
    let again = household.json(&["init", "--json"]);
    assert_eq!(again["written"], serde_json::json!([]), "{again:#}");
    assert_eq!(again["checks"][0]["base"], "green", "{again:#}");
    assert_eq!(read(&household, "trueup.toml"), toml, "nothing of it is changed");
    assert!(
        read(&household, "tasks/T-001.md").contains("guard: test"),
        "now it can guard"
    );
    let third = household.trueup(&["init"]);
    assert!(
        third.stdout.contains("checks green; all of this took") || third.stdout.contains("check green; all"),
        "{third:#?}"
    );
    assert!(!third.stderr.contains("Not green"), "{third:#?}");
}

#[test]
fn a_task_that_somebody_changed_gets_no_guards() {
    let household = fixtures::MAKE.lay();
    household.trueup(&["init", "--yes"]);
    let mine = read(&household, "tasks/T-001.md").replace("  - guard: test\n", "");
    household.file("tasks/T-001.md", &mine);
    household.trueup(&["init"]);
    assert_eq!(read(&household, "tasks/T-001.md"), mine);
}

#[test]
fn a_test_that_lasts_does_not_hold_up_the_first_proof_and_one_is_told_so() {
    let household = fixtures::MAKE.lay();
    household.file("Makefile", "test:\n\tsleep 31\nlint:\n\tsh -n greet.sh\n");
    household.commit("It lasts");
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    // A busy machine takes a few seconds more.
    let (_, took) = ended
        .stderr
        .split_once("T-001 does not run test, which took ")
        .expect("a line");
    let (took, rest) = took.split_once("s: ").expect("a time");
    assert!(
        took.parse::<u64>().is_ok_and(|seconds| seconds >= 31),
        "{}",
        ended.stderr
    );
    let told = "the first proof comes soon. In a task of your own, write `guard: test`.\n";
    assert!(rest.starts_with(told), "{}", ended.stderr);
    let task = read(&household, "tasks/T-001.md");
    assert!(
        task.contains("Nothing here runs `test`") && task.ends_with("  - guard: lint\n"),
        "{task}"
    );
    let begun = Instant::now();
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

/// An `init` whose check lasts, ended by this signal while it is tried.
fn ended_by(signal: Signal) -> (Household, Output) {
    let household = fixtures::MAKE.lay();
    household.file("Makefile", "test:\n\tsleep 60\n");
    household.commit("It lasts");
    let points = household.folder().join("points");
    let household = household.with_variable("TRUEUP_CRASH_LOG", &points.display().to_string());
    let mut command = household.command(&["init", "--yes"]);
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("trueup");
    let begun = Instant::now();
    while !fs::read_to_string(&points).is_ok_and(|passed| passed.contains("sandbox.spawned")) {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing was tried");
        thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), signal).expect("a signal");
    let ended = child.wait_with_output().expect("an end");
    assert!(begun.elapsed() < Duration::from_secs(50), "it was waited for");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let output = Output {
        code: ended.status.code().unwrap_or(-1),
        stdout: text(ended.stdout),
        stderr: text(ended.stderr),
    };
    (household, output)
}

#[test]
fn an_init_that_is_stopped_says_how_to_go_on_and_has_written_everything() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::KILL, -1)] {
        let (household, ended) = ended_by(signal);
        assert_eq!(ended.code, code, "{ended:#?}");
        if code > 0 {
            assert!(ended.stdout.contains("not every check was tried"), "{ended:#?}");
            assert!(
                ended.stderr.contains("Try the checks later:\n  trueup init\n"),
                "{ended:#?}"
            );
            assert!(ended.stderr.contains("Wrote tasks/T-001.md"), "{ended:#?}");
        }
        let mut left: Vec<String> = fs::read_dir(household.checkout())
            .expect("it")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.contains("trueup"))
            .collect();
        left.sort();
        assert_eq!(left, ["trueup.toml"], "nothing half written");
        assert_eq!(household.trueup(&["status"]).code, 0);
        let checked = household.trueup(&["check"]);
        assert!(
            checked.code == 0 && checked.stdout.contains("T-001 is ready"),
            "{checked:#?}"
        );
        household.file("Makefile", "test:\n\ttrue\n");
        household.commit("Green");
        let again = household.trueup(&["init"]);
        assert!(again.code == 0 && again.stdout.contains("1 check green"), "{again:#?}");
        assert!(read(&household, "tasks/T-001.md").contains("guard: test"), "{again:#?}");
    }
}

#[test]
fn what_a_stopped_init_had_not_come_to_is_written_by_the_next_one() {
    let household = fixtures::MAKE.lay();
    household.trueup(&["init", "--yes"]);
    fs::remove_dir_all(household.checkout().join("tasks")).expect("the folder");
    let again = household.trueup(&["init"]);
    assert_eq!(again.code, 0, "{again:#?}");
    assert!(
        again
            .stdout
            .starts_with("Wrote tasks/.gitignore and tasks/T-001.md; trueup.toml was there already.\n"),
        "{again:#?}"
    );
    assert!(read(&household, "tasks/T-001.md").contains("guard: test"));
}

#[test]
fn commands_that_were_changed_are_not_tried_before_a_person_allows_them() {
    let household = fixtures::MAKE.lay();
    household.trueup(&["init", "--yes"]);
    let toml = read(&household, "trueup.toml").replace("make test", "make lint");
    household.file("trueup.toml", &toml);
    let again = household.trueup(&["init", "--yes"]);
    assert_eq!(again.code, 4, "{again:#?}");
    assert!(again.stdout.contains("no check was executed"), "{again:#?}");
    assert!(
        again.stderr.contains("First:\n  trueup trust\n  trueup init\n"),
        "{again:#?}"
    );
}
