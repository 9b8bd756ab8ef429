//! Tests that run the work and do not look at what it does.

use crate::place::{Ended, GOAL, GUARD, command, python, rust, task};

fn demand(ended: &Ended, sabotage: &str, turned: &str) {
    let seen = ended.turned("AC-1.1", sabotage);
    assert_eq!(
        seen.as_deref(),
        Some(turned),
        "{sabotage}: {:#?}\n{:#?}",
        ended.run,
        ended.controls()
    );
    assert_eq!(ended.is_verified(), turned == "red", "{:#?}", ended.run);
}

/// A constant that is new, a function that does this, and a test of both.
fn by_name(body: &str, assertion: &str) -> String {
    format!(
        "sed -i '1i LIMIT = 100\\n\\n' price.py\nsed -i 's/return 2 \\* price/return {body}/' price.py\n\
         cat > tests/test_total.py <<'END'\nimport unittest\n\nfrom price import LIMIT, double\n\n\n\
         class Total(unittest.TestCase):\n    def test_limit(self):\n        self.assertEqual(LIMIT, 100)\n        \
         {assertion}\nEND\n"
    )
}

#[test]
fn a_new_test_that_is_red_for_want_of_a_name_alone_is_no_goal() {
    let task = task(&command(GOAL), &command(GUARD), 1, "");
    let lax = by_name("int(2 * price)", "self.assertGreater(double(100), 0)");
    demand(&python(&task, &lax), "as_before", "green");
    let strict = by_name("min(2 * price, LIMIT)", "self.assertEqual(double(100), 100)");
    demand(&python(&task, &strict), "as_before", "red");
}

/// A sum that is a type of its own, and equals a number when this holds.
fn sum(equal: &str) -> String {
    format!(
        "cat >> src/lib.rs <<'END'\n\n#[derive(Clone, Copy, Debug, Default)]\npub struct Sum(pub u32);\n\n\
         impl PartialEq<u32> for Sum {{\n    fn eq(&self, other: &u32) -> bool {{\n        {equal}\n    }}\n}}\n\n\
         pub fn total(prices: &[u32]) -> Sum {{\n    Sum(prices.iter().sum())\n}}\nEND\n\
         cat > tests/total.rs <<'END'\n#[test]\nfn adds() {{\n    assert_eq!(price::total(&[1, 2]), 3);\n}}\nEND\n"
    )
}

#[test]
fn a_comparison_that_says_yes_to_everything_does_not_hide_behind_its_own_stub() {
    let task = task("test adds in unit", "unit", 1, "");
    demand(&rust(&task, &sum("self.0 <= *other || true")), "defaulting", "green");
    demand(&rust(&task, &sum("self.0 == *other")), "defaulting", "red");
}

/// A function that refuses to add nothing up, and a test of it.
fn refusing(result: &str, body: &str, test: &str) -> String {
    format!(
        "cat >> src/lib.rs <<'END'\n\npub fn total(prices: &[u32]) -> {result} {{\n    \
         assert!(!prices.is_empty(), \"nothing to add\");\n    {body}\n}}\nEND\n\
         cat > tests/total.rs <<'END'\n{test}\nEND\n"
    )
}

#[test]
fn a_test_that_speaks_of_failures_and_looks_at_nothing_is_no_goal() {
    let task = task("test adds in unit", "unit", 1, "");
    // It is content with whatever happens. No default can be given of this type.
    let test = "/// It rejects, throws and raises.\n#[test]\nfn adds() {\n    \
                let _ = std::panic::catch_unwind(|| price::total(&[1, 2]).count());\n}";
    let lax = refusing("impl Iterator<Item = u32> + '_", "prices.iter().copied()", test);
    demand(&rust(&task, &lax), "failing", "green");
}

#[test]
fn a_test_that_asks_for_a_failure_is_red_where_a_value_is_given_back() {
    let task = task("test adds in unit", "unit", 1, "");
    let test = "#[test]\n#[should_panic]\nfn adds() {\n    price::total(&[]);\n}";
    let ended = rust(&task, &refusing("u32", "prices.iter().sum()", test));
    assert_eq!(ended.turned("AC-1.1", "failing").as_deref(), Some("green"));
    demand(&ended, "defaulting", "red");
}
