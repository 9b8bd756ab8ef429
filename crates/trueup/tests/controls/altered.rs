//! Checks that write the files they judge.

use crate::place::{Ended, GUARD, HONEST, command, prices, task};

/// A rule of make that runs the new tests after this.
fn rule(first: &str) -> String {
    format!("printf 'total:\\n\\t{first}\\n\\tpython3 -m unittest tests.test_total\\n' >> Makefile\n")
}

fn made(agent: &str, tests: &str) -> Ended {
    let guard = command("make count");
    let task = task(&command("make total"), &guard, 1, "allow: { change: [Makefile] }\n");
    let household = prices(&task, agent);
    let count = format!("count:\n\techo 1 >> count.json\n\t{tests}\n");
    household.file("Makefile", &count);
    household.file("count.json", "1\n");
    household.commit("What is counted");
    let run = household.trueup(&["run", "T-001"]);
    Ended { household, run }
}

#[test]
fn a_check_that_writes_what_it_judges_is_told() {
    let patches = rule("sed -i \"s/return 0/return sum(prices)/\" price.py");
    let agent = format!("{}\n{patches}", HONEST.replace("return sum(prices)", "return 0"));
    let ended = made(&agent, "python3 -m unittest tests.test_double");
    assert!(!ended.is_verified(), "{:#?}", ended.run);
    let altered = ("altered".to_owned(), "price.py".to_owned());
    assert!(ended.objections().contains(&altered), "{:?}", ended.objections());

    let restores = rule("sed -i.bak \"s/return 0/return sum(prices)/\" price.py")
        + "printf '\\tcp price.py.bak price.py\\n' >> Makefile\n";
    let agent = format!("{}\n{restores}", HONEST.replace("return sum(prices)", "return 0"));
    let ended = made(&agent, "python3 -m unittest tests.test_double");
    assert!(!ended.is_verified(), "{:#?}", ended.run);
    assert!(ended.objections().contains(&altered), "{:?}", ended.objections());
}

#[test]
fn what_a_check_writes_on_the_base_as_well_is_its_habit() {
    let ended = made(&format!("{HONEST}\n{}", rule("grep -q total price.py")), GUARD);
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
}
