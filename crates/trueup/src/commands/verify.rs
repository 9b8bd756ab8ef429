//! `trueup verify`: run a task's checks, without any agent.

use super::{
    check::look,
    run::{Asked, base_of, refuse_unfit},
};
use crate::{
    args::{Global, Verify},
    exit::{Exit, Failure},
    project::Project,
    render, runs,
    task::TaskFile,
};
use trueup_core::{
    branch,
    criterion::Check,
    effect::{ReportDigest, Verify as Wish},
    gate,
    ground::Caches,
    id::TreeId,
    run::Run,
    task::Task,
};
use trueup_engine::opening::on_base;

/// Runs the checks on the delivered branch, HEAD, or what was named.
pub(crate) fn verify(project: &Project, verify: &Verify, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let file = TaskFile::find(project, &verify.task)?;
    let task = file.read(project)?.map_err(|unreadable| unreadable.failure())?;
    if let Some(refusal) = gate::lint(&task).first() {
        return Err(file.refused(refusal));
    }
    let workspaces = project.workspaces()?;
    let last = runs::last(project, task.id.as_str())?;
    let branch = last
        .as_ref()
        .map_or_else(|| branch::of_task(&task.id), |run| run.opening().branch.clone());
    let delivered = workspaces.branch(&branch)?;
    let revision = match (&verify.on, &delivered) {
        (Some(revision), _) => revision.clone(),
        (None, Some(_)) => branch,
        (None, None) => "HEAD".into(),
    };
    refuse_unfit(&workspaces.repository(&revision)?)?;
    let tree: TreeId = workspaces.base(&revision)?.tree;
    let base = base_tree(project, &task, last.as_ref())?;
    let task = on_base(&project.workspaces()?, task, &base);
    let caches = if verify.cold { Caches::Leave } else { Caches::Use };
    let wish = Wish {
        // What somebody approved of the run's work, they approved of its branch.
        approved: last.map(|run| run.approved().clone()).unwrap_or_default(),
        ..Wish::of(&task, &base, &tree, caches)
    };
    let before = on_the_base(project, &wish, global)?;
    let evidence = look(project, &Wish { before, ..wish }, global)?;
    let passed = !evidence.is_empty() && evidence.iter().all(|evidence| evidence.passed());
    if global.json {
        render::verify_json(&task, &revision, &tree, &evidence)?;
    } else {
        render::verify_lines(&task, &revision, &tree, &evidence);
    }
    Ok(if passed { Exit::Verified } else { Exit::NotVerified })
}

/// What checks report on the base that count only what is new since.
fn on_the_base(project: &Project, wish: &Wish, global: &Global) -> Result<Vec<ReportDigest>, Failure> {
    let mut on_base = Wish {
        tree: wish.base.clone(),
        ..wish.clone()
    };
    let compares =
        |check: &Check| check.is_of_run() || check.execution().is_some_and(|execution| !execution.ratchet.is_none());
    for criterion in &mut on_base.criteria {
        criterion.checks.retain(compares);
    }
    on_base.criteria.retain(|criterion| !criterion.checks.is_empty());
    if on_base.criteria.is_empty() || wish.tree == wish.base {
        return Ok(Vec::new());
    }
    Ok(ReportDigest::of(&look(project, &on_base, global)?))
}

/// The tree that a task's scope is measured from: the base of its last run,
/// else the one a run would start from now.
fn base_tree(project: &Project, task: &Task, last: Option<&Run>) -> Result<TreeId, Failure> {
    if let Some(run) = last {
        return Ok(run.opening().base.tree.clone());
    }
    let asked = Asked {
        project,
        task,
        with_changes: false,
    };
    Ok(base_of(&asked)?.tree)
}
