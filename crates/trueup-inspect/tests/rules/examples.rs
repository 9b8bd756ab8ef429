//! Examples in documentation that are run as tests.

use super::words;
use trueup_inspect::rules::{CalledPrograms, Words, catalogue, suspicions};

const PYTHON: &str = "def total(items):\n    return sum(items)\n\n\ndef discount(amount):\n    \"\"\"What is to be paid.\n\n    >>> discount(99)\n    99\n    >>> discount(100)\n    95\n    \"\"\"\n    return amount\n";

const RUST: &str = "//! Prices.\n//!\n//! ```\n//! assert_eq!(shop::one(), 1);\n//! ```\n\n/// What is to be paid.\n///\n/// ```\n/// # use shop::discount;\n/// assert_eq!(discount(100), 95);\n/// ```\n#[must_use]\npub fn discount(amount: u32) -> u32 {\n    amount\n}\n\n/// Half.\npub fn half(amount: u32) -> u32 {\n    amount / 2\n}\n";

fn is_told(rule: &str, path: &str, before: &str, after: &str) {
    assert_ne!(before, after, "{rule} changes nothing");
    let found = suspicions(catalogue(), path, Some(before), after);
    assert!(
        found
            .iter()
            .any(|one| one.breaks[0].what.contains("an example that is run as a test")),
        "{rule}: {found:?}"
    );
}

#[test]
fn an_example_that_is_no_longer_what_it_was_is_told() {
    let changes: [(&str, &str, &str); 7] = [
        (
            "asks for less",
            ">>> discount(100)\n    95",
            ">>> discount(100) <= 100\n    True",
        ),
        ("promises less", "    95\n", "    100\n"),
        (
            "asks for less precision",
            ">>> discount(100)\n",
            ">>> discount(100) # doctest: +ELLIPSIS\n",
        ),
        ("is skipped", "discount(100)", "discount(100)  # doctest: +SKIP"),
        ("is gone", "    >>> discount(100)\n    95\n", ""),
        ("is no longer run", ">>> discount(100)", "> discount(100)"),
        (
            "means something else",
            ">>> discount(99)",
            ">>> discount = int\n    >>> discount(99)",
        ),
    ];
    for (rule, from, to) in changes {
        is_told(rule, "shop/price.py", PYTHON, &PYTHON.replace(from, to));
    }
    let changes = [
        ("promises less", "discount(100), 95", "discount(100), 100"),
        (
            "asks for nothing",
            "/// assert_eq!(discount",
            "/// // assert_eq!(discount",
        ),
        ("is gone", "/// assert_eq!(discount(100), 95);\n", ""),
        ("is no longer run", "/// ```\n/// # use", "/// ```text\n/// # use"),
        ("panics", "/// ```\n/// # use", "/// ```should_panic\n/// # use"),
        ("is never reached", "/// # use", "/// if false {\n/// # use"),
        (
            "has a function of its own",
            "/// # use shop::discount;",
            "/// # use shop::discount;\n/// fn discount(_: u32) -> u32 { 95 }",
        ),
        ("of a whole file promises less", "one(), 1", "one(), one()"),
    ];
    for (rule, from, to) in changes {
        is_told(rule, "src/price.rs", RUST, &RUST.replace(from, to));
    }
    let page = "# Shop\n\n```python\n>>> discount(100)\n95\n```\n";
    is_told("a page promises less", "docs/shop.md", page, &page.replace("95", "100"));
}

#[test]
fn an_example_that_is_new_or_moved_raises_nothing() {
    let (start, doc) = PYTHON.split_at(PYTHON.find("def discount").unwrap_or_default());
    let honest = [
        PYTHON.replace("    95\n", "    95\n    >>> discount(200)\n    190\n"),
        PYTHON.replace(
            "    >>> discount(99)",
            "    >>> discount(1)\n    1\n\n    In between.\n\n    >>> discount(99)",
        ),
        PYTHON.replace("What is to be paid.", "What is due.\n\n    Rounded down."),
        PYTHON.replace("return amount", "return amount * 95 // 100"),
        PYTHON.replace("    >>> discount(99)", "    >>> cart = [1]\n    >>> discount(99)"),
        format!("{doc}\n\n{start}"),
        // What it documents went elsewhere, and it went along.
        start.to_owned(),
    ];
    for after in honest {
        assert_eq!(
            suspicions(catalogue(), "shop/price.py", Some(PYTHON), &after),
            [],
            "{after}"
        );
    }
    let (start, half) = RUST.split_at(RUST.find("/// What is").unwrap_or_default());
    let honest = [
        RUST.replace("/// # use", "/// # // said\n/// # use"),
        RUST.replace(
            "/// assert_eq!(discount",
            "/// assert_eq!(discount(99), 99);\n/// assert_eq!(discount",
        ),
        RUST.replace("/// # use", "/// use"),
        RUST.replace("//! Prices.", "//! Prices.\n//!\n//! Rounded down."),
        RUST.replace(
            "/// Half.",
            "/// Half.\n///\n/// ```\n/// fn main() { assert_eq!(shop::half(4), 2); }\n/// ```",
        ),
        format!("{start}/// Third.\npub fn third() {{}}\n\n{half}"),
        format!("{start}pub fn half() {{}}\n"),
    ];
    for after in honest {
        assert_eq!(
            suspicions(catalogue(), "src/price.rs", Some(RUST), &after),
            [],
            "{after}"
        );
    }
    let framed = "/// ```\n/// fn main() {\n/// assert_eq!(shop::f(), 1);\n/// }\n/// ```\npub fn f() {}\n";
    let bare = framed.replace("/// fn main() {\n", "").replace("/// }\n", "");
    let twice = format!("{framed}\n{}", framed.replace("pub fn f", "pub fn g"));
    for after in [bare, twice] {
        assert_eq!(suspicions(catalogue(), "src/f.rs", Some(framed), &after), [], "{after}");
    }
    let text = "/// ```text\n/// a -> b\n/// ```\nfn f() {}\n";
    assert_eq!(
        suspicions(catalogue(), "src/a.rs", Some(text), &text.replace("-> b", "-> c")),
        []
    );
}

#[test]
fn an_example_of_python_counts_where_something_runs_it_and_one_of_rust_always() {
    let counts = |path: &str, before: &str, after: &str, check: &str, code: &[(&str, &str)]| {
        let readers = suspicions(catalogue(), path, Some(before), after)
            .pop()
            .and_then(|one| one.readers);
        let called = CalledPrograms::by(&[words(check)], &|_| None);
        called.may_be(readers) || Words::of(code.iter().copied()).name(readers)
    };
    let changed = PYTHON.replace("    95\n", "    100\n");
    let python = |check: &str, code: &[(&str, &str)]| counts("shop/price.py", PYTHON, &changed, check, code);
    assert!(!python("pytest -q", &[]));
    for check in [
        "pytest --doctest-modules",
        "python -m doctest shop/price.py",
        "make test",
    ] {
        assert!(python(check, &[]), "{check}");
    }
    for file in [
        ("pytest.ini", "[pytest]\naddopts = --doctest-modules\n"),
        ("tests/test_docs.py", "import doctest\n"),
        ("conftest.py", "from sybil import Sybil\n"),
    ] {
        assert!(python("pytest -q", &[file]), "{file:?}");
    }
    let changed = RUST.replace("discount(100), 95", "discount(100), 100");
    assert!(counts("src/price.rs", RUST, &changed, "cargo test", &[]));
}
