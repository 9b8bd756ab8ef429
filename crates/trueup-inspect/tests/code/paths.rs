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
        "shop/testing.py",
        "shop/testing/__init__.py",
        "src/testing.rs",
        "src/test_utils.rs",
        "src/test-utils.ts",
        "src/testUtils.ts",
        "pkg/testutil/carts.go",
        "internal/testing/a.go",
        "shop/test_helpers/a.py",
        "crates/testkit/src/lib.rs",
        "test.c",
        "tests.c",
        "unittest.cpp",
        "t/cart.c",
        "t/data/tap.h",
        "src/test_cart.c",
        "cart_test.c",
        "src/cart_tests.c",
        "linenoise-test.c",
        "src/cart_unittest.cc",
        "src/cart.test.cpp",
        "src/cart_test.h",
        "CartTest.java",
        "shop/CartTests.kt",
        "Shop/CartTests.cs",
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
        "src/testings.rs",
        "src/utils.py",
        "src/ab_testing.py",
        "src/testing_grounds/a.py",
        "crates/shop-testkit/src/lib.rs",
        "docs/testing.md",
        "docs/testing",
        "fixtures/a.json",
        "src/protest.spec",
        "spec.md",
        "src/test.c",
        "coreutils/tests.c",
        "src/t/cart.c",
        "t/i18n.ts",
        "latest.c",
        "contest.cpp",
        "_test.c",
        "src/attest.h",
        "src/test_cart.h",
        "Latest.java",
        "Contest.cs",
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
