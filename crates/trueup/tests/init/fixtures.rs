//! Eight small projects. Each greets by name and has a test of it; none has a
//! lock file that names a registry, so those are made when they are laid.

use std::{env, path::PathBuf, process::Command};
use trueup_testkit::{
    household::{Household, output},
    newcomer::newcomer,
};

/// A project to be set up.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// What makes its lock files.
    pub(crate) locks: &'static [&'static str],
    /// The tests that must be found and green.
    pub(crate) tests: &'static [&'static str],
}

const GREET_RS: &str = "\
pub fn greet(name: &str) -> String {
    format!(\"Hello, {name}\")
}

#[cfg(test)]
mod tests {
    #[test]
    fn greets() {
        assert_eq!(super::greet(\"Ada\"), \"Hello, Ada\");
    }
}
";
const CARGO: &str = "[package]\nname = \"greet\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const PACKAGE: &str = "\
{
  \"name\": \"greet\",
  \"version\": \"1.0.0\",
  \"private\": true,
  \"scripts\": { \"test\": \"node --test\" },
  \"dependencies\": { \"words\": \"file:./words\" }
}
";
const WORDS: &str = "{ \"name\": \"words\", \"version\": \"1.0.0\", \"main\": \"index.js\" }\n";
const WORDS_JS: &str = "exports.greet = (name) => `Hello, ${name}`;\n";
const GREET_JS: &str = "\
const test = require(\"node:test\");
const assert = require(\"node:assert\");
const { greet } = require(\"words\");

test(\"greets\", () => assert.equal(greet(\"Ada\"), \"Hello, Ada\"));
";
const GREET_PY: &str = "def greet(name):\n    return f\"Hello, {name}\"\n";
const TEST_PY: &str = "from greet import greet\n\n\ndef test_greets():\n    assert greet(\"Ada\") == \"Hello, Ada\"\n";
const PYPROJECT: &str = "\
[project]
name = \"greet\"
version = \"0.1.0\"
requires-python = \">=3.9\"

[dependency-groups]
dev = [\"pytest==8.4.2\"]

[tool.pytest.ini_options]
pythonpath = [\".\"]
";
const GREET_GO: &str = "package greet\n\nfunc Greet(name string) string {\n\treturn \"Hello, \" + name\n}\n";
const TEST_GO: &str = "\
package greet

import \"testing\"

func TestGreet(t *testing.T) {
\tif Greet(\"Ada\") != \"Hello, Ada\" {
\t\tt.Fatal(\"it does not greet\")
\t}
}
";

pub(crate) const RUST: Sample = Sample {
    name: "rust",
    files: &[
        ("Cargo.toml", CARGO),
        ("src/lib.rs", GREET_RS),
        (".gitignore", "target\n"),
    ],
    locks: &["cargo generate-lockfile --offline --quiet"],
    tests: &["test"],
};

pub(crate) const NPM: Sample = Sample {
    name: "npm",
    files: &[
        ("package.json", PACKAGE),
        ("words/package.json", WORDS),
        ("words/index.js", WORDS_JS),
        ("greet.test.js", GREET_JS),
        (".gitignore", "node_modules\n"),
    ],
    locks: &["npm install --silent --package-lock-only --offline"],
    tests: &["test"],
};

pub(crate) const PNPM: Sample = Sample {
    name: "pnpm",
    files: NPM.files,
    locks: &["pnpm install --lockfile-only --offline"],
    tests: &["test"],
};

pub(crate) const UV: Sample = Sample {
    name: "uv",
    files: &[
        ("pyproject.toml", PYPROJECT),
        ("greet.py", GREET_PY),
        ("test_greet.py", TEST_PY),
        (".gitignore", ".venv\n__pycache__\n"),
    ],
    locks: &["uv lock --quiet"],
    tests: &["test"],
};

pub(crate) const PIP: Sample = Sample {
    name: "pip",
    files: &[
        ("requirements.txt", "pytest==8.4.2\n"),
        ("greet.py", GREET_PY),
        ("test_greet.py", TEST_PY),
        (".gitignore", ".venv\n__pycache__\n"),
    ],
    locks: &[],
    tests: &["test"],
};

pub(crate) const GO: Sample = Sample {
    name: "go",
    files: &[
        ("go.mod", "module example.com/greet\n\ngo 1.19\n"),
        ("greet.go", GREET_GO),
        ("greet_test.go", TEST_GO),
    ],
    locks: &[],
    tests: &["test"],
};

pub(crate) const MAKE: Sample = Sample {
    name: "make",
    files: &[
        (
            "Makefile",
            ".PHONY: test lint\n\ntest:\n\tsh tests/all.sh\n\nlint:\n\tsh -n greet.sh\n",
        ),
        ("greet.sh", "echo \"Hello, $1\"\n"),
        ("tests/all.sh", "test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n"),
    ],
    locks: &[],
    tests: &["test"],
};

pub(crate) const MIXED: Sample = Sample {
    name: "mixed",
    files: &[
        ("Makefile", "lint:\n\tsh -n tools/greet.sh\n"),
        ("tools/greet.sh", "echo \"Hello, $1\"\n"),
        ("core/Cargo.toml", CARGO),
        ("core/src/lib.rs", GREET_RS),
        ("web/package.json", PACKAGE),
        ("web/words/package.json", WORDS),
        ("web/words/index.js", WORDS_JS),
        ("web/greet.test.js", GREET_JS),
        ("server/go.mod", "module example.com/greet\n\ngo 1.19\n"),
        ("server/greet.go", GREET_GO),
        ("server/greet_test.go", TEST_GO),
        (".gitignore", "target\nnode_modules\n"),
    ],
    locks: &[
        "cargo generate-lockfile --offline --quiet --manifest-path core/Cargo.toml",
        "npm --prefix web install --silent --package-lock-only --offline",
    ],
    tests: &["core-test", "server-test", "web-test"],
};

impl Sample {
    /// The project in a repository of its own, committed, with the real home
    /// round it: that is where real tools are installed.
    pub(crate) fn lay(&self) -> Household {
        let household = bare();
        for (name, text) in self.files {
            household.file(name, text);
        }
        for lock in self.locks {
            let mut words = lock.split(' ');
            let mut command = Command::new(tool(words.next().expect("a program")));
            household.furnish(&mut command);
            let ended = output(command.args(words));
            assert_eq!(ended.code, 0, "{lock}: {ended:#?}");
        }
        household.commit("A greeting");
        household
    }
}

/// An empty repository, as somebody has it who never heard of trueup.
pub(crate) fn bare() -> Household {
    newcomer(env!("CARGO_BIN_EXE_trueup"), &path())
}

/// The path, with the folder into which `.ci/run` puts tools that sandboxes
/// must be able to see.
fn path() -> String {
    let home = env::var("HOME").expect("a home");
    let path = env::var("PATH").expect("a PATH");
    format!("{home}/.local/lib/trueup-ci/bin:{path}")
}

/// Where a tool lies. One that is missing is a failure: what was not tried is
/// not proved.
fn tool(name: &str) -> PathBuf {
    let path = path();
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
        .unwrap_or_else(|| panic!("`{name}` is not installed; `.ci/run` would install it, see CONTRIBUTING.md"))
}
