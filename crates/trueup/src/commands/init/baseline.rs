//! What was found, tried once: every check on the base, each in a clean room.

use super::Setup;
use crate::{
    args::Global,
    commands::{check, printed},
    exit::Failure,
    project::Project,
    task::TaskFile,
};
use std::io::Write;
use trueup_core::{effect::Verify, evidence::Evidence, ground::Caches, id::CheckId, task::Task};

/// What one check saw.
pub(crate) struct BaselineResult {
    /// The check's name.
    pub(crate) name: String,
    /// What it saw.
    pub(crate) evidence: Evidence,
    /// The last lines of what it printed, where it did not pass.
    pub(crate) tail: Vec<String>,
}

impl BaselineResult {
    /// The check's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// How many of the last lines of a red check are shown.
const TAIL: usize = 6;

/// Runs every configured check on the base.
pub(super) fn look(project: &Project, setup: &Setup, global: &Global) -> Result<Vec<BaselineResult>, Failure> {
    if project.config.checks.is_empty() {
        return Ok(Vec::new());
    }
    project.require_trust()?;
    let task = every_check(project, setup)?;
    let wish = Verify::of(&task, &setup.base.tree, &setup.base.tree, Caches::Fill);
    let evidence = check::look(project, &wish, global)?;
    let seen = evidence.into_iter().map(|evidence| BaselineResult {
        name: evidence.check.to_string(),
        tail: printed::tail(project, &evidence, TAIL),
        evidence,
    });
    Ok(seen.collect())
}

/// A task of nothing but guards, one for each check that was found. It is read
/// as any other is, so that a check means here what it means there.
fn every_check(project: &Project, setup: &Setup) -> Result<Task, Failure> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(b"---\nv: 1\nid: baseline\ntitle: What holds today\n---\n\n## Acceptance criteria\n\n")?;
    for (at, command) in setup.survey.commands.iter().enumerate() {
        writeln!(
            file,
            "- [ ] **AC-{}** It is green.\n  - guard: {}",
            at + 1,
            command.name
        )?;
    }
    let read = TaskFile {
        path: file.path().to_owned(),
        name: "the checks of trueup.toml".into(),
    };
    let mut task = read.read(project)?.map_err(|unreadable| unreadable.failure())?;
    for check in task.criteria.iter_mut().flat_map(|criterion| &mut criterion.checks) {
        check.id = CheckId::new(check.source.clone());
    }
    Ok(task)
}
