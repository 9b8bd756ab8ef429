//! Which files are tests.

use trueup_inspect::code::{Language, is_test_path};

#[test]
fn files_of_tests_are_known_by_folder_and_name() {
    for path in [
        "tests/test_a.py",
        "src/test_cart.py",
        "cart_test.py",
        "conftest.py",
        "pkg/cart_test.go",
        "src/cart.test.ts",
        "src/cart.spec.tsx",
        "src/__tests__/cart.js",
        "spec/cart.js",
        "crates/a/tests/all.rs",
        "src/cart/tests.rs",
        "src/cart_test.rs",
        "src/__snapshots__/a.snap",
        "src/snapshots/a.txt",
        "pkg/testdata/a.json",
        "tests/fixtures/a.json",
        "test/help.txt",
    ] {
        assert!(is_test_path(path), "{path}");
    }
}

#[test]
fn files_of_code_are_not_tests() {
    for path in [
        "src/cart.py",
        "src/latest.py",
        "src/contest/a.py",
        "attest.go",
        "src/test.ts",
        "src/testing.rs",
        "fixtures/a.json",
        "src/protest.spec",
        "spec.md",
        "",
        "/",
    ] {
        assert!(!is_test_path(path), "{path}");
    }
}

#[test]
fn languages_are_known_by_the_ending() {
    assert_eq!(Language::of("a/b.py"), Some(Language::Python));
    assert_eq!(Language::of("a/b.mjs"), Some(Language::JavaScript));
    assert_eq!(Language::of("a/b.mts"), Some(Language::TypeScript));
    assert_eq!(Language::of("a/b.tsx"), Some(Language::Tsx));
    assert_eq!(Language::of("b.rs"), Some(Language::Rust));
    assert_eq!(Language::of("b.go"), Some(Language::Go));
    assert_eq!(Language::of("a.py/b"), None);
    assert_eq!(Language::of("b.java"), None);
}
