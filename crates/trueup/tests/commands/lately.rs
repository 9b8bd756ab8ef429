//! A base that was just looked at is not looked at again.

use serde_json::Value;
use trueup_testkit::household::Household;

const TASK: &str = "\
---
v: 1
id: T-001
title: Say yes
size: small
---

## Acceptance criteria

- [ ] **AC-1** The answer is yes.
  - verify: `sh goal.sh`
  - guard: `sh guard.sh`
";

/// A goal and a guard that print something else each time they are executed.
fn household() -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "echo yes > answer\n");
    household.file("answer", "no\n");
    household.file("goal.sh", "cat /proc/sys/kernel/random/uuid\ngrep -q yes answer\n");
    household.file("guard.sh", "cat /proc/sys/kernel/random/uuid\n");
    household.task("T-001", TASK);
    household.commit("A question");
    household
}

/// What goal and guard printed, by digest.
fn printed(evidence: &Value) -> [String; 2] {
    let of = |check: &str| {
        let all = evidence.as_array().expect("evidence");
        let seen = all.iter().find(|seen| seen["check"] == check).expect("this check");
        seen["stdout"]["digest"].as_str().expect("a digest").to_owned()
    };
    [of("AC-1.1"), of("AC-1.2")]
}

fn checked(household: &Household) -> [String; 2] {
    printed(&household.json(&["check", "T-001", "--json"])["tasks"][0]["evidence"])
}

fn ran(household: &Household, arguments: &[&str]) -> [String; 2] {
    let ended = household.trueup(arguments);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let events = household.events("T-001");
    let baseline = events.iter().find(|event| event["type"] == "checked");
    printed(&baseline.expect("a baseline")["evidence"])
}

#[test]
fn a_run_takes_what_check_saw_on_this_base_where_nothing_else_can_matter() {
    let household = household();
    let [goal, guard] = checked(&household);
    let [goal_in_run, guard_in_run] = ran(&household, &["run", "T-001"]);
    assert_eq!(guard_in_run, guard, "the guard was not executed again");
    assert_ne!(
        goal_in_run, goal,
        "what is red without a report may be red for the machine"
    );
}

#[test]
fn check_always_looks() {
    let household = household();
    let [goal, guard] = checked(&household);
    let [goal_again, guard_again] = checked(&household);
    assert!(goal_again != goal && guard_again != guard);
}

#[test]
fn another_base_is_looked_at() {
    let household = household();
    let [_, guard] = checked(&household);
    household.file("remark", "something else\n");
    household.commit("A remark");
    let [_, guard_in_run] = ran(&household, &["run", "T-001"]);
    assert_ne!(guard_in_run, guard);
}

#[test]
fn what_is_left_of_an_old_look_is_swept() {
    let household = household();
    checked(&household);
    let looks = || {
        std::fs::read_dir(household.state().join("looks"))
            .expect("looks")
            .count()
    };
    assert!(looks() > 0);
    let swept = household.trueup(&["gc"]);
    assert!(
        swept.code == 0 && looks() > 0,
        "one that is young may be used: {swept:#?}"
    );
    // The clock of a household stands still, and not today.
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    for look in std::fs::read_dir(household.state().join("looks"))
        .expect("looks")
        .flatten()
    {
        let file = std::fs::File::open(look.path()).expect("a look");
        file.set_modified(long_ago).expect("another time");
    }
    let swept = household.trueup(&["gc"]);
    assert!(swept.code == 0 && looks() == 0, "{swept:#?}");
}
