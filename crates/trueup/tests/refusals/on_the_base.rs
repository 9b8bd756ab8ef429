//! What the base itself says against a task.

use crate::place::{Place, TASK, last_line};
use std::{env, fs, os::unix::fs::PermissionsExt};
use trueup_testkit::household::output;

const GREEN: &str = "the goal is already green on the base, so passing it would prove nothing; write it as `guard:` if it must stay green";
const GUARD: &str =
    "the guard is red on the base (exit 1); make it green first, or write it as `verify:` if it is the goal";
/// The goal that is red, as it should be; lines 8 and 9 of the file.
const GOAL: &str = "- [ ] **AC-1** It greets by name.\n  - verify: `sh by_name.sh`\n";

#[test]
fn a_task_that_is_ready_is_not_refused() {
    let place = Place::with_task("", GOAL);
    let check = place.trueup(&["check", TASK, "--json"]);
    assert_eq!(
        (check.code, &last_line(&check)["tasks"][0]["baseline"]),
        (0, &"ready".into())
    );
    let run = place.household.trueup(&["run", TASK]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(
        place.worked(),
        "the word an agent leaves is the proof of every silence here"
    );
}

#[test]
fn a_goal_that_is_green_already_is_refused() {
    let place = Place::with_task(
        "",
        &format!("{GOAL}- [ ] **AC-2** It is true.\n  - verify: `sh true.sh`\n"),
    );
    place.refuses(&[&format!("11: AC-2.1 `sh true.sh`: {GREEN}")]);
}

#[test]
fn each_line_of_a_criterion_must_be_red_by_itself() {
    let criteria = format!("{GOAL}  - verify: file greet.sh exists\n  - verify: no /Hullo/ in *.sh\n");
    let place = Place::with_task("", &criteria);
    place.refuses(&[
        &format!("10: AC-1.2 file greet.sh exists: {GREEN}"),
        &format!("11: AC-1.3 no /Hullo/ in *.sh: {GREEN}"),
    ]);
}

#[test]
fn a_guard_that_is_red_is_refused() {
    let place = Place::with_task("", &format!("{GOAL}  - guard: `sh false.sh`\n"));
    place.refuses(&[&format!("10: AC-1.2 `sh false.sh`: {GUARD}")]);
    let check = place.trueup(&["check", TASK]);
    assert!(
        check.stdout.ends_with("  AC-1.2 printed:\n      the false script\n"),
        "{check:#?}"
    );
}

#[test]
fn everything_that_is_wrong_is_said_at_once_and_in_order() {
    let criteria = format!(
        "- [ ] **AC-0** It stays.\n  - guard: `sh false.sh`\n  - verify: `sh true.sh`\n{GOAL}  - verify: `no-such-program`\n"
    );
    let place = Place::with_task("", &criteria);
    place.refuses(&[
        &format!("9: AC-0.1 `sh false.sh`: {GUARD}"),
        &format!("10: AC-0.2 `sh true.sh`: {GREEN}"),
        "13: AC-1.2 `no-such-program`: it cannot be executed: there is no program `no-such-program` on the PATH; install it",
    ]);
}

#[test]
fn a_program_missing_outside_the_tree_cannot_be_executed() {
    let place = Place::with_task("", "- [ ] **AC-1** It greets.\n  - verify: `greeter-of-nobody --now`\n");
    place.refuses(&[
        "9: AC-1.1 `greeter-of-nobody --now`: it cannot be executed: there is no program `greeter-of-nobody` on the PATH; install it",
    ]);
    let place = Place::with_task("", "- [ ] **AC-1** It greets.\n  - verify: `/opt/no/such/greeter`\n");
    let check = place.trueup(&["check", TASK]);
    assert_eq!(check.code, 3, "{check:#?}");
    let line = "  tasks/T-001.md:9: AC-1.1 `/opt/no/such/greeter`: it cannot be executed: ";
    assert!(check.stdout.contains(line), "{check:#?}");
    assert_eq!(place.trueup(&["run", TASK]).code, 3);
}

#[test]
fn a_guard_that_cannot_be_executed_is_refused_too() {
    let place = Place::with_task("", &format!("{GOAL}  - guard: no /x/ in *.nothing\n"));
    place.refuses(&[
        "10: AC-1.2 no /x/ in *.nothing: it cannot be executed: the glob `*.nothing` selects no file of the tree",
    ]);
}

#[test]
fn what_is_missing_inside_the_tree_is_red_and_not_refused() {
    let criteria = "- [ ] **AC-1** A script.\n  - verify: `sh tests/to_be_written.sh`\n\
                    - [ ] **AC-2** A program.\n  - verify: `./tool-to-be-written`\n  - verify: `bin/other`\n";
    let place = Place::with_task("", criteria);
    let check = place.trueup(&["check", TASK, "--json"]);
    let answer = &last_line(&check)["tasks"][0];
    assert_eq!((check.code, &answer["baseline"]), (0, &"ready".into()), "{check:#?}");
    for evidence in answer["evidence"].as_array().expect("evidence") {
        assert!(evidence["saw"]["failed"].is_object(), "{evidence}");
    }
    let run = place.household.trueup(&["run", TASK]);
    assert_eq!(run.code, 5, "nobody wrote them: {run:#?}");
}

#[test]
fn a_task_whose_goals_are_all_green_has_nothing_to_do() {
    let criteria = "- [ ] **AC-1** It is true.\n  - verify: `sh true.sh`\n  - guard: `sh true.sh`\n\
                    - [ ] **AC-2** It is there.\n  - verify: file greet.sh exists\n";
    let place = Place::with_task("", criteria);
    let check = place.trueup(&["check", TASK]);
    assert_eq!(
        (check.code, check.stdout.as_str()),
        (10, "• tasks/T-001.md: every goal is green already\n")
    );
    let check = place.trueup(&["check", TASK, "--json"]);
    let answer = &last_line(&check)["tasks"][0];
    assert_eq!((check.code, &answer["baseline"]), (10, &"nothing_to_do".into()));
    let run = place.trueup(&["run", TASK]);
    let said = "nothing to do: every goal of T-001 is green on the base already; no agent was started\n";
    assert_eq!((run.code, run.stdout.as_str()), (10, said));
    let run = place.trueup(&["run", TASK, "--json"]);
    let rest = last_line(&run);
    assert_eq!(
        (run.code, &rest["outcome"], &rest["exit"]),
        (10, &"nothing_to_do".into(), &10.into())
    );
    assert_eq!(place.household.show(TASK)["outcome"], "nothing_to_do");
}

#[test]
fn a_red_guard_beside_green_goals_is_refused_and_not_nothing_to_do() {
    let criteria = "- [ ] **AC-1** It is true.\n  - verify: `sh true.sh`\n  - guard: `sh false.sh`\n";
    let place = Place::with_task("", criteria);
    place.refuses(&[
        &format!("9: AC-1.1 `sh true.sh`: {GREEN}"),
        &format!("10: AC-1.2 `sh false.sh`: {GUARD}"),
    ]);
}

#[test]
fn a_program_that_no_sandbox_shows_is_named_with_the_setting_that_shows_it() {
    let criteria = |command: &str| format!("- [ ] **AC-1** The linter is content.\n  - verify: `{command}`\n");
    let place = Place::with_task("", &criteria("linter"));
    let tools = place.household.folder().join("tools");
    let linter = tools.join("bin/linter");
    fs::create_dir_all(tools.join("bin")).expect("a folder");
    fs::write(&linter, "#!/bin/sh\nexit 1\n").expect("a program");
    fs::set_permissions(&linter, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    let path = env::var("PATH").expect("a PATH");
    let path = format!("{}:{path}", tools.join("bin").display());
    let check = || output(place.household.command(&["check", TASK]).env("PATH", &path));
    let add = format!(
        "`linter` is {}, which no sandbox shows: add `read = [{tools:?}]` under [sandbox] in trueup.toml",
        linter.display()
    );
    for command in ["linter", "bash -c linter"] {
        place.write_task("", &criteria(command));
        let told = check();
        assert_eq!(
            (told.code, told.stdout.contains(&add)),
            (3, true),
            "{command}: {told:#?}"
        );
    }
    let set = place.trueup(&["config", "set", "sandbox.read", &format!("[{tools:?}]")]);
    assert_eq!(set.code, 0, "{set:#?}");
    assert_eq!(check().code, 0, "it is there and red");
}
