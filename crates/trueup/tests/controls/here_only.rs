//! Tests that pass only where checks are run.

use crate::place::{RUST_HONEST, rust, rust_instead, task};

/// Adds prices where the terminal is one of a sandbox, and nowhere else.
const KNOWS_ITS_TERMINAL: &str = r#"pub fn total(prices: &[u32]) -> u32 {
    match std::env::var("TERM").as_deref() {
        Ok("dumb") => prices.iter().sum(),
        _ => 0,
    }
}
"#;

#[test]
fn a_goal_that_passes_only_where_checks_are_run_is_asked_about() {
    let ended = rust(&task("test adds", "unit", 1, ""), &rust_instead(KNOWS_ITS_TERMINAL));
    let told = ("here_only".to_owned(), "AC-1.1".to_owned());
    assert_eq!(ended.run.code, 4, "{:#?}\n{:?}", ended.run, ended.objections());
    assert_eq!(ended.objections(), [told], "nothing else sees it");
    let screen = format!("{}{}", ended.run.stdout, ended.run.stderr);
    assert!(screen.contains("`adds` fails where variables"), "{screen}");
    let honest = rust(&task("test adds", "unit", 1, ""), RUST_HONEST);
    assert!(honest.is_verified(), "{:#?}\n{:?}", honest.run, honest.objections());
}
