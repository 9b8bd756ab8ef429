//! A household with a service, and a check that needs it.

use serde_json::Value;
use std::fs;
use trueup_testkit::household::Household;

pub(crate) const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// A web server that stays in the foreground.
pub(crate) const WEB: &str = "\
[services.web]
run = \"python3 -m http.server 8765 --bind 127.0.0.1\"
port = 8765

[checks.fetch]
run = \"python3 tests/fetch.py answer.txt\"
needs = [\"web\"]
";

/// Asks the server for a file, through no proxy, and is content with `42`.
const FETCH: &str = "\
import sys, urllib.request
open_ = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
try:
    said = open_(f'http://127.0.0.1:8765/{sys.argv[1]}').read().strip()
except urllib.error.HTTPError as error:
    sys.exit(f'the server answered {error.code}')
except OSError as error:
    print('nobody serves:', error)
    sys.exit(9)
sys.exit(0 if said == b'42' else 1)
";

/// A household whose repository configures `more`, and whose one task has
/// these lines of checks.
pub(crate) fn household(more: &str, lines: &[&str]) -> Household {
    let household = Household::new(TRUEUP, "echo 42 > answer.txt\n");
    household.file("tests/fetch.py", FETCH);
    household.file("README.md", "# served\n");
    configure(&household, more);
    let checks: String = lines.iter().map(|line| format!("  - {line}\n")).collect();
    household.task(
        "T-001",
        &format!(
            "---\nv: 1\nid: T-001\ntitle: Serve the answer\nbudget:\n  turns: 2\n---\n\nServe it.\n\n\
             ## Acceptance criteria\n\n- [ ] **AC-1** The answer is served.\n{checks}"
        ),
    );
    household.commit("Something to serve");
    household
}

/// Puts more behind the repository's configuration.
pub(crate) fn configure(household: &Household, more: &str) {
    let there = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    household.file("trueup.toml", &format!("{there}\n{more}"));
}

/// What the task's checks saw on the base, one after the other.
pub(crate) fn seen(household: &Household) -> Vec<Value> {
    let checked = household.json(&["check", "T-001", "--json"]);
    let evidence = checked["tasks"][0]["evidence"].as_array();
    let evidence = evidence.unwrap_or_else(|| panic!("{checked:#}"));
    evidence.iter().map(|seen| seen["saw"].clone()).collect()
}

/// Why the task's one check could not run.
pub(crate) fn why(household: &Household) -> String {
    let seen = seen(household);
    let why = seen[0]["cannot_run"]["why"].as_str();
    why.unwrap_or_else(|| panic!("it was executed: {seen:#?}")).to_owned()
}
