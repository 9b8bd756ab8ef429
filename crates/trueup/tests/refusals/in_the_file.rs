//! What the task file itself says wrongly.

use crate::place::{Place, TASK};
use std::{fs, os::unix::fs::PermissionsExt};

const GOAL: &str = "- [ ] **AC-1** It greets by name.\n  - verify: `sh by_name.sh`\n";
/// One hidden goal, on line 9.
const HIDDEN: &str = "- [ ] **AC-1** It greets by name.\n  - verify hidden: edges.sh\n";

#[test]
fn an_unknown_key_is_refused_with_the_nearest_name() {
    let place = Place::with_task("agnet: script\n", GOAL);
    place.unreadable(&["5: the key `agnet` is unknown; did you mean `agent`?; keys that begin with `x-` are yours"]);
}

#[test]
fn an_unknown_key_of_a_group_is_refused_with_the_nearest_name() {
    let place = Place::with_task("budget:\n  turns: 3\n  tokns: 100\nscope: { nevr: [a] }\n", GOAL);
    place.unreadable(&[
        "7: the key `tokns` is unknown; did you mean `tokens`?; keys that begin with `x-` are yours",
        "8: the key `nevr` is unknown; did you mean `never`?; keys that begin with `x-` are yours",
    ]);
}

#[test]
fn a_key_of_ones_own_begins_with_x() {
    let place = Place::with_task("x-agnet: script\n", GOAL);
    assert_eq!(place.trueup(&["check", TASK]).code, 0);
}

#[test]
fn a_criterion_without_a_check_is_refused() {
    let place = Place::with_task("", &format!("{GOAL}- [ ] **AC-2** It is beautiful.\n"));
    place.refuses(&["10: AC-2: it has no check, so it could never be proved; add a `- verify:` line under it"]);
}

#[test]
fn formalities_are_filled_in_and_said_in_one_line() {
    let place = Place::new();
    let bare = "---\ntitle: Greet\n---\n## Acceptance criteria\n- It greets by name.\n  - verify: sh by_name.sh\n";
    place.household.task(TASK, bare);
    let said = "tasks/T-001.md: filled in `id: T-001` (line 2), `v: 1` (line 2), `- [ ] **AC-1**` (line 5), \
                the command `sh by_name.sh` (line 6)\n";
    let check = place.trueup(&["check", TASK]);
    assert_eq!(check.code, 0, "{check:#?}");
    assert!(check.stderr.contains(said), "{check:#?}");
    let document = place.household.json(&["check", TASK, "--json"]);
    let filled_in = document.pointer("/tasks/0/filled_in/2");
    assert_eq!(
        filled_in,
        Some(&serde_json::json!({ "line": 5, "read_as": "`- [ ] **AC-1**`" }))
    );
    let run = place.household.trueup(&["run", TASK]);
    assert_eq!((run.code, run.stderr.contains(said)), (0, true), "{run:#?}");
    assert!(place.worked(), "the filled in task is carried out");
}

#[test]
fn a_task_without_a_goal_is_refused() {
    let place = Place::with_task("", "- [ ] **AC-1** It is true.\n  - guard: `sh true.sh`\n");
    place.refuses(&[
        "8: T-001: it has no goal, so there is nothing to work towards; add a `- verify:` line that can be executed and is red today",
    ]);
}

#[test]
fn a_character_that_only_a_shell_understands_is_refused_with_the_way_to_ask_for_one() {
    let place = Place::with_task("", "- [ ] **AC-1** It greets.\n  - verify: `sh by_name.sh | tail -1`\n");
    place.unreadable(&[
        "9: the unquoted `|` means something only to a shell, and commands run without one; \
         write `bash -o pipefail -c '…'`, or quote the character if it is meant literally",
    ]);
    let asked = "- [ ] **AC-1** It greets.\n  - verify: `bash -o pipefail -c 'sh by_name.sh | tail -1'`\n";
    let place = Place::with_task("", asked);
    assert_eq!(place.trueup(&["check", TASK]).code, 0, "and the hint is accepted");
}

#[test]
fn an_unknown_named_check_is_refused() {
    let place = Place::with_task("", "- [ ] **AC-1** It greets.\n  - verify: gret\n");
    place.unreadable(&["9: there is no `[checks.gret]`; define `[checks.gret]`, or write a command in backticks"]);
    place.configure("\n[checks.greet]\nrun = \"sh by_name.sh\"\n");
    place.unreadable(&["9: there is no `[checks.gret]`; did you mean `greet`?; a command stands in backticks"]);
}

#[test]
fn a_limit_in_tokens_needs_an_agent_that_reports_them() {
    for front in ["budget: { tokens: 1000 }\n", "size: small\nbudget:\n  usd: 2\n"] {
        let place = Place::with_task(front, GOAL);
        let run = place.trueup(&["run", TASK]);
        let why = "the agent `script` does not say what it costs, so a limit in tokens or money could not be kept; \
                   use `turns` or `time`";
        let told =
            format!("refused: {TASK} has problems, so no agent was started:\n  tasks/{TASK}.md:1: budget: {why}\n");
        assert_eq!((run.code, run.stdout), (3, told));
        let check = place.trueup(&["check", TASK]);
        let told = format!("✗ tasks/{TASK}.md has problems:\n  tasks/{TASK}.md:1: budget: {why}\n");
        assert_eq!((check.code, check.stdout), (3, told), "check says what run will say");
    }
}

#[test]
fn a_hidden_folder_that_git_does_not_ignore_is_refused() {
    let place = Place::with_task("", HIDDEN);
    hide(&place, "edges.sh");
    assert_eq!(place.trueup(&["check", TASK]).code, 0, "ignored, it is hidden");
    place.household.file("tasks/.gitignore", "");
    place.unreadable(&[
        "9: the hidden files cannot be read: tasks/hidden/T-001/ is not ignored by git, so its files would not stay \
         hidden; add `hidden/` to tasks/.gitignore",
    ]);
}

#[test]
fn hidden_files_that_are_not_there_are_refused() {
    let place = Place::with_task("", HIDDEN);
    fs::create_dir_all(place.household.checkout().join("tasks/hidden/T-001")).expect("folder");
    place.unreadable(&[
        "9: the hidden files cannot be read: tasks/hidden/T-001/ holds no file; put the hidden check there",
    ]);
    hide(&place, "edge.sh");
    place.unreadable(&["9: there is no file `tasks/hidden/T-001/edges.sh`; did you mean `edge.sh`?"]);
}

#[test]
fn a_hidden_file_that_the_base_or_its_history_holds_is_refused() {
    const WHY: &str = "9: AC-1.1: tasks/hidden/T-001/edges.sh is or was part of the base's history, where the agent could \
                       read it; write the hidden files anew, under other names";
    let place = Place::with_task("", HIDDEN);
    hide(&place, "edges.sh");
    place.household.git(&["add", "--force", "tasks/hidden"]);
    place.household.git(&["commit", "--quiet", "--message", "Oh no"]);
    place.check_refuses(&[WHY]);
    place.run_fails(&[WHY]);
    place
        .household
        .git(&["rm", "--quiet", "-r", "--cached", "tasks/hidden"]);
    place.household.git(&["commit", "--quiet", "--message", "Better"]);
    place.check_refuses(&[WHY]);
    place.run_fails(&[WHY]);
}

#[test]
fn a_hidden_command_whose_words_the_agent_could_read_is_told() {
    const NOTE: &str = "tasks/T-001.md:9: the base holds this line, so the agent can read the command";
    let place = Place::new();
    place.write_task("", "- [ ] **AC-1** It greets.\n  - verify hidden: `sh by_name.sh`\n");
    hide(&place, "edges.sh");
    let quiet = place.trueup(&["check", TASK]);
    assert_eq!(
        (quiet.code, quiet.stderr.contains(NOTE)),
        (0, false),
        "nobody reads it in the checkout"
    );
    place.household.commit("A task");
    let told = place.trueup(&["check", TASK]);
    assert_eq!((told.code, told.stderr.contains(NOTE)), (0, true), "{}", told.stderr);
}

/// Lays a hidden script that is red today.
fn hide(place: &Place, name: &str) {
    let path = format!("tasks/hidden/{TASK}/{name}");
    place.household.file(&path, "#!/bin/sh\nsh by_name.sh\n");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.household.checkout().join(path), executable).expect("mode");
}
