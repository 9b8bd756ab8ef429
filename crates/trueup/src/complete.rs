//! What a shell offers when somebody presses the key for it: commands and
//! flags from their definitions, tasks and runs from the repository.

use crate::{project::Project, runs, task::TaskFile};
use clap_complete::{
    CompleteEnv,
    engine::CompletionCandidate,
    env::{EnvCompleter, Shells},
};
use std::{ffi::OsStr, path::Path};
use trueup_inspect::rules::catalogue;

/// The variable by which a shell asks.
const ASKS: &str = "TRUEUP_COMPLETE";

/// How many runs are offered at most, the newest first.
const OFFERED: usize = 500;

/// Answers a shell that asks, and ends; otherwise does nothing.
pub(crate) fn answer(command: fn() -> clap::Command) {
    CompleteEnv::with_factory(command).var(ASKS).complete();
}

/// What makes a shell ask.
pub(crate) fn registration(shell: &str) -> std::io::Result<String> {
    let shells = Shells::builtins();
    let mut script = Vec::new();
    if let Some(completer) = shells.completer(shell) {
        let completer: &dyn EnvCompleter = completer;
        completer.write_registration(ASKS, "trueup", "trueup", "trueup", &mut script)?;
    }
    Ok(String::from_utf8_lossy(&script).into_owned())
}

/// The ids of rules that begin like this.
pub(crate) fn rules(typed: &OsStr) -> Vec<CompletionCandidate> {
    let begun = typed.to_string_lossy();
    let here = Project::find(Path::new(".")).ok().map(|project| project.config.rules);
    let ids = here
        .as_deref()
        .unwrap_or(catalogue())
        .rules()
        .map(|rule| rule.id.as_str());
    ids.filter(|id| id.starts_with(begun.as_ref()))
        .map(CompletionCandidate::new)
        .collect()
}

/// The ids of tasks that begin like this.
pub(crate) fn tasks(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, task_ids)
}

/// The ids of tasks, and of their runs.
pub(crate) fn tasks_and_runs(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, |project| {
        let mut names = task_ids(project);
        let runs = runs::newest(project, OFFERED).unwrap_or_default();
        names.extend(runs.iter().map(|run| run.run.to_string()));
        names
    })
}

/// The names of agents.
pub(crate) fn agents(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, |project| project.config.agents.keys().cloned().collect())
}

fn task_ids(project: &Project) -> Vec<String> {
    let files = TaskFile::all(project).unwrap_or_default();
    files.iter().map(TaskFile::id).collect()
}

/// Where there is no repository there is nothing to offer, and nobody to tell.
fn offered(typed: &OsStr, names: impl Fn(&Project) -> Vec<String>) -> Vec<CompletionCandidate> {
    let (Some(typed), Ok(project)) = (typed.to_str(), Project::find(Path::new("."))) else {
        return Vec::new();
    };
    let names = names(&project).into_iter();
    names
        .filter(|name| name.starts_with(typed))
        .map(CompletionCandidate::new)
        .collect()
}
