//! What looks green and is not: as goal and as guard, none of these counts.

use crate::place::{after, colour, household, on_base, why};

/// Both as goal and as guard, on the base and after "work", this check is
/// never green; answers why.
fn never_green(tool: &str, check: &str, work: &[(&str, &str)]) -> String {
    let mut told = String::new();
    for role in ["verify", "guard"] {
        let household = household(tool, check, &[&format!("{role}: it"), "verify: file done.txt exists"]);
        let base = on_base(&household);
        assert_ne!(colour(&base[0]), "green", "{role}, on the base: {base:#?}");
        let done = after(&household, &[work, &[("done.txt", "done\n")]].concat());
        assert_ne!(colour(&done[0]), "green", "{role}, after the work: {done:#?}");
        told = why(&done[0]);
    }
    told
}

const JUNIT: &str = "parse = \"junit\"\n";

#[test]
fn a_pipe_that_swallows_a_runner_without_tests_is_no_report() {
    let check = "[checks.it]\nrun = \"bash -c 'npm test -- --passWithNoTests | tail -5'\"\nparse = \"jest\"\n";
    let manifest = "{\"name\":\"a\",\"scripts\":{\"test\":\"sh tool.sh\"}}";
    let told = never_green(
        "echo 'No tests found, exiting with code 0'\n",
        check,
        &[("package.json", manifest)],
    );
    assert!(told.contains("cannot be read as its report"), "{told}");
}

#[test]
fn a_filter_that_selects_nothing_and_a_suite_without_tests_are_red() {
    let tool = "echo '<testsuites><testsuite name=\"s\" tests=\"0\"/></testsuites>' > \"$1\"\n";
    let check = format!("[checks.it]\nrun = \"sh tool.sh {{{{out}}}}/a.xml -k nothing_such\"\n{JUNIT}");
    let told = never_green(tool, &check, &[]);
    assert!(told.contains("no test ran"), "{told}");
}

#[test]
fn tests_that_were_all_skipped_are_red() {
    let tool = "echo '<testsuite><testcase name=\"a\"><skipped/></testcase></testsuite>' > \"$1\"\n";
    let check = format!("[checks.it]\nrun = \"sh tool.sh {{{{out}}}}/a.xml\"\n{JUNIT}");
    assert!(never_green(tool, &check, &[]).contains("no test ran"));
}

#[test]
fn a_failure_is_red_though_its_exit_is_swallowed() {
    let tool = "echo '<testsuite><testcase name=\"a\"><failure/></testcase></testsuite>' > \"$1\"; exit 1\n";
    let check = format!("[checks.it]\nrun = \"bash -c 'sh tool.sh {{{{out}}}}/a.xml || true'\"\n{JUNIT}");
    assert!(never_green(tool, &check, &[]).contains("1 tests failed"));
}

#[test]
fn a_stale_report_in_the_tree_is_not_looked_at() {
    let stale = "<testsuite><testcase name=\"a\"/></testsuite>\n";
    let check = format!("[checks.it]\nrun = \"sh tool.sh {{{{out}}}}/a.xml\"\n{JUNIT}");
    let told = never_green("true\n", &check, &[("a.xml", stale), ("out/a.xml", stale)]);
    assert!(told.contains("wrote no report into {{out}}"), "{told}");
    let linked = "ln -s \"$PWD/a.xml\" \"$1\"\n";
    let told = never_green(linked, &check, &[("a.xml", stale)]);
    assert!(told.contains("wrote no report into {{out}}"), "{told}");
}

#[test]
fn a_report_that_is_cut_off_or_something_else_is_none() {
    let check = format!("[checks.it]\nrun = \"sh tool.sh {{{{out}}}}/a.xml\"\n{JUNIT}");
    for tool in [
        "echo '<testsuite><testcase name=\"a\"/>' > \"$1\"\n",
        "echo '<html><testcase name=\"a\"/></html>' > \"$1\"\n",
        "echo 'all is well' > \"$1\"\n",
        ": > \"$1\"\n",
    ] {
        assert!(never_green(tool, &check, &[]).contains("cannot be read"), "{tool}");
    }
}

#[test]
fn the_harness_sees_a_check_that_is_green() {
    let tool = "echo '<testsuite><testcase name=\"a\"/></testsuite>' > \"$1\"\n";
    let check = format!("[checks.it]\nrun = \"sh tool.sh {{{{out}}}}/a.xml\"\n{JUNIT}");
    let household = household(tool, &check, &["guard: it", "verify: file done.txt exists"]);
    assert_eq!(colour(&on_base(&household)[0]), "green");
}
