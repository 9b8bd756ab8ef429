//! A suite of many tests, of which the controls of a goal need a few: they are
//! run alone, and whoever asserts nothing is found out all the same.

use trueup_testkit::{
    household::Household,
    saboteurs::{PYTEST, Scenario, Tools, Work},
};

const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// A test that one asks for, and the suite that must stay green.
const WORK: Work = Work {
    files: &[(
        "tests/test_many.py",
        "import time\n\nimport pytest\n\n\n@pytest.mark.parametrize('number', range(40))\ndef test_many(number):\n    \
         time.sleep(0.05)\n    assert number < 40\n",
    )],
    criteria: "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: test test_reduced\n  - guard: tests\n",
    allow: "",
    hidden: &[],
};

const HONEST: &str = "honest\nput tests/test_reduced.py <<'END'\nfrom shop.price import discount\n\n\ndef test_reduced():\n    \
                      assert discount(200) == 190\nEND";

/// The test names the function and asserts nothing of it.
const IDLE: &str = "honest\nput tests/test_reduced.py <<'END'\nfrom shop.price import discount\n\n\ndef test_reduced():\n    \
                    assert discount is not None\nEND";

fn run(script: &str) -> (Household, i32, String) {
    let scenario = Scenario {
        tools: &Tools::find(),
        project: &PYTEST,
        work: &WORK,
        script,
    };
    let household = scenario.household(TRUEUP);
    let output = household.trueup(&["run", "T-001"]);
    (household, output.code, output.stdout + &output.stderr)
}

/// What the last controls of this sabotage printed.
fn printed(household: &Household, sabotage: &str) -> String {
    let events = household.events("T-001");
    let last = events.iter().rev().find(|event| event["type"] == "challenged");
    let controls = last
        .and_then(|event| event["controls"].as_array().cloned())
        .unwrap_or_default();
    let of = controls
        .iter()
        .find(|control| control["sabotage"] == sabotage && control["check"] == "AC-1.1");
    let digest = of
        .and_then(|control| control["output"]["digest"].as_str())
        .unwrap_or_default()
        .to_owned();
    household.trueup(&["log", "T-001", "--blob", &digest]).stdout
}

#[test]
fn honest_work_is_verified_and_its_controls_run_the_tests_it_is_about() {
    let (household, code, told) = run(HONEST);
    assert_eq!(code, 0, "{told}");
    for sabotage in ["over_base", "failing", "defaulting"] {
        let said = printed(&household, sabotage);
        assert!(
            said.contains("1 failed") && !said.contains(" passed"),
            "{sabotage}: {said}"
        );
    }
    let canary = printed(&household, "canary");
    assert!(canary.contains(" passed"), "a guard is doubted as a whole: {canary}");
}

#[test]
fn a_test_that_asserts_nothing_is_found_out_alone() {
    let (household, code, told) = run(IDLE);
    assert_ne!(code, 0, "{told}");
    let said = printed(&household, "failing");
    assert!(said.contains("\n1 passed"), "{told}\n{said}");
}
