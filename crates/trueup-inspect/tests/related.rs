//! Which files a failure leads to, and why.

use std::collections::BTreeMap;
use trueup_inspect::related::{Clues, RelatedFile, related};

/// What is named for a failure in a tree.
fn named(tree: &[(&str, &str)], printed: &str, changed: &[&str]) -> Vec<RelatedFile> {
    let texts: BTreeMap<&str, &str> = tree.iter().copied().collect();
    let paths: Vec<String> = texts.keys().map(|path| (*path).to_owned()).collect();
    let changed: Vec<String> = changed.iter().map(|path| (*path).to_owned()).collect();
    let clues = Clues {
        printed: [printed, ""],
        asked: "",
        paths: &paths,
        changed: &changed,
    };
    related(&clues, |path| texts.get(path).map(|text| (*text).to_owned()))
}

fn first(tree: &[(&str, &str)], printed: &str) -> Option<(String, String)> {
    let first = named(tree, printed, &[]).into_iter().next()?;
    Some((first.path, first.reason))
}

#[test]
fn a_file_that_an_output_names_comes_first_with_the_reason() {
    let tree = [("src/cart.py", "x = 1\n"), ("src/price.py", "y = 2\n")];
    let found = first(
        &tree,
        "File \"/srv/elsewhere/src/price.py\", line 3, in total\nTypeError: no\n",
    );
    let (path, reason) = found.unwrap_or_default();
    assert_eq!(path, "src/price.py");
    assert!(reason.starts_with("named in what failed"), "{reason}");
}

#[test]
fn a_test_leads_to_the_file_it_is_named_after_and_to_what_it_imports() {
    for (tree, printed, path) in [
        (
            [("shop/cart.py", ""), ("shop/other.py", ""), ("tests/test_cart.py", "")],
            "FAILED tests/test_cart.py::test_total",
            "shop/cart.py",
        ),
        (
            [
                ("src/cart.ts", ""),
                ("src/other.ts", ""),
                ("test/all.test.ts", "import { x } from '../src/cart'\n"),
            ],
            " FAIL  test/all.test.ts > adds",
            "src/cart.ts",
        ),
        (
            [("cart.go", ""), ("other.go", ""), ("cart_test.go", "package shop\n")],
            "    cart_test.go:7: got 1, want 2",
            "cart.go",
        ),
        (
            [
                ("src/cart.rs", ""),
                ("src/other.rs", ""),
                ("tests/all.rs", "use shop::cart::Cart;\n"),
            ],
            "thread 'adds' panicked at tests/all.rs:7:9:",
            "src/cart.rs",
        ),
    ] {
        assert_eq!(
            first(&tree, printed).map(|(path, _)| path).as_deref(),
            Some(path),
            "{printed}"
        );
    }
}

#[test]
fn a_word_of_the_failure_leads_to_the_file_that_defines_it() {
    let tree = [
        ("a.py", "x = 1\n"),
        ("b.py", "def grand_total(cart):\n    pass\n"),
        ("c.py", "z = 1\n"),
    ];
    let (path, reason) = first(&tree, "NameError: grand_total\n").unwrap_or_default();
    assert_eq!(path, "b.py");
    assert!(reason.contains("defines `grand_total`"), "{reason}");
}

#[test]
fn never_more_than_five_are_named_and_never_more_than_eighty_read() {
    let paths: Vec<String> = (0..500).map(|number| format!("src/part_{number}.py")).collect();
    let clues = Clues {
        printed: ["src/part_7.py:3: grand_total", "part_8.py part_9.py"],
        asked: "It totals.",
        paths: &paths,
        changed: &[],
    };
    let mut reads = 0;
    let mut read = |_: &str| {
        reads += 1;
        Some("def grand_total(): pass\n".repeat(9))
    };
    let found = related(&clues, &mut read);
    assert_eq!(found.len(), 5);
    assert!(reads <= 80, "{reads}");
    assert_eq!(found, related(&clues, |_| Some("def grand_total(): pass\n".repeat(9))));
}

#[test]
fn where_nothing_is_known_nothing_is_named() {
    assert_eq!(named(&[("src/cart.py", "x = 1\n"), ("README.md", "")], "", &[]), []);
}
