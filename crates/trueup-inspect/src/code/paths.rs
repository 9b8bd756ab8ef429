//! Which files are tests, by where they lie and what they are called.

use super::Language;

/// Folders that hold tests and what belongs to them.
const FOLDERS: [&str; 8] = [
    "tests",
    "test",
    "__tests__",
    "spec",
    "__snapshots__",
    "__mocks__",
    "snapshots",
    "testdata",
];

/// What is called so, a folder or a file, is there for tests to call: what it
/// answers is part of what they say, wherever it lies.
const SUPPORT: [&str; 11] = [
    "testing",
    "testutil",
    "testutils",
    "testkit",
    "testhelper",
    "testhelpers",
    "testsupport",
    "testlib",
    "testfixtures",
    "testdoubles",
    "testcommon",
];

/// Whether a file is a test or belongs to tests: it lies in a folder of
/// tests, is called as tests are, or supports them.
pub fn is_test_path(path: &str) -> bool {
    let (folders, name) = split(path);
    let is_native = || is_native_test(&folders, name);
    folders.iter().any(|folder| FOLDERS.contains(folder)) || is_test_name(name) || supports_tests(path) || is_native()
}

/// Whether a file supports tests by its name or that of a folder, and lies
/// beside code that users get: `shop/testing.py`, `pkg/testutil/carts.go`.
pub fn is_support_beside_code(path: &str) -> bool {
    let (folders, name) = split(path);
    let is_test = folders.iter().any(|folder| FOLDERS.contains(folder)) || is_test_name(name);
    !is_test && supports_tests(path)
}

fn supports_tests(path: &str) -> bool {
    let (folders, name) = split(path);
    folders.iter().any(|folder| is_support(folder)) || Language::of(path).is_some() && is_support(stem(name))
}

/// The folders of a path, and its name.
fn split(path: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let name = parts.pop().unwrap_or_default();
    (parts, name)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether a name says that tests are supported: `testing`, `test_utils`,
/// `test-helpers`, `testUtil`.
fn is_support(name: &str) -> bool {
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-' | '.'));
    let plain: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    SUPPORT.contains(&plain.as_str())
}

fn is_test_name(name: &str) -> bool {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    match ending {
        "py" => stem == "conftest" || stem.starts_with("test_") || stem.ends_with("_test"),
        "go" => stem.ends_with("_test"),
        "rs" => stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests"),
        "java" | "kt" | "cs" => stem.ends_with("Test") || stem.ends_with("Tests"),
        "h" => stem.ends_with("_test"),
        "c" | "cc" | "cpp" | "cxx" => is_native_test_stem(stem),
        "snap" => true,
        // `cart.test.ts`, `cart.spec.js`, `cart.test-d.ts`.
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => stem
            .rsplit_once('.')
            .is_some_and(|(before, mark)| !before.is_empty() && matches!(mark, "test" | "spec" | "test-d")),
        _ => false,
    }
}

/// Whether a file of C or C++ is called as tests are. Their projects have many
/// customs: `test_cart.c`, `cart-test.cc`, `cart_tests.c`, `cart.test.cpp`.
fn is_native_test_stem(stem: &str) -> bool {
    let words = ["test", "tests", "unittest", "unittests"];
    let ends = |mark: char| {
        stem.rsplit_once(mark)
            .is_some_and(|(before, word)| !before.is_empty() && words.contains(&word))
    };
    stem.starts_with("test_") || stem.starts_with("test-") || ['_', '-', '.'].into_iter().any(ends)
}

/// Whether a file of C or C++ is a test by where it lies: all of `t/`, and the
/// one file of tests that small projects have beside their code. Further in,
/// `test.c` can be a command of that name.
fn is_native_test(folders: &[&str], name: &str) -> bool {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_source = matches!(ending, "c" | "cc" | "cpp" | "cxx");
    match folders {
        [] => is_source && matches!(stem, "test" | "tests" | "unittest" | "unittests"),
        [first, ..] => *first == "t" && (is_source || matches!(ending, "h" | "hpp")),
    }
}
