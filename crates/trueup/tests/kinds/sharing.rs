//! One execution answers every check that asks for just it.

use crate::place::{after, colour, household, on_base};
use serde_json::Value;

/// Each execution prints a number of its own and runs two tests.
const TOOL: &str = "od -An -N8 -tx8 /dev/urandom\n\
    { echo '<testsuite><testcase name=\"old\"/>'; [ -e done.txt ] && echo '<testcase name=\"new\"/>'\necho '</testsuite>'; } > \"$1\"\n";

/// The digest of what was printed.
fn printed(evidence: &Value) -> String {
    evidence["stdout"]["digest"].to_string()
}

#[test]
fn a_suite_is_run_once_for_all_that_ask_for_it_and_each_has_its_own_answer() {
    let configuration = "[checks.tests]\nrun = \"sh tool.sh {{out}}/a.xml\"\nparse = \"junit\"\n\n\
                         [checks.slow]\nrun = \"sh tool.sh {{out}}/a.xml\"\nparse = \"junit\"\ntimeout = \"9m\"\n";
    let lines = [
        "verify: test new in tests",
        "guard: test old in tests",
        "guard: tests",
        "guard: slow",
    ];
    let household = household(TOOL, configuration, &lines);
    let base = on_base(&household);
    let colours: Vec<&str> = base.iter().map(colour).collect();
    assert_eq!(colours, ["red", "green", "green", "green"], "{base:#?}");
    assert_eq!(printed(&base[1]), printed(&base[2]));
    assert_eq!(
        printed(&base[0]),
        printed(&base[1]),
        "a test that is not there is not asked for twice"
    );
    assert_ne!(
        printed(&base[1]),
        printed(&base[3]),
        "another time limit is another execution"
    );
    let done = after(&household, &[("done.txt", "")]);
    assert!(done.iter().all(|evidence| colour(evidence) == "green"), "{done:#?}");
    assert_eq!(printed(&done[0]), printed(&done[1]));
    assert_eq!(printed(&done[0]), printed(&done[2]));
}
