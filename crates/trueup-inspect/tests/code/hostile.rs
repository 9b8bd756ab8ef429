//! Sources that nobody writes.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use trueup_core::kind::{Kind, Runner};
use trueup_inspect::code::{
    Calls, Fault, Stub, Touched, break_test, canary, changed, items, stub, touched, violation, with_tests_of,
};

const PATHS: [&str; 7] = [
    "a.py",
    "test_a.py",
    "a.js",
    "a.test.tsx",
    "a.ts",
    "src/a.rs",
    "a_test.go",
];

/// Asks everything there is to ask.
fn ask(path: &str, source: &str) {
    let found = items(path, source);
    let names: Vec<String> = found.iter().flatten().map(|item| item.name.clone()).collect();
    let calls = Calls::read(path, source);
    for item in found.iter().flatten().take(3) {
        assert!(source.get(item.span.clone()).is_some() && source.get(item.body.clone()).is_some());
        calls.as_ref().map(|calls| calls.through(item));
        break_test(path, source, &item.name, "tok");
    }
    for how in [Stub::Failing("tok"), Stub::Defaulting] {
        if let Some(made) = stub(path, source, &names, how) {
            assert!(items(path, &made.source).is_some(), "{}", made.source);
        }
    }
    for runner in [
        Runner::Pytest,
        Runner::Vitest,
        Runner::NodeTest,
        Runner::Nextest,
        Runner::GoTest,
    ] {
        canary(runner, path, source, "ab", Fault::of(runner));
    }
    changed(path, Some("x = 1"), source);
    touched(path, None, Some(source));
    with_tests_of(path, Some(source), Some(source));
    violation(path, source, Kind::Lint);
}

#[test]
fn a_source_that_is_too_large_or_does_not_parse_gives_no_answer() {
    let large = "x = 1\n".repeat((4 << 20) / 6 + 1);
    assert_eq!(items("a.py", &large), None);
    assert_eq!(touched("a.py", None, Some(&large)), Touched::Code);
    for path in PATHS {
        assert_eq!(items(path, "def ) fn ( {"), None, "{path}");
    }
    assert_eq!(items("a.java", "class A {}"), None);
}

#[test]
fn depth_overflows_no_stack_and_takes_no_age() {
    let began = Instant::now();
    for (path, open, close) in [
        ("a.py", "(", ")"),
        ("a.py", "if 1:\n", ""),
        ("a.js", "[", "]"),
        ("a.js", "function f() {", "}"),
        ("a.ts", "const a = () => { describe('x', () => {", "})}"),
        ("src/a.rs", "mod m {", "}"),
        ("src/a.rs", "fn f() {", "}"),
        ("src/a.rs", "#[cfg(test)] mod m {", "}"),
        ("a_test.go", "package a; var a = func() {", "}"),
    ] {
        let deep = format!("{}{}", open.repeat(3_000), close.repeat(3_000));
        ask(path, &deep);
    }
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn functions_nested_beyond_reason_give_no_answer() {
    let nested = |depth: usize| format!("{}{}", "function f() {".repeat(depth), "}".repeat(depth));
    assert!(items("a.js", &nested(16)).is_some());
    assert_eq!(items("a.js", &nested(64)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,60}", at in 0..PATHS.len()) {
        ask(PATHS.get(at).expect("in range"), &text);
    }

    #[test]
    fn no_piece_of_real_code_makes_a_reader_panic(from in 0..6000_usize, length in 0..400_usize, at in 0..PATHS.len()) {
        for sample in [
            include_str!("samples/shop.py.txt"),
            include_str!("samples/shop.tsx.txt"),
            include_str!("samples/shop.rs.txt"),
            include_str!("samples/shop.go.txt"),
        ] {
            let piece: String = sample.chars().skip(from % sample.len()).take(length).collect();
            ask(PATHS.get(at).expect("in range"), &piece);
        }
    }
}
