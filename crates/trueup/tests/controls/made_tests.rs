//! Tests that stand in no file as such: a macro makes them, or they are examples
//! in documentation.

use crate::place::{Ended, crate_of_prices, task};

const MADE: &str = r"pub fn double(price: u32) -> u32 {
    2 * price
}

#[cfg(test)]
mod tests {
    macro_rules! costs {
        ($name:ident, $call:expr, $is:expr) => {
            #[test]
            fn $name() {
                assert_eq!($call, $is);
            }
        };
    }

    costs!(doubles, crate::double(2), 4);
}
";

/// Does the work, and has the macro make a test of it.
const ADDS: &str = r"
sed -i 's/^    costs!(doubles.*/&\n    costs!(adds, crate::total(\&[1, 2]), 3);/' src/lib.rs
sed -i '1i pub fn total(prices: \&[u32]) -> u32 {\n    prices.iter().sum()\n}\n' src/lib.rs
";

fn place(task: &str, agent: &str, lib: &str) -> trueup_testkit::household::Household {
    let household = crate_of_prices(task, agent);
    household.file("src/lib.rs", lib);
    std::fs::remove_dir_all(household.checkout().join("tests")).expect("no folder of tests");
    household.commit("Other tests");
    household
}

#[test]
fn tests_that_a_macro_makes_can_be_seen_to_fail() {
    let household = place(&task("test adds in unit", "unit", 1, ""), ADDS, MADE);
    let run = household.trueup(&["run", "T-001"]);
    let ended = Ended { household, run };
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
    assert_eq!(ended.turned("AC-2.1", "canary").as_deref(), Some("red"));
}

#[test]
fn examples_in_documentation_can_be_seen_to_fail() {
    let lib = "/// ```\n/// assert_eq!(price::double(2), 4);\n/// ```\npub fn double(price: u32) -> u32 {\n    2 * price\n}\n";
    let household = place(
        &task("file NEWS exists", "`cargo test --offline --doc`", 1, ""),
        "true",
        lib,
    );
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
    assert!(
        checked.stdout.contains("red by a canary (seen on the base)"),
        "{}",
        checked.stdout
    );
}
