//! Small real projects, an agent that is a script, and a task about them.

use serde_json::Value;
use std::{path::PathBuf, process::Command};
use trueup_testkit::household::{Household, Output};

/// The sum is missing; what is there is tested.
pub(crate) const PRICE: &str = "def double(price):\n    return 2 * price\n";

/// What is there, tested.
pub(crate) const TEST_DOUBLE: &str = "\
import unittest

import price


class Double(unittest.TestCase):
    def test_doubles(self):
        self.assertEqual(price.double(2), 4)

    def test_doubles_nothing(self):
        self.assertEqual(price.double(0), 0)
";

/// Does the work, and tests it.
pub(crate) const HONEST: &str = r"
cat >> price.py <<'END'


def total(prices):
    return sum(prices)
END
cat > tests/test_total.py <<'END'
import unittest

import price


class Total(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(price.total([1, 2]), 3)
END
";

/// Runs what the run writes.
pub(crate) const GOAL: &str = "python3 -m unittest tests.test_total";

/// Runs everything.
pub(crate) const GUARD: &str = "python3 -m unittest discover --start-directory tests --top-level-directory .";

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) household: Household,
    pub(crate) run: Output,
}

impl Ended {
    /// Whether what was done counts.
    pub(crate) fn is_verified(&self) -> bool {
        self.run.code == 0 && self.household.show("T-001")["outcome"] == "verified"
    }

    /// What checks did on sabotaged trees, in the last challenge.
    pub(crate) fn controls(&self) -> Vec<Value> {
        let events = self.household.events("T-001");
        let challenged = events.iter().rev().find(|event| event["type"] == "challenged");
        let controls = challenged.and_then(|event| event["controls"].as_array().cloned());
        controls.unwrap_or_default()
    }

    /// What a control of a check came to: `red`, `green`, `nothing`, …
    pub(crate) fn turned(&self, check: &str, sabotage: &str) -> Option<String> {
        let controls = self.controls();
        let mut of_check = controls.iter().filter(|control| control["check"] == check);
        let turned = &of_check.find(|control| control["sabotage"] == sabotage)?["turned"];
        match turned {
            Value::String(word) => Some(word.clone()),
            Value::Object(fields) => fields.keys().next().cloned(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        }
    }

    /// Everything that was objected to so far, by sort and by what it is about.
    pub(crate) fn objections(&self) -> Vec<(String, String)> {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut all: Vec<(String, String)> = Vec::new();
        for event in self.household.events("T-001") {
            for objection in event["objections"].as_array().into_iter().flatten() {
                let one = (word(&objection["about"]), word(&objection["path"]));
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        all
    }
}

/// A task of a goal and a guard, with this much more in its head.
pub(crate) fn task(goal: &str, guard: &str, turns: u32, more: &str) -> String {
    format!(
        "---\nv: 1\nid: T-001\ntitle: Add prices\nsize: small\nbudget: {{ turns: {turns} }}\n{more}---\n\n\
         ## Acceptance criteria\n\n- [ ] **AC-1** Prices are added.\n  - verify: {goal}\n\
         - [ ] **AC-2** The rest works.\n  - guard: {guard}\n"
    )
}

/// A project of Python's own runner in which this agent carries out this task.
pub(crate) fn python(task: &str, agent: &str) -> Ended {
    let household = prices(task, agent);
    let run = household.trueup(&["run", "T-001"]);
    Ended { household, run }
}

/// A project of Python's own runner, a task and an agent.
pub(crate) fn prices(task: &str, agent: &str) -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent);
    household.file("price.py", PRICE);
    household.file("Makefile", "all:\n\ttrue\n");
    household.file("tests/__init__.py", "");
    household.file("tests/test_double.py", TEST_DOUBLE);
    household.task("T-001", task);
    household.commit("Prices");
    household
}

/// A check as a line of a shell.
pub(crate) fn shell(line: &str) -> String {
    format!("`bash -c '{line}'`")
}

/// A check as a command.
pub(crate) fn command(line: &str) -> String {
    format!("`{line}`")
}

/// A crate whose tests are read one by one, as the check `unit`.
pub(crate) fn rust(task: &str, agent: &str) -> Ended {
    let household = crate_of_prices(task, agent);
    let run = household.trueup(&["run", "T-001"]);
    Ended { household, run }
}

/// The same crate, before anything is done.
pub(crate) fn crate_of_prices(task: &str, agent: &str) -> Household {
    let path = format!("{}/bin:/usr/local/bin:/usr/bin:/bin", toolchain().display());
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent).with_variable("PATH", &path);
    let configuration = std::fs::read_to_string(household.checkout().join("trueup.toml")).expect("configuration");
    let checks = format!(
        "{configuration}\n[checks.unit]\nrun = \"cargo test --offline\"\nparse = \"libtest\"\n\n[sandbox]\nread = [\"{}\"]\n",
        toolchain().display()
    );
    household.file("trueup.toml", &checks);
    household.file(
        "Cargo.toml",
        "[package]\nname = \"price\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    household.file(
        "Cargo.lock",
        "version = 3\n\n[[package]]\nname = \"price\"\nversion = \"0.1.0\"\n",
    );
    household.file(".gitignore", "target/\n");
    household.file("src/lib.rs", "pub fn double(price: u32) -> u32 {\n    2 * price\n}\n");
    household.file("tests/double.rs", RUST_TESTS);
    household.task("T-001", task);
    household.commit("Prices");
    household
}

/// What is there, tested.
pub(crate) const RUST_TESTS: &str = "\
#[test]
fn doubles() {
    assert_eq!(price::double(2), 4);
}

#[test]
fn doubles_nothing() {
    assert_eq!(price::double(0), 0);
}
";

/// Does the work, and tests it.
pub(crate) const RUST_HONEST: &str = r"
cat >> src/lib.rs <<'END'

pub fn total(prices: &[u32]) -> u32 {
    prices.iter().sum()
}
END
cat > tests/total.rs <<'END'
#[test]
fn adds() {
    assert_eq!(price::total(&[1, 2]), 3);
}
END
";

/// Writes this instead of the work, and tests it as if it were.
pub(crate) fn rust_instead(code: &str) -> String {
    let honest = "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n";
    assert!(RUST_HONEST.contains(honest), "{RUST_HONEST}");
    RUST_HONEST.replace(honest, code)
}

fn toolchain() -> PathBuf {
    let asked = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .expect("rustc");
    PathBuf::from(String::from_utf8(asked.stdout).expect("text").trim())
}
