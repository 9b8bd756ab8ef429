//! What goes wrong most often, each with what to type.

use super::gallery::{Gallery, Look};
use std::fs;
use trueup_testkit::household::Household;

/// A task file with a fault of each common sort.
const FAULTY: &str = "\
---
v: 1
id: T-002
title: Say goodbye
size: hughe
---

## Acceptance criteria

- [ ] **AC-1** It says goodbye.
  - verfy: `sh tests/bye.sh`
- [ ] **AC-2** It still greets.
";

/// A task whose goal is green and whose guard is red.
const UPSIDE_DOWN: &str = "\
---
title: Greet as before
---

## Acceptance criteria

- It greets the world.
  - verify: `sh tests/world.sh`
- It greets by name.
  - guard: `sh tests/by_name.sh`
";

/// Wrong usage, names that nobody knows, and what is missing or not understood.
pub(super) fn screens(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    fs::create_dir_all(household.folder().join("elsewhere")).expect("a folder");
    let mut gallery = Gallery::new(&household, look);
    gallery.ends("wrong-command", "chekc T-001");
    gallery.ends("wrong-flag", "run T-001 --agnt codex");
    gallery.ends("missing-argument", "approve");
    gallery.ends("unknown-task", "check T-099");
    gallery.ends("unknown-task-near", "show T-01");
    gallery.ends("unknown-agent", "run T-001 --agent codex");
    gallery.ends("unknown-rule", "rules explain py/end-process");
    gallery.ends("unknown-key", "config set agent.defualt codex");
    gallery.ends("outside", "status -C ../elsewhere");
    gallery.ends("no-folder", "status -C ../nowhere");
    household.task("T-002", FAULTY);
    gallery.ends("faulty-check", "check T-002");
    gallery.ends("faulty-run", "run T-002");
    household.task("T-002", UPSIDE_DOWN);
    gallery.ends("upside-down-check", "check T-002");
    gallery.ends("upside-down-run", "run T-002");
    gallery.variables = vec!["TRUEUP_TRUST=0".into()];
    gallery.ends("untrusted", "check T-001");
    household.file("trueup.toml", "version = 1\n\n[checks.test]\nrum = \"make test\"\n");
    gallery.ends("wrong-configuration", "status");
    fs::remove_file(household.checkout().join("trueup.toml")).expect("the configuration");
    gallery.ends("no-configuration", "check T-001");
    gallery.wrong
}
