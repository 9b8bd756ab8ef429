//! The task a repository begins with, and the agent that comes with trueup and
//! knows it: a whole run without an account, in one's own repository.

use super::BaselineResult;
use crate::{
    exit::{Exit, Failure},
    render,
};
use std::fs;
use trueup_inspect::project::{Purpose, Survey};

/// Its id.
pub(super) const ID: &str = "T-001";

/// The file it asks for.
pub(super) const FILE: &str = "TRUEUP.md";

/// The task's file, with the tests that are green today as its guards.
pub(super) fn text(seen: &[BaselineResult], survey: &Survey) -> String {
    let is_green = |seen: &&BaselineResult| seen.evidence.passed();
    let is_test = |seen: &&BaselineResult| {
        let mut commands = survey.commands.iter();
        commands.any(|command| command.name == seen.name && command.purpose == Purpose::Test)
    };
    let mut guards: Vec<&str> = seen
        .iter()
        .filter(is_green)
        .filter(is_test)
        .map(BaselineResult::name)
        .collect();
    if guards.is_empty() {
        guards = seen.iter().filter(is_green).map(BaselineResult::name).collect();
    }
    let mut text = TASK.to_owned();
    if !guards.is_empty() {
        text.push_str("- [ ] **AC-3** What is green today stays green.\n");
        for name in guards {
            text.push_str(&format!("  - guard: {name}\n"));
        }
    }
    text
}

const TASK: &str = "\
---
v: 1
id: T-001
title: Tell colleagues how work is proved here
size: trivial
agent: demo
scope:
  touch: [TRUEUP.md]
---

`trueup init` wrote this task so that you can see a whole run in your own repository. The agent
`demo` comes with trueup, knows just this task and costs nothing. Type `trueup run T-001`, look at
the branch, and merge it or delete it. Then remove this file, and `[agent.demo]` from trueup.toml.

Write `TRUEUP.md`: half a page for a colleague who meets trueup in this repository for the first time.

## Acceptance criteria

- [ ] **AC-1** `TRUEUP.md` says how a task is checked before anybody works on it.
  - verify: file TRUEUP.md has /trueup check/
- [ ] **AC-2** It says where the evidence can be seen.
  - verify: file TRUEUP.md has /trueup show/
";

const PAGE: &str = "\
# How work is proved here

Tasks lie in `tasks/`, one Markdown file each, with acceptance criteria. Under each criterion stand
its checks: `verify` lines are red today and green in the end, `guard` lines stay green.

- `trueup new \"What shall be done\"` writes a task to be filled in.
- `trueup check TASK` runs its checks on the base: is every goal red, every guard green?
- `trueup run TASK` lets an agent work until every check passed in a clean room.
- `trueup show TASK` shows the evidence, criterion by criterion.

What is proved lies on the branch `trueup/TASK`. `trueup.toml` says who works and what is checked.
";

/// The agent that comes with trueup, at work on the first task.
pub(crate) fn agent() -> Result<Exit, Failure> {
    fs::write(FILE, PAGE)?;
    render::line("I wrote TRUEUP.md. Whether that is enough is for the checks to say.");
    Ok(Exit::Verified)
}
