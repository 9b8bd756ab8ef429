//! A small real project, a task of size 3 in it, and an agent that does one
//! thing in each phase.

use serde_json::Value;
use std::fs;
use trueup_testkit::{
    household::{Household, Output},
    saboteurs::{Project, Tools},
};

/// The goals of a Python project whose tests nobody has written yet.
pub(crate) const GOALS: &str = "\
- [ ] **AC-1** From 100 on, five in a hundred are taken off.
  - verify: test tests/test_discount.py::test_from_100
- [ ] **AC-2** What is left is rounded down.
  - verify: test tests/test_discount.py::test_rounded_down
- [ ] **AC-3** Nothing else changes.
  - guard: tests
";

/// Tests that fail for want of the work.
pub(crate) const TESTS: &str = "\
put tests/test_discount.py <<'END'
from shop.price import discount


def test_from_100():
    assert discount(100) == 95


def test_rounded_down():
    assert discount(199) == 189
END
";

/// What an agent does in each phase, as shell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agent<'a> {
    /// Where tests are written.
    pub(crate) tests: &'a str,
    /// Where the work is done; `honest` does it.
    pub(crate) work: &'a str,
    /// Where it is put better.
    pub(crate) polish: &'a str,
}

/// What every script finds.
const PRELUDE: &str = r#"
set -eu
put() { mkdir -p "$(dirname "$1")"; cat > "$1"; }
sub() { cp "$1" /tmp/before.$$; sed -i -E "$2" "$1"; ! cmp -s "$1" /tmp/before.$$; rm -f /tmp/before.$$; }
told() { grep -qF "$1" "$TRUEUP_PROMPT_FILE"; }
phase=$(sed -n 's/.*, in the phase `\([a-z]*\)`.*/\1/p' "$TRUEUP_PROMPT_FILE" | head -1)
echo "phase: $phase"
"#;

impl Agent<'_> {
    fn script(&self, project: &Project) -> String {
        let Self { tests, work, polish } = self;
        let honest = project.honest;
        format!(
            "{PRELUDE}\nhonest() {{\n{honest}\n}}\n\
             case $phase in\ntests)\n:\n{tests}\n;;\nimplement)\n:\n{work}\n;;\nrefactor)\n:\n{polish}\n;;\n*) exit 9 ;;\nesac\n"
        )
    }
}

/// The project with its task, committed.
pub(crate) fn household(project: &Project, criteria: &str, agent: Agent<'_>) -> Household {
    let tools = Tools::find();
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), &agent.script(project))
        .with_variable("HOME", &tools.home().display().to_string())
        .with_variable("PATH", &tools.path());
    let path = household.checkout().join("trueup.toml");
    let written = fs::read_to_string(path).expect("a configuration");
    let checks = project.checks.replace("TOOLS", &tools.folder().display().to_string());
    household.file("trueup.toml", &format!("{written}\n{checks}"));
    for (name, text) in project.files {
        household.file(name, text);
    }
    household.task(
        "T-001",
        &format!(
            "---\nv: 1\nid: T-001\ntitle: Take five in a hundred off from 100 on\nsize: 3\n---\n\n\
             Prices are whole cents.\n\n## Acceptance criteria\n\n{criteria}"
        ),
    );
    household.commit("A shop");
    household
}

/// What became of a run.
pub(crate) struct Told {
    pub(crate) run: Output,
    pub(crate) show: Value,
    pub(crate) events: Vec<Value>,
}

/// Carries the task out.
pub(crate) fn carried_out(household: &Household) -> Told {
    let run = household.trueup(&["run", "T-001"]);
    let (show, events) = (household.show("T-001"), household.events("T-001"));
    Told { run, show, events }
}

impl Told {
    /// Every turn that ended, in order.
    pub(crate) fn turns(&self) -> Vec<&Value> {
        let outcomes = self.events.iter().filter(|event| event["type"] == "turn_ended");
        outcomes.map(|event| &event["outcome"]).collect()
    }

    /// What the n-th turn, from 1, was told was put back.
    pub(crate) fn findings(&self, turn: usize) -> Vec<String> {
        let findings = self.turns()[turn - 1]["findings"].as_array().cloned();
        let findings = findings.unwrap_or_default();
        findings
            .iter()
            .map(|finding| finding["what"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    #[track_caller]
    pub(crate) fn assert_verified(&self) {
        let Self { run, show, events } = self;
        assert!(
            run.code == 0 && show["outcome"] == "verified",
            "{run:#?}\n{show:#}\n{events:#?}"
        );
    }
}

/// A file of a tree that the engine keeps.
pub(crate) fn kept(household: &Household, tree: &str, path: &str) -> String {
    let results = household.state().join("results.git");
    household.git(&[
        "--git-dir",
        &results.display().to_string(),
        "show",
        &format!("{tree}:{path}"),
    ])
}

/// A file of what was delivered.
pub(crate) fn delivered(household: &Household, path: &str) -> String {
    household.git(&["show", &format!("trueup/T-001:{path}")])
}
