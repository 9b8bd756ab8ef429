//! What stands against a run outside its task: configuration, trust, other
//! runs, the agent.

use crate::place::{Place, TASK, last_line};
use std::process::Stdio;
use trueup_testkit::household::{Output, output};

const GOAL: &str = "- [ ] **AC-1** It greets by name.\n  - verify: `sh by_name.sh`\n";

/// The command ends with this code, says this beside its result, and nothing
/// as its result; for programs it is one document.
fn fails(place: &Place, arguments: &[&str], code: i32, what: &str, next: &[&str]) {
    let commands: String = next.iter().map(|command| format!("  {command}\n")).collect();
    let expected = Output {
        code,
        stdout: String::new(),
        stderr: format!("error: {what}\n{commands}"),
    };
    assert_eq!(place.trueup(arguments), expected);
    let output = place.trueup(&[arguments, &["--json"]].concat());
    let document = serde_json::json!({ "v": 1, "error": what, "exit": code, "next": next });
    assert_eq!((output.code, last_line(&output)), (code, document));
}

#[test]
fn a_task_that_is_needed_first_is_named() {
    let place = Place::with_task("needs: [T-000]\n", GOAL);
    let what = "T-001 needs T-000, which is not verified yet";
    fails(&place, &["run", TASK], 3, what, &["trueup run T-000"]);
}

#[test]
fn an_unknown_key_of_the_configuration_is_refused_with_its_line_and_the_nearest_name() {
    let place = Place::with_task("", GOAL);
    let file = "trueup.toml";
    for (more, line, unknown, near) in [
        ("\n[projcet]\nbase = \"HEAD\"\n", 12, "projcet", "project"),
        ("\n[project]\nbsae = \"HEAD\"\n", 13, "bsae", "base"),
        (
            "\n[checks.greet]\nrun = \"sh by_name.sh\"\ntimout = \"1m\"\n",
            14,
            "timout",
            "timeout",
        ),
        ("netwrk = false\n", 11, "netwrk", "network"),
    ] {
        place.configure(more);
        for arguments in [["check", TASK].as_slice(), &["run", TASK], &["status"]] {
            let output = place.trueup(arguments);
            assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{output:#?}");
            let said = output.stderr.trim_end();
            assert!(said.starts_with(&format!("error: {file}:{line}: ")), "{said}");
            assert!(said.contains(&format!("unknown field `{unknown}`")), "{said}");
            assert!(said.ends_with(&format!("; did you mean `{near}`?")), "{said}");
        }
    }
}

#[test]
fn nothing_runs_in_a_repository_that_nobody_trusts() {
    let place = Place::with_task("", GOAL);
    let untrusted = |arguments: &[&str]| {
        let output = output(place.household.command(arguments).env_remove("TRUEUP_TRUST"));
        assert!(!place.worked(), "{output:#?}");
        output
    };
    let what = "this repository's commands are not trusted yet, or they changed since you trusted them";
    for command in ["check", "run", "verify"] {
        let expected = Output {
            code: 4,
            stdout: String::new(),
            stderr: format!("error: {what}\n  trueup trust\n"),
        };
        assert_eq!(untrusted(&[command, TASK]), expected);
        let told = untrusted(&[command, TASK, "--json"]);
        let document = serde_json::json!({ "v": 1, "error": what, "exit": 4, "next": ["trueup trust"] });
        assert_eq!((told.code, last_line(&told)), (4, document));
    }
    assert_eq!(untrusted(&["trust"]).code, 4, "nobody could have answered");
    assert_eq!(untrusted(&["trust", "--yes"]).code, 0);
    assert_eq!(untrusted(&["check", TASK]).code, 0);
    place.configure("\n[checks.new]\nrun = \"sh by_name.sh\"\n");
    assert_eq!(untrusted(&["check", TASK]).code, 4, "other commands need another word");
    std::fs::remove_file(place.household.checkout().join("trueup.toml")).expect("a file");
    let refused = untrusted(&["run", TASK]);
    let what = "this repository is not set up for trueup: it has no trueup.toml";
    assert_eq!(
        refused.stderr,
        format!("error: {what}\n  trueup init\n"),
        "{refused:#?}"
    );
}

#[test]
fn a_branch_in_the_way_of_the_delivery_is_told_before_any_turn() {
    let place = Place::with_task("", GOAL);
    place.household.git(&["branch", "trueup"]);
    let what = "a branch named `trueup` is in the way of `trueup/T-001`, which would be delivered";
    fails(
        &place,
        &["run", TASK],
        8,
        what,
        &["git branch --move trueup trueup-kept"],
    );
    place.household.git(&["branch", "--move", "trueup", "trueup-kept"]);
    assert_eq!(place.household.trueup(&["run", TASK]).code, 0);
}

#[test]
fn a_run_without_an_agent_is_refused() {
    let place = Place::with_task("", GOAL);
    place.household.file("trueup.toml", "version = 1\n");
    let what = "no agent was chosen; name one, or choose one for every task";
    let next = [
        "trueup agent list",
        "trueup run T-001 --agent NAME",
        "trueup config set agent.default NAME",
    ];
    fails(&place, &["run", TASK], 7, what, &next);
    let what = "there is no agent `ghost` in the configuration; add an [agent.ghost] table to trueup.toml";
    fails(
        &place,
        &["run", TASK, "--agent", "ghost"],
        7,
        what,
        &["trueup agent list"],
    );
    assert_eq!(
        place.trueup(&["check", TASK]).code,
        0,
        "to check a task nobody is needed"
    );
}

#[test]
fn an_agent_whose_program_is_missing_is_unusable_and_the_run_can_go_on() {
    let place = Place::with_task("", GOAL);
    place.household.file(
        "trueup.toml",
        "[agent]\ndefault = \"gone\"\n\n[agent.gone]\nkind = \"command\"\ncommand = [\"/opt/no/such/agent\"]\n",
    );
    let run = place.trueup(&["run", TASK]);
    let said = "agent unusable: `gone` could not be started: there is no program /opt/no/such/agent; install it, or mend `command` of the agent\n";
    assert_eq!((run.code, run.stdout.as_str()), (7, said), "{run:#?}");
    assert!(
        run.stderr.ends_with("  trueup doctor\n  trueup resume T-001\n"),
        "{run:#?}"
    );
    let shown = place.household.show(TASK);
    assert_eq!(
        (&shown["outcome"], &shown["turns"]),
        (&"agent_unusable".into(), &0.into()),
        "{shown}"
    );
}

#[test]
fn what_an_agent_and_a_preparation_say_of_a_failure_is_shown_whole_on_lines_of_its_own() {
    let place = Place::with_task("", GOAL);
    let words =
        "the key in the file that the person named is for another account than the one that pays for it, so sign in";
    place.household.set_agent(&format!("echo '{words}' >&2\nexit 3\n"));
    let run = place.trueup(&["run", TASK]);
    assert!(
        run.stderr.contains(&format!("ended with exit 3\n      “{words}”\n")),
        "{run:#?}"
    );
    place.configure("\n[prepare.tools]\nrun = \"sh -c 'echo one; echo two; exit 1'\"\nkey = [\"trueup.toml\"]\nkeep = [\"tools\"]\n");
    let run = place.trueup(&["run", TASK, "--anew"]);
    assert!(
        run.stdout.contains(" ended with exit 1\n      one\n      two\n"),
        "{run:#?}"
    );
    let said = format!("{}{}", run.stdout, run.stderr);
    assert_eq!(
        (said.matches("two\n").count(), said.matches("\\n").count()),
        (1, 0),
        "{said}"
    );
    let shown = place.trueup(&["show", TASK]);
    assert!(shown.stdout.contains("\n      one\n      two\n"), "{shown:#?}");
}

#[test]
fn a_run_beside_an_unfinished_one_is_refused() {
    let place = Place::with_task("", GOAL);
    place.household.set_agent("touch \"$SIDE/slow\"\nsleep 60\n");
    let mut driver = place.household.command(&["run", TASK]);
    let mut driver = driver
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("trueup");
    let slow = place.household.folder().join("side/slow");
    while !slow.exists() {
        assert_eq!(
            driver.try_wait().expect("state"),
            None,
            "it ended before its agent began"
        );
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let what = "somebody works on T-001 right now, in run T-001.1";
    let next = ["trueup log T-001.1 -f", "trueup stop T-001.1"];
    fails(&place, &["run", TASK], 8, what, &next);
    fails(&place, &["run", TASK, "--anew"], 8, what, &next);
    driver.kill().expect("kill");
    driver.wait().expect("end");
    let what = "T-001 has an unfinished run, T-001.1, which goes on from its own base and with its own agent";
    fails(
        &place,
        &["run", TASK, "--with-changes"],
        8,
        what,
        &["trueup resume T-001", "trueup run T-001 --anew"],
    );
}

#[test]
fn a_run_is_refused_while_one_that_was_left_behind_is_driven() {
    let place = Place::with_task("", GOAL);
    place.household.set_agent("exit 0\n");
    for arguments in [["run", TASK, "--json"], ["run", TASK, "--anew"]] {
        assert_eq!(place.trueup(&arguments).code, 5);
    }
    place.household.set_agent("touch \"$SIDE/slow\"\nsleep 60\n");
    let mut driver = place.household.command(&["answer", "T-001.1", "-m", "Go on."]);
    let mut driver = driver
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("trueup");
    let slow = place.household.folder().join("side/slow");
    while !slow.exists() {
        assert_eq!(driver.try_wait().expect("state"), None, "it ended before its agent");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let what = "somebody works on T-001 right now, in run T-001.1";
    let next = ["trueup log T-001.1 -f", "trueup stop T-001.1"];
    for arguments in [
        &["run", TASK, "--anew"] as &[&str],
        &["run", TASK],
        &["resume", TASK],
        &["answer", TASK, "-m", "Go on."],
    ] {
        fails(&place, arguments, 8, what, &next);
    }
    driver.kill().expect("kill");
    driver.wait().expect("end");
}

#[test]
fn a_variable_that_is_no_text_stops_nobody() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let place = Place::with_task("", GOAL);
    let strange = OsStr::from_bytes(b"\xff\xfe");
    let checked = output(place.household.command(&["check", TASK]).env("STRANGE", strange));
    assert_eq!(checked.code, 0, "{checked:#?}");
}

#[test]
fn a_state_root_inside_the_checkout_is_refused_and_not_made() {
    let place = Place::with_task("", GOAL);
    let inside = place.household.checkout().join("state/of/mine");
    let refused = output(place.household.command(&["check", TASK]).env("TRUEUP_STATE", &inside));
    let said = format!("error: the state root {} lies inside the checkout\n", inside.display());
    assert_eq!(refused.code, 2, "{refused:#?}");
    assert!(refused.stderr.starts_with(&said), "{refused:#?}");
    assert!(!place.household.checkout().join("state").exists());
}
