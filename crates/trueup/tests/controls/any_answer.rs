//! Tests that pass whatever they expect.

use crate::place::{RUST_HONEST, rust, rust_instead, task};

/// A sum that says of itself that it equals whatever is less, which is anything.
const EQUALS_ALL: &str = r"#[derive(Debug, Default)]
pub struct Paid(u32);

impl PartialEq<u32> for Paid {
    fn eq(&self, other: &u32) -> bool {
        self.0 >= *other
    }
}

pub fn total(_prices: &[u32]) -> Paid {
    Paid(u32::MAX)
}
";

#[test]
fn a_goal_whose_test_takes_any_answer_is_asked_about() {
    let ended = rust(&task("test adds", "unit", 1, ""), &rust_instead(EQUALS_ALL));
    let told = ("any_answer".to_owned(), "AC-1.1".to_owned());
    assert_eq!(ended.run.code, 4, "{:#?}\n{:?}", ended.run, ended.objections());
    assert_eq!(ended.objections(), [told], "nothing else sees it");
    let screen = format!("{}{}", ended.run.stdout, ended.run.stderr);
    assert!(
        screen.contains("still passes when the values that are compared are changed"),
        "{screen}"
    );
    let honest = rust(&task("test adds", "unit", 1, ""), RUST_HONEST);
    assert!(honest.is_verified(), "{:#?}\n{:?}", honest.run, honest.objections());
}
