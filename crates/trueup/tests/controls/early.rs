//! What the end of a run will demand of a guard is tried by `check`, before any
//! agent is paid.

use crate::place::{GOAL, GUARD, command, prices, shell, task};

#[test]
fn of_a_guard_that_cannot_fail_check_says_so_with_its_line() {
    let guard = shell(&format!("{GUARD} || true"));
    let household = prices(&task(&command(GOAL), &guard, 1, ""), "true");
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
    let told = &checked.stdout;
    assert!(told.contains("tasks/T-001.md:"), "{told}");
    assert!(
        told.contains("stayed green on the base though a failing test was laid"),
        "{told}"
    );
    let document = household.json(&["check", "T-001", "--json"]);
    assert_eq!(
        document["tasks"][0]["doubts"].as_array().map(Vec::len),
        Some(1),
        "{document}"
    );
    assert_eq!(document["tasks"][0]["controls"][0]["turned"], "green", "{document}");
}

#[test]
fn a_guard_that_can_is_seen_to_fail_before_the_run() {
    let household = prices(&task(&command(GOAL), &command(GUARD), 1, ""), "true");
    let before = household.checkout_digest();
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
    assert!(
        checked.stdout.contains("red by a canary (seen on the base)"),
        "{}",
        checked.stdout
    );
    assert_eq!(household.checkout_digest(), before, "nothing is left behind");
}

#[test]
fn no_canary_is_promised_for_a_runner_that_takes_none() {
    let household = prices(&task("`make later`", "`make test`", 1, ""), "true");
    household.file("Makefile", "test:\n\ttrue\nlater:\n\ttest -e done\n");
    household.commit("Recipes");
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
    let told = &checked.stdout;
    assert!(told.contains("must stay green; judged by its exit code only"), "{told}");
    assert!(!told.contains("by a canary"), "{told}");
}

#[test]
fn a_guard_for_which_nothing_can_be_laid_yet_is_no_reason_to_stop() {
    let household = prices(&task(&command(GOAL), "`python3 -c pass`", 1, ""), "true");
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
}
