//! Tests that were there before: weakened, removed, renamed.

use crate::place::{Ended, GOAL, GUARD, HONEST, RUST_HONEST, command, crate_of_prices, prices, python, rust, task};

fn told(ended: &Ended, about: &str) -> Vec<String> {
    let all = ended.objections().into_iter();
    all.filter(|(sort, _)| sort == about).map(|(_, path)| path).collect()
}

fn once(agent: &str) -> String {
    format!("if [ \"$TRUEUP_TURN\" = 1 ]; then\n{agent}\nfi\n")
}

#[test]
fn a_test_that_was_weakened_to_hide_a_fault_is_told() {
    let weak = "sed -i 's/2 \\* price/3 * price/' price.py\n\
                sed -i 's/double(2), 4/double(2), 6/' tests/test_double.py\n";
    let agent = once(&format!("{HONEST}\n{weak}"));
    let ended = python(&task(&command(GOAL), &command(GUARD), 3, ""), &agent);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    assert_eq!(
        told(&ended, "test_changed"),
        ["tests/test_double.py"],
        "{:?}",
        ended.objections()
    );
}

#[test]
fn a_test_that_was_only_tidied_is_not_told() {
    let tidy = "sed -i 's/price.double(2), 4/price.double(2), 2 + 2/' tests/test_double.py\n";
    let ended = python(
        &task(&command(GOAL), &command(GUARD), 1, ""),
        &format!("{HONEST}\n{tidy}"),
    );
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
}

#[test]
fn a_weakened_test_is_named_where_tests_are_read_one_by_one() {
    let weak = "sed -i 's/2 \\* price/3 * price/' src/lib.rs\n\
                sed -i 's/double(2), 4/double(2), 6/' tests/double.rs\n";
    let agent = once(&format!("{RUST_HONEST}\n{weak}"));
    let ended = rust(&task("test adds in unit", "unit", 3, ""), &agent);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    let told = told(&ended, "test_changed");
    assert!(matches!(told.as_slice(), [one] if one.ends_with("doubles")), "{told:?}");
}

#[test]
fn a_test_that_is_gone_is_told_and_one_that_was_renamed_is_not() {
    let gone = "printf '#[test]\\nfn doubles() {\\n    assert_eq!(price::double(2), 4);\\n}\\n' > tests/double.rs\n";
    let agent = once(&format!("{RUST_HONEST}\n{gone}"));
    let ended = rust(&task("test adds in unit", "unit", 3, ""), &agent);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    let told = told(&ended, "test_gone");
    assert!(
        matches!(told.as_slice(), [one] if one.ends_with("doubles_nothing")),
        "{told:?}"
    );

    let renamed = "sed -i 's/doubles_nothing/doubles_zero/' tests/double.rs\n";
    let ended = rust(
        &task("test adds in unit", "unit", 1, ""),
        &format!("{RUST_HONEST}\n{renamed}"),
    );
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());

    let allow = "allow: { remove_tests: [doubles_nothing] }\n";
    let ended = rust(
        &task("test adds in unit", "unit", 1, allow),
        &format!("{RUST_HONEST}\n{gone}"),
    );
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
}

#[test]
fn a_test_that_another_one_came_for_is_told_only_if_it_fails_as_it_stood() {
    let rewritten = |asks: &str| {
        format!("sed -i 's/doubles_nothing/doubles_zero/; s/price::double(0), 0/{asks}/' tests/double.rs\n")
    };
    let honest = format!("{RUST_HONEST}\n{}", rewritten("price::double(0) + 1, 1"));
    let ended = rust(&task("test adds in unit", "unit", 1, ""), &honest);
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());

    let broken = "sed -i 's/2 \\* price/if price == 0 { 1 } else { 2 * price }/' src/lib.rs\n";
    let lies = once(&format!(
        "{RUST_HONEST}\n{broken}\n{}",
        rewritten("price::double(0), 1")
    ));
    let ended = rust(&task("test adds in unit", "unit", 3, ""), &lies);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    let told = told(&ended, "test_changed");
    assert!(
        matches!(told.as_slice(), [one] if one.ends_with("doubles_nothing")),
        "{told:?}"
    );
}

/// Moves a test, as it is, to a file of its own.
const MOVED: &str = r"
sed -i '/fn doubles_nothing/,$d' tests/double.rs
sed -i '$d' tests/double.rs
printf 'DOUBLE#[test]\nfn doubles_nothing() {\n    assert_eq!(price::double(0), 0);\n}\n' > tests/nothing.rs
";

#[test]
fn a_test_that_was_moved_to_where_its_name_means_something_else_is_told() {
    let copy = "mod price {\\n    pub fn double(price: u32) -> u32 {\\n        2 * price\\n    }\\n}\\n\\n";
    let broken = "sed -i 's/2 \\* price/if price == 0 { 1 } else { 2 * price }/' src/lib.rs\n";
    let agent = once(&format!("{RUST_HONEST}\n{broken}\n{}", MOVED.replace("DOUBLE", copy)));
    let ended = rust(&task("test adds in unit", "unit", 3, ""), &agent);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    let told = told(&ended, "test_changed");
    assert!(
        matches!(told.as_slice(), [one] if one.ends_with("doubles_nothing")),
        "{told:?}"
    );
    let allow = "allow: { remove_tests: [doubles_nothing] }\n";
    let ended = rust(&task("test adds in unit", "unit", 1, allow), &agent);
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());

    let honest = format!("{RUST_HONEST}\n{}", MOVED.replace("DOUBLE", ""));
    let ended = rust(&task("test adds in unit", "unit", 1, ""), &honest);
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
}

/// Documents what is there, with an example that is run.
const EXAMPLE: &str = "\
/// Twice a price.
///
/// ```
/// assert_eq!(price::double(2), 4);
/// ```
";

#[test]
fn an_example_whose_line_moved_is_still_there_and_one_that_is_left_out_is_told() {
    let start = |agent: &str| {
        let household = crate_of_prices(&task("test adds in unit", "unit", 1, ""), agent);
        let code = format!("{EXAMPLE}pub fn double(price: u32) -> u32 {{\n    2 * price\n}}\n");
        household.file("src/lib.rs", &code);
        household.commit("An example");
        let run = household.trueup(&["run", "T-001"]);
        Ended { household, run }
    };
    let ended = start(&format!(
        "{RUST_HONEST}\nsed -i '1s/^/\\/\\/! Prices.\\n\\n/' src/lib.rs\n"
    ));
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
    let ended = start(&format!("{RUST_HONEST}\nsed -i '3s/```/```text/' src/lib.rs\n"));
    assert!(!ended.is_verified(), "{:#?}", ended.run);
    assert_eq!(told(&ended, "test_gone").len(), 1, "{:?}", ended.objections());
}

#[test]
fn a_test_that_was_there_and_turned_green_by_tests_alone_is_no_goal_met() {
    let agent = "printf 'import price\\n\\nprice.total = sum\\n' > tests/__init__.py\n";
    let task = task(
        &command(GOAL),
        &command("python3 -m unittest tests.test_double"),
        1,
        "allow: { change: [\"tests/**\"] }\n",
    );
    let household = prices(&task, agent);
    household.file(
        "tests/test_total.py",
        "import unittest\n\nimport price\n\n\nclass Total(unittest.TestCase):\n    \
         def test_adds(self):\n        self.assertEqual(price.total([1, 2]), 3)\n",
    );
    household.commit("What shall be so");
    let run = household.trueup(&["run", "T-001"]);
    let ended = Ended { household, run };
    assert!(!ended.is_verified(), "{:#?}", ended.run);
    assert_eq!(
        ended.turned("AC-1.1", "failing").as_deref(),
        Some("green"),
        "{:#?}",
        ended.controls()
    );
}

/// Breaks what was there, and has the test of it left out.
const LEFT_OUT: &str = r"
sed -i 's/2 \* price/3 * price/' price.py
cat > tests/__init__.py <<'END'
import unittest


def load_tests(loader, tests, pattern):
    kept = unittest.TestSuite()
    kept.addTests(loader.loadTestsFromName('tests.test_total'))
    return kept
END
";

#[test]
fn a_test_that_is_left_out_unseen_is_told_where_nothing_is_reported() {
    let start = |agent: &str| python(&task(&command(GOAL), &command(GUARD), 1, ""), agent);
    let ended = start(&once(&format!("{HONEST}\n{LEFT_OUT}")));
    assert!(!ended.is_verified(), "{:#?}", ended.run);
    assert_eq!(
        told(&ended, "test_changed"),
        ["tests/__init__.py"],
        "{:?}",
        ended.objections()
    );
    let more = "mkdir tests/more\ntouch tests/more/__init__.py\ncp tests/test_total.py tests/more/test_total.py\n";
    let ended = start(&format!("{HONEST}\n{more}"));
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
}
