//! What was found, tried once: every check on the base, each in a clean room.

use super::{CONFIG, Setup};
use crate::{
    args::Global,
    commands::{check, printed},
    exit::Failure,
    project::Project,
    task::TaskFile,
};
use std::{fs, io::Write};
use trueup_core::{effect::Verify, evidence::Evidence, ground::Caches, id::CheckId, task::Task};

/// What one check saw.
pub(crate) struct BaselineResult {
    /// The check's name.
    pub(crate) name: String,
    /// What it saw.
    pub(crate) evidence: Evidence,
    /// The last lines of what it printed, where it did not pass.
    pub(crate) tail: Vec<String>,
    /// The line that tells most of why it did not pass.
    pub(crate) telling: Option<String>,
    /// The line of trueup.toml that is to be looked at then.
    pub(crate) line: Option<usize>,
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
    let blobs = project.blobs();
    let config = fs::read_to_string(project.checkout.join(CONFIG)).unwrap_or_default();
    let seen = evidence.into_iter().map(|evidence| {
        let name = evidence.check.to_string();
        let telling = (!evidence.passed()).then(|| printed::telling(&*blobs, &evidence));
        let telling = telling.flatten();
        BaselineResult {
            tail: printed::tail(project, &evidence, TAIL),
            line: line_of(&config, &name, telling.as_deref()),
            name,
            telling,
            evidence,
        }
    });
    Ok(seen.collect())
}

/// Where in the configuration it stands: the preparation that is to blame, or
/// else the check itself.
fn line_of(config: &str, name: &str, telling: Option<&str>) -> Option<usize> {
    let blamed = telling
        .filter(|telling| telling.starts_with("[prepare."))
        .and_then(|telling| telling.split_inclusive(']').next());
    let heading = blamed.map_or_else(|| format!("[checks.{name}]"), str::to_owned);
    let at = config
        .lines()
        .position(|line| line.trim_start().starts_with(&heading))?;
    Some(at + 1)
}

/// A task of nothing but guards, one for each check. It is read
/// as any other is, so that a check means here what it means there.
fn every_check(project: &Project, setup: &Setup) -> Result<Task, Failure> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(b"---\nv: 1\nid: baseline\ntitle: What holds today\n---\n\n## Acceptance criteria\n\n")?;
    for (at, (name, _)) in setup.checks.iter().enumerate() {
        writeln!(file, "- [ ] **AC-{}** It is green.\n  - guard: {name}", at + 1)?;
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
