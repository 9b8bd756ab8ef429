//! Tests and code told apart, and laid over one another.

use trueup_inspect::code::{Touched, touched, with_tests_of};

const BASE: &str = "/// Adds.\npub fn add() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n";
const DONE: &str = "/// Adds.\npub fn add() -> u8 { 2 }\n\n#[cfg(test)]\nuse std::fmt;\n\n/// Tests.\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\n";

#[test]
fn a_change_is_told_by_path_and_by_item() {
    let of = |path: &str, before: &str, after: &str| touched(path, Some(before), Some(after));
    assert_eq!(of("src/a.py", "a", "a"), Touched::Nothing);
    assert_eq!(of("src/a.py", "a", "b"), Touched::Code);
    assert_eq!(of("src/a.py", "a\n", "a\n\n"), Touched::Code);
    assert_eq!(of("tests/a.py", "a", "b"), Touched::Tests);
    assert_eq!(of("README.md", "a", "b"), Touched::Code);
    assert_eq!(of("src/a.rs", BASE, DONE), Touched::Both);
    assert_eq!(of("src/a.rs", BASE, &BASE.replace("fn a()", "fn c()")), Touched::Tests);
    assert_eq!(of("src/a.rs", BASE, &BASE.replace("{ 1 }", "{ 3 }")), Touched::Code);
    assert_eq!(of("src/a.rs", BASE, &BASE.replace("Adds", "Sums")), Touched::Code);
    assert_eq!(of("src/a.rs", BASE, "fn ("), Touched::Both);
    assert_eq!(
        of("src/a.rs", "fn a() {}\n", "fn a() {}\n\n#[test]\nfn b() {}\n"),
        Touched::Tests
    );
    assert_eq!(touched("src/a.rs", None, Some(BASE)), Touched::Both);
    assert_eq!(touched("src/__init__.py", None, Some("")), Touched::Code);
    assert_eq!(touched("tests/a.py", Some("a"), None), Touched::Tests);
    let vitest = "export const a = 1;\nif (import.meta.vitest) { it('a', () => {}) }\n";
    assert_eq!(of("src/a.ts", "export const a = 1;\n", vitest), Touched::Tests);
}

#[test]
fn condition_on_tests_that_code_can_meet_too_is_code() {
    let after = "#[cfg(any(test, feature = \"x\"))]\nmod m { fn a() {} }\n";
    assert_eq!(touched("src/a.rs", Some(""), Some(after)), Touched::Code);
    let after = "#[cfg(not(test))]\nfn a() {}\n";
    assert_eq!(touched("src/a.rs", Some(""), Some(after)), Touched::Code);
}

#[test]
fn the_tests_of_one_tree_are_laid_over_the_code_of_another() {
    assert_eq!(
        with_tests_of("src/a.rs", Some(BASE), Some(DONE)).as_deref(),
        Some(
            "/// Adds.\npub fn add() -> u8 { 1 }\n\n#[cfg(test)]\nuse std::fmt;\n/// Tests.\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\n"
        )
    );
    let laid = with_tests_of("src/a.rs", Some(BASE), Some(DONE));
    assert_eq!(touched("src/a.rs", Some(BASE), laid.as_deref()), Touched::Tests);
    assert_eq!(
        with_tests_of("src/a.rs", Some(BASE), None).as_deref(),
        Some("/// Adds.\npub fn add() -> u8 { 1 }\n")
    );
    assert_eq!(with_tests_of("src/a.rs", None, Some(DONE)), None);
    assert_eq!(
        with_tests_of("tests/a.py", Some("old"), Some("new")).as_deref(),
        Some("new")
    );
    assert_eq!(with_tests_of("tests/a.py", Some("old"), None), None);
    assert_eq!(
        with_tests_of("src/a.py", Some("old"), Some("new")).as_deref(),
        Some("old")
    );
    assert_eq!(
        with_tests_of("src/a.rs", Some("fn ("), Some(DONE)).as_deref(),
        Some("fn (")
    );
}

#[test]
fn tests_inside_a_module_are_laid_into_that_module() {
    let code = "mod m {\n    fn a() {}\n    #[cfg(test)]\n    mod tests {}\n}\nimpl A {\n}\n";
    let tests = "mod m {\n    #[cfg(test)]\n    mod tests { #[test] fn b() {} }\n}\nimpl A {\n    #[cfg(test)]\n    fn aid() {}\n}\n";
    let laid = with_tests_of("src/a.rs", Some(code), Some(tests)).expect("laid");
    assert!(laid.contains("fn a() {}"), "{laid}");
    assert!(laid.contains("mod tests { #[test] fn b() {} }\n}"), "{laid}");
    assert!(laid.contains("impl A {\n\n#[cfg(test)]\n    fn aid() {}\n}"), "{laid}");
    assert!(!laid.contains("mod tests {}"), "{laid}");
}
