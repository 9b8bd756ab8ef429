//! Which files are tests, by where they lie and what they are called.

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

/// Whether a file is a test or belongs to tests: it lies in a folder of
/// tests, or is called as tests are.
pub fn is_test_path(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let Some(name) = parts.pop() else {
        return false;
    };
    parts.iter().any(|folder| FOLDERS.contains(folder)) || is_test_name(name)
}

fn is_test_name(name: &str) -> bool {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    match ending {
        "py" => stem == "conftest" || stem.starts_with("test_") || stem.ends_with("_test"),
        "go" => stem.ends_with("_test"),
        "rs" => stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests"),
        "snap" => true,
        // `cart.test.ts`, `cart.spec.js`, `cart.test-d.ts`.
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => stem
            .rsplit_once('.')
            .is_some_and(|(before, mark)| !before.is_empty() && matches!(mark, "test" | "spec" | "test-d")),
        _ => false,
    }
}
