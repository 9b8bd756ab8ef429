//! No bytes make the rules panic, and nothing differs from itself.

use crate::{tree, words};
use proptest::{collection::vec, prelude::*, sample::select};
use trueup_inspect::rules::{catalogue, differences, kind, runner, suppressions, suspicions};

const PATHS: [&str; 24] = [
    "package.json",
    "pyproject.toml",
    "Cargo.toml",
    "setup.cfg",
    "go.mod",
    ".env",
    "tsconfig.json",
    "pytest.ini",
    "ruff.toml",
    ".github/workflows/ci.yml",
    "pom.xml",
    "build.gradle",
    "Makefile",
    "Cargo.lock",
    "tasks/a.md",
    "a.py",
    "a.ts",
    "a.rs",
    "a.go",
    "A.java",
    "a_test.go",
    "a.c",
    "a.cs",
    "é/ü.rs",
];

/// Pieces that mean something to one reader or another.
const PIECES: [&str; 39] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "r#\"",
    "#",
    "//",
    "/*",
    "*/",
    "\\",
    "\n",
    "\n\t",
    " ",
    "=",
    ":",
    ",",
    "é",
    "scripts",
    "test",
    "[tool.pytest]\n",
    "nan",
    "$(",
    "${A}",
    "A=$(A)",
    "#[cfg(test)]",
    "mod tests {",
    "if __name__ == '__main__':\n",
    "func TestMain(",
    "sys.exit(0)",
    "fn eq(&self, ",
    "def __eq__(self, ",
    "equals(",
    "|",
];

fn text() -> impl Strategy<Value = String> {
    vec(select(PIECES.as_slice()), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_differs_from_itself(path in select(PATHS.as_slice()), bytes in vec(any::<u8>(), 0..300), text in text()) {
        for same in [bytes.as_slice(), text.as_bytes()] {
            prop_assert_eq!(differences(catalogue(), path, Some(same), Some(same), "tasks"), []);
        }
        prop_assert_eq!(suspicions(catalogue(), path, Some(&text), &text), []);
        prop_assert_eq!(differences(catalogue(), path, None, None, "tasks"), []);
    }

    #[test]
    fn no_bytes_make_a_rule_panic(path in select(PATHS.as_slice()), any in "\\PC{0,20}", one in text(), two in text(), bytes in vec(any::<u8>(), 0..200)) {
        for path in [path, &any] {
            differences(catalogue(), path, Some(one.as_bytes()), Some(two.as_bytes()), &any);
            differences(catalogue(), path, Some(one.as_bytes()), Some(&bytes), "tasks");
            differences(catalogue(), path, None, Some(&bytes), "");
            suspicions(catalogue(), path, Some(&one), &two);
            suspicions(catalogue(), path, None, &String::from_utf8_lossy(&bytes));
            suppressions(catalogue(), path, &one);
        }
    }

    #[test]
    fn no_command_and_no_script_make_a_rule_panic(one in text(), two in text(), argv in vec(text(), 0..5)) {
        let scripts = serde_json::json!({"scripts": {"test": one}}).to_string();
        let files = [("package.json", scripts.as_str()), ("Makefile", one.as_str()), ("justfile", two.as_str()), ("tox.ini", one.as_str())];
        let tree = tree(&files);
        for line in ["npm test", "make", "make test", "just test", "tox"] {
            runner(&words(line), &tree);
        }
        runner(&argv, &tree);
        runner(&["sh".into(), "-c".into(), two.clone()], &tree);
        kind("x", None, &argv, &tree);
    }
}
