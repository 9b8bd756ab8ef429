//! `trueup init` where trueup.toml is there already: what is missing beside it
//! is written, and its checks are tried again. Nobody has to remember how far
//! the first time came.

use super::{Setup, baseline, files::write, first_task, repository, told};
use crate::{
    args::Global,
    commands::trust,
    exit::{Exit, Failure},
    project::Project,
    render,
};
use std::time::Instant;

/// Says what was missing, and how the checks stand today.
pub(super) fn again(project: &Project, begun: Instant, global: &Global) -> Result<Exit, Failure> {
    let written = write(project, &[])?;
    let mut found = repository::look(project)?;
    // A person has had their say about them.
    found.survey.doubts.clear();
    let base = project.workspaces()?.base(&project.config.base)?;
    let mut setup = Setup {
        checks: checks(project, &found),
        written,
        ..Setup::of(found.survey, base)
    };
    if first_task::is_wanted(project) && !found.has_first_proof {
        first_task::write_missing(project, &mut setup)?;
    }
    if !global.json {
        render::was_there(&setup);
    }
    setup.trusted = project.require_trust().is_ok() || allowed(project, &setup, global)?;
    setup.baseline = match setup.trusted || setup.checks.is_empty() {
        true => baseline::look(project, &setup, global),
        false => Err(project.untrusted().next("trueup init")),
    };
    told(project, setup, begun, global)
}

/// The checks of the configuration, those first that a person knows from the
/// first time.
fn checks(project: &Project, found: &repository::Repository) -> Vec<(String, Vec<String>)> {
    let configured = &project.config.checks;
    let known = found.survey.commands.iter().map(|command| &command.name);
    let mut names: Vec<&String> = known.filter(|name| configured.contains_key(*name)).collect();
    let others: Vec<&String> = configured.keys().filter(|name| !names.contains(name)).collect();
    names.extend(others);
    let called = names
        .into_iter()
        .filter_map(|name| Some((name.clone(), configured.get(name)?.argv.clone())));
    called.collect()
}

/// Whether a person who is here allows what stands in the configuration now.
fn allowed(project: &Project, setup: &Setup, global: &Global) -> Result<bool, Failure> {
    if global.json || setup.checks.is_empty() {
        return Ok(false);
    }
    render::would_run("", trust::inside(project), &trust::commands(project));
    let says_yes = trust::agrees("Allow this, and try the checks now?")?;
    if says_yes {
        project.trust()?;
    }
    Ok(says_yes)
}
