//! The task a repository begins with, and the agent that comes with trueup and
//! knows it: a whole run without an account, in one's own repository.

use super::{BaselineResult, Setup, files};
use crate::{
    exit::{Exit, Failure},
    project::Project,
    render,
    task::TaskFile,
};
use std::{fs, path::PathBuf};
use trueup_engine::write::write_durably;
use trueup_inspect::project::{Purpose, Survey};

/// Its id.
pub(super) const ID: &str = "T-001";

/// The agent that knows it.
const AGENT: &str = "demo";

/// The file it asks for.
pub(super) const FILE: &str = "TRUEUP.md";

/// Whether the agent that knows it is still in the configuration.
pub(super) fn is_wanted(project: &Project) -> bool {
    project.config.agents.contains_key(AGENT)
}

/// Writes the task, whole as it is: what may guard it is not known yet.
pub(super) fn write(project: &Project, setup: &mut Setup) -> Result<(), Failure> {
    let name = format!("{}/{ID}.md", project.config.tasks);
    setup.written.extend(files::write(project, &[(&name, TASK)])?);
    setup.first_task = Some(ID.into());
    Ok(())
}

/// The same where a first `init` may have come to an end before that: a task that
/// is there stays, and beside others none is written.
pub(super) fn write_missing(project: &Project, setup: &mut Setup) -> Result<(), Failure> {
    let tasks = TaskFile::all(project)?;
    if tasks.is_empty() {
        return write(project, setup);
    }
    setup.first_task = tasks.iter().any(|task| task.id() == ID).then(|| ID.to_owned());
    Ok(())
}

/// Gives the task its guards, unless a person has changed it since it was written.
/// Answers the checks that were left out of it because they last, with how long.
pub(super) fn guard(project: &Project, setup: &Setup) -> Result<Vec<(String, u64)>, Failure> {
    let path: PathBuf = project.tasks_folder().join(format!("{ID}.md"));
    let is_as_written = fs::read_to_string(&path).is_ok_and(|text| text == TASK);
    let green = green(setup.baseline.as_deref().unwrap_or_default(), &setup.survey);
    let guards = Guards::among(&green);
    let text = text(&guards);
    if !is_as_written || text == TASK {
        return Ok(Vec::new());
    }
    write_durably(&path, text.as_bytes())?;
    let slow = guards.slow.iter();
    Ok(slow.map(|one| (one.name.to_owned(), one.took_ms)).collect())
}

/// A guard that takes longer is left out of the task. A run executes one several
/// times, on whole and on sabotaged trees, and the first proof shall come soon.
const SOON_MS: u64 = 30_000;

/// A check that is green today.
struct Green<'a> {
    name: &'a str,
    is_test: bool,
    took_ms: u64,
}

/// What is green today, in the order it was tried.
fn green<'a>(seen: &'a [BaselineResult], survey: &Survey) -> Vec<Green<'a>> {
    let is_test = |name: &str| {
        let mut commands = survey.commands.iter();
        commands.any(|command| command.name == name && command.purpose == Purpose::Test)
    };
    let green = seen.iter().filter(|seen| seen.evidence.passed());
    let green = green.map(|seen| Green {
        name: &seen.name,
        is_test: is_test(&seen.name),
        took_ms: seen.evidence.took_ms,
    });
    green.collect()
}

/// The guards of the task.
struct Guards<'a> {
    taken: Vec<&'a Green<'a>>,
    /// What would be one if it were over sooner.
    slow: Vec<&'a Green<'a>>,
}

impl<'a> Guards<'a> {
    /// The tests among what is green, or else all of it.
    fn among(green: &'a [Green<'a>]) -> Self {
        let wanted = |one: &&Green<'_>| one.is_test || green.iter().all(|one| !one.is_test);
        let is_soon = |one: &&Green<'_>| one.took_ms <= SOON_MS;
        let (mut taken, slow): (Vec<_>, Vec<_>) = green.iter().filter(wanted).partition(is_soon);
        if taken.is_empty() {
            taken = green.iter().filter(is_soon).collect();
        }
        Self { taken, slow }
    }
}

/// The task's file, with its guards.
fn text(guards: &Guards<'_>) -> String {
    let mut text = TASK.to_owned();
    if !guards.slow.is_empty() {
        let names: Vec<String> = guards.slow.iter().map(|one| format!("`{}`", one.name)).collect();
        let lines: Vec<String> = guards
            .slow
            .iter()
            .map(|one| format!("`- guard: {}`", one.name))
            .collect();
        let why = format!(
            "Nothing here runs {}: that takes long, and the first proof shall come soon. A task of your own keeps it\n\
             green with {}.\n\n{CRITERIA}",
            names.join(" or "),
            lines.join(" and ")
        );
        text = text.replacen(CRITERIA, &why, 1);
    }
    if !guards.taken.is_empty() {
        text.push_str("- [ ] **AC-3** What is green today stays green.\n");
        for one in &guards.taken {
            text.push_str(&format!("  - guard: {}\n", one.name));
        }
    }
    text
}

/// Where the criteria of the task begin.
const CRITERIA: &str = "## Acceptance criteria\n";

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

#[cfg(test)]
mod tests {
    use super::{Green, Guards, SOON_MS, TASK, text};

    /// The task where these are green: a name, and by how much each lasts too long.
    fn written(green: &[(&'static str, i64)]) -> String {
        let green = green.iter().map(|(name, more)| Green {
            name,
            is_test: name.contains("test"),
            took_ms: SOON_MS.saturating_add_signed(*more),
        });
        text(&Guards::among(&green.collect::<Vec<_>>()))
    }

    #[test]
    fn a_check_that_lasts_is_no_guard_of_the_first_task_and_the_task_says_why() {
        let quick = written(&[("test", 0), ("lint", -9)]);
        assert!(
            quick.ends_with("stays green.\n  - guard: test\n") && quick.starts_with(TASK),
            "{quick}"
        );
        let slow = written(&[("test", 1)]);
        assert!(slow.contains("Nothing here runs `test`: that takes long"), "{slow}");
        assert!(
            slow.contains("green with `- guard: test`.\n\n## Acceptance criteria\n"),
            "{slow}"
        );
        assert!(!slow.contains("\n  - guard:") && !slow.contains("AC-3"), "{slow}");
        let other = written(&[("core-test", -9), ("web-test", 1), ("lint", -9)]);
        assert!(
            other.contains("runs `web-test`") && other.ends_with(".\n  - guard: core-test\n"),
            "{other}"
        );
        let lint = written(&[("test", 1), ("lint", -9), ("build", 1)]);
        assert!(
            lint.contains("runs `test`:") && lint.ends_with(".\n  - guard: lint\n"),
            "{lint}"
        );
        assert_eq!(written(&[]), TASK);
    }
}
