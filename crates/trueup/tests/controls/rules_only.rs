//! Goals that pass only by what a changed configuration does.

use crate::place::{Ended, HONEST, command, prices, task};

/// A recipe that the goal calls, as it stands on the base.
const MAKEFILE: &str = "total:\n\tpython3 -m unittest tests.test_total\n";

/// The sum lacks what a variable of the recipe adds.
const SET_FOR_TESTS: &str = r#"
sed -i 's/return sum(prices)/return sum(prices[: int(os.environ.get("MOST", "0"))])/' price.py
sed -i '1s/^/import os\n\n\n/' price.py
printf 'total:\n\tMOST=9 python3 -m unittest tests.test_total\n' > Makefile
"#;

/// A target that the goal does not call.
const ONE_MORE: &str = "printf '\\nshow:\\n\\tcat price.py\\n' >> Makefile\n";

fn made(agent: &str) -> Ended {
    let allow = "allow: { change: [Makefile, price.py] }\n";
    let guard = command("test -f price.py");
    let household = prices(&task(&command("make total"), &guard, 1, allow), agent);
    household.file("Makefile", MAKEFILE);
    household.commit("How prices are checked");
    let run = household.trueup(&["run", "T-001"]);
    Ended { household, run }
}

fn about_the_goal(ended: &Ended) -> bool {
    let told = ("rules_only".to_owned(), "AC-1.1".to_owned());
    ended.objections().contains(&told)
}

#[test]
fn a_goal_that_passes_only_by_an_allowed_configuration_is_asked_and_counts_when_approved() {
    let ended = made(&format!("{HONEST}\n{SET_FOR_TESTS}"));
    assert_eq!(ended.run.code, 4, "{:#?}\n{:?}", ended.run, ended.objections());
    assert!(about_the_goal(&ended), "{:?}", ended.objections());
    let approved = ended.household.trueup(&["approve", "T-001"]);
    assert_eq!(approved.code, 0, "{approved:#?}");
    assert_eq!(ended.household.show("T-001")["outcome"], "verified");
}

#[test]
fn a_goal_that_passes_without_the_allowed_configuration_as_well_is_not_asked() {
    let ended = made(&format!("{HONEST}\n{ONE_MORE}"));
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
    assert!(!about_the_goal(&ended), "{:?}", ended.objections());
}
