//! `trueup doctor`: does everything trueup needs work here?

use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    render,
    session::{program, runtime},
};
use std::process::Command;
use trueup_engine::durable::Desk;

/// What was looked at, and what came of it.
pub(crate) struct Examined {
    /// What.
    pub(crate) what: String,
    /// How it is; `Err` says what is wrong and what to do.
    pub(crate) state: Result<String, String>,
}

/// Looks at everything by using it; any fault is a non-zero exit.
pub(crate) fn doctor(project: &Project, global: &Global) -> Result<Exit, Failure> {
    let mut examined = vec![
        git(),
        author(project),
        sandbox(project)?,
        journal(project),
        trusted(project),
    ];
    examined.extend(agents(project));
    if global.json {
        render::doctor_json(&examined)?;
    } else {
        render::doctor_lines(&examined);
    }
    let well = examined.iter().all(|examined| examined.state.is_ok());
    Ok(if well { Exit::Verified } else { Exit::Unexpected })
}

fn of(what: impl Into<String>, state: Result<String, String>) -> Examined {
    Examined {
        what: what.into(),
        state,
    }
}

fn git() -> Examined {
    let version = Command::new("git").arg("version").output();
    of(
        "git",
        match version {
            Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            Ok(output) => Err(format!("`git version` ended with {}", output.status)),
            Err(error) => Err(format!("{error}; install git 2.45 or newer")),
        },
    )
}

fn author(project: &Project) -> Examined {
    let author = project.workspaces().and_then(|workspaces| Ok(workspaces.author()?));
    of(
        "author",
        author
            .map(|author| format!("{} <{}>", author.name, author.email))
            .map_err(|failure| failure.what),
    )
}

fn sandbox(project: &Project) -> Result<Examined, Failure> {
    let state = match project.sandbox() {
        Ok(sandbox) => runtime()?.block_on(sandbox.probe()).map_err(|error| error.to_string()),
        Err(failure) => Err(failure.what),
    };
    Ok(of(
        "sandbox",
        state.map(|()| "bubblewrap works: a program was run inside it".into()),
    ))
}

fn journal(project: &Project) -> Examined {
    let runs = project.desk().and_then(|desk| Ok(desk.runs()?));
    of(
        "journal",
        runs.map(|runs| {
            let runs = render::count(runs.len(), "run");
            format!("{runs} in {}", project.state.path().display())
        })
        .map_err(|failure| failure.what),
    )
}

fn trusted(project: &Project) -> Examined {
    of(
        "trust",
        project
            .require_trust()
            .map(|()| "this repository's commands may run".into())
            .map_err(|_| "this repository's commands may not run yet; type `trueup trust`".into()),
    )
}

fn agents(project: &Project) -> Vec<Examined> {
    if project.config.agents.is_empty() {
        let state = Err("none is configured; add an [agent.NAME] table to trueup.toml".into());
        return vec![of("agents", state)];
    }
    let look = |(name, agent): (&String, &crate::config::AgentConfig)| {
        let path = agent
            .command
            .first()
            .map(|word| program(project, word))
            .unwrap_or_default();
        let state = match path.canonicalize() {
            Ok(path) => Ok(path.display().to_string()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        };
        of(format!("agent {name}"), state)
    };
    project.config.agents.iter().map(look).collect()
}
