//! `trueup doctor`: does everything trueup needs work here?

use super::bundle::bundle;
use crate::{
    agent_probe,
    args::{Doctor, Global},
    config::user_line,
    exit::{Exit, Failure},
    foreground::{runtime, wait},
    project::Project,
    render,
};
use std::{io, process::Command};
use trueup_engine::{
    agent::{probe::AgentProbe, spec::AgentKind},
    durable::{Desk, Filter, Query, Repaired, is_desk_whole, repair_desk},
    layer::shares_blocks,
    sandbox::{Fix, LayMethod, Mode, Sandbox},
    workspace::git_program,
};

/// Up to how many runs are counted.
const COUNTED: usize = 1000;

/// What was looked at, and what came of it.
pub(crate) struct Examined {
    /// What.
    pub(crate) what: String,
    /// How it is; `Err` says what is wrong and what to do.
    pub(crate) state: Result<String, String>,
}

/// Looks at everything by using it; any fault is a non-zero exit.
pub(crate) fn doctor(project: &Project, doctor: &Doctor, global: &Global) -> Result<Exit, Failure> {
    if let (Some(nowhere), true) = (&project.nowhere, doctor.repair || doctor.bundle.is_some()) {
        return Err(Failure::new(Exit::Usage, &nowhere.why).next("trueup -C PATH/TO/REPOSITORY doctor"));
    }
    if doctor.repair {
        return repair(project, global);
    }
    let mut examined = vec![git()];
    if let Some(nowhere) = &project.nowhere {
        examined.extend(walls(project)?);
        examined.push(laying(project)?);
        examined.extend(agents_here(project)?);
        let left = "author, journal and trust are looked at inside one";
        examined.push(of("repository", Ok(format!("none: {}; {left}", nowhere.why))));
    } else {
        examined.push(author(project));
        examined.extend(walls(project)?);
        examined.extend([laying(project)?, journal(project)]);
        examined.extend(set_up(project)?);
    }
    if let Some(folder) = &doctor.bundle {
        return bundle(project, &examined, folder.as_deref(), global);
    }
    if global.json {
        render::doctor_json(&examined)?;
    } else {
        render::doctor_lines(&examined);
        if project.nowhere.is_some() {
            render::note("In a repository of yours, go on with:");
            render::next(&["trueup init"]);
        } else if !project.is_set_up() {
            render::note("To set this repository up:");
            render::next(&["trueup init"]);
        }
    }
    let well = examined.iter().all(|examined| examined.state.is_ok());
    Ok(if well { Exit::Verified } else { Exit::Unexpected })
}

/// Makes the journal whole again where it is damaged, and says what is missing.
fn repair(project: &Project, global: &Global) -> Result<Exit, Failure> {
    let repaired = repair_desk(&project.state)?;
    if global.json {
        let repaired = repaired.as_ref().map(|repaired| {
            serde_json::json!({
                "kept": repaired.kept,
                "runs": repaired.runs.iter().map(|(run, _)| run).collect::<Vec<_>>(),
                "cut": repaired.cut,
            })
        });
        render::json(&serde_json::json!({ "v": 1, "repaired": repaired }))?;
        return Ok(Exit::Verified);
    }
    let Some(Repaired { kept, runs, cut }) = repaired else {
        render::line("The journal is whole; there is nothing to repair.");
        return Ok(Exit::Verified);
    };
    render::line(&format!(
        "Repaired: {} with every event that is proved. The damaged journal is kept as {}.",
        render::count(runs.len(), "run"),
        kept.display()
    ));
    for run in &cut {
        let left = runs
            .iter()
            .find(|(found, _)| found == run)
            .map_or(0, |(_, events)| *events);
        let left = render::count(usize::try_from(left).unwrap_or(usize::MAX), "event");
        render::line(&format!("  {run}: {left} left; what came after is not known any more"));
    }
    render::next(&["trueup status", "trueup doctor"]);
    Ok(Exit::Verified)
}

fn of(what: impl Into<String>, state: Result<String, String>) -> Examined {
    Examined {
        what: what.into(),
        state,
    }
}

fn git() -> Examined {
    let version = match git_program() {
        Ok((program, _)) => Command::new(program).arg("version").output(),
        Err(error) => Err(io::Error::other(error.to_string())),
    };
    of(
        "git",
        match version {
            Ok(output) if output.status.success() => judged(String::from_utf8_lossy(&output.stdout).trim()),
            Ok(output) => Err(format!("`git version` ended with {}", output.status)),
            Err(error) => Err(error.to_string()),
        },
    )
}

/// The oldest git that everything was tried with: that of Debian 12.
const OLDEST_GIT: (u32, u32) = (2, 39);

/// Whether `git version 2.47.3` is new enough.
fn judged(said: &str) -> Result<String, String> {
    let mut numbers = said.split(' ').nth(2).unwrap_or_default().split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= OLDEST_GIT => Ok(said.to_owned()),
        (_, _) => Err(format!(
            "{said} is older than 2.39, the oldest that trueup is tried with; install a newer git"
        )),
    }
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

/// Every mode, tried by running a program in it. Only the chosen one has to work.
fn walls(project: &Project) -> Result<Vec<Examined>, Failure> {
    let chosen = project.config.mode;
    let others = Mode::ALL.into_iter().filter(|mode| *mode != chosen);
    let mut examined = Vec::new();
    for mode in [chosen].into_iter().chain(others) {
        let tried = match Sandbox::new(project.setup(mode)?) {
            Ok(sandbox) => runtime()?.block_on(sandbox.probe()),
            Err(error) => Err(error),
        };
        let works = format!("works: {}", promise(mode));
        examined.push(match (tried, mode == chosen) {
            (Ok(()), true) => of("sandbox", Ok(format!("{} {works}", mode.word()))),
            (Ok(()), false) => of(format!("mode {}", mode.word()), Ok(format!("{works}; not chosen"))),
            (Err(error), true) => of("sandbox", Err(told(&error, &project.fixes(&error)))),
            (Err(error), false) => of(
                format!("mode {}", mode.word()),
                Ok(format!("does not work: {error}; not chosen")),
            ),
        });
    }
    if examined.iter().any(|examined| examined.state.is_err()) {
        let choose = user_line(project.user_layer().as_deref(), "mode = \"none\"");
        examined.push(of(
            "other modes",
            Ok(format!("a mode is chosen by TRUEUP_SANDBOX, or for good by: {choose}")),
        ));
    }
    Ok(examined)
}

const fn promise(mode: Mode) -> &'static str {
    match mode {
        Mode::Bubblewrap => "a program was run inside it",
        Mode::Outer => "a program was run; only the container round trueup is a wall",
        Mode::None => "a program was run; there is no wall at all",
    }
}

/// What is in the way, and every way out, line by line.
fn told(error: &trueup_engine::sandbox::Error, fixes: &[Fix]) -> String {
    let mut text = error.to_string();
    for fix in fixes {
        text += &format!("\n    {}", fix.what);
        for line in &fix.lines {
            text += &format!("\n      {line}");
        }
    }
    text
}

/// How what is prepared is laid into rooms, found by laying something.
fn laying(project: &Project) -> Result<Examined, Failure> {
    let setup = project.setup(project.config.mode)?;
    let state = match Sandbox::new(setup) {
        Err(_) => "not looked at: there is no sandbox".to_owned(),
        Ok(sandbox) => match sandbox.way() {
            LayMethod::Veil => "through veils: one was laid and looked through".to_owned(),
            LayMethod::Copy => {
                let blocks = match shares_blocks(project.state.path()) {
                    Ok(()) => "which share their blocks with what they were made from",
                    Err(_) => "block by block",
                };
                let why = sandbox
                    .try_veil()
                    .err()
                    .unwrap_or_else(|| "the configuration says so".to_owned());
                format!("as copies, {blocks}; not through veils: {why}")
            }
        },
    };
    Ok(of("layers", Ok(state)))
}

fn journal(project: &Project) -> Examined {
    let runs = project
        .desk()
        .and_then(|desk| Ok(wait(desk.headlines(&Query::first(Filter::All, COUNTED)))??))
        .and_then(|page| match is_desk_whole(&project.state)? {
            true => Ok(page),
            false => Err(
                Failure::new(Exit::Unexpected, "events were changed after they were kept")
                    .next("trueup doctor --repair"),
            ),
        });
    of(
        "journal",
        runs.map(|page| {
            let more = if page.next.is_some() { "more than " } else { "" };
            let runs = render::count(page.runs.len(), "run");
            format!("{more}{runs} in {}", project.state.path().display())
        })
        .map_err(|failure| {
            let next = failure.next.iter().map(|next| format!("; type `{next}`"));
            format!("{}{}", failure.what, next.collect::<String>())
        }),
    )
}

/// What a person set up here. Before they did, nothing of it can be at fault.
fn set_up(project: &Project) -> Result<Vec<Examined>, Failure> {
    if project.is_set_up() {
        let mut examined = vec![trusted(project)];
        examined.extend(agents(project)?);
        return Ok(examined);
    }
    let mut examined = agents_here(project)?;
    let yet = "not set up yet: it has no trueup.toml, so there is nothing to trust";
    examined.push(of("repository", Ok(yet.into())));
    Ok(examined)
}

fn trusted(project: &Project) -> Examined {
    of(
        "trust",
        project
            .require_trust()
            .map(|()| "this repository's commands may run".into())
            .map_err(|_| "this repository's commands are not trusted yet; type `trueup trust`".into()),
    )
}

/// What is seen of every agent that is configured. None is called: that costs
/// something, and needs the network.
fn agents(project: &Project) -> Result<Vec<Examined>, Failure> {
    if project.config.agents.is_empty() {
        let state = Err("none is configured; add an [agent.NAME] table to trueup.toml".into());
        return Ok(vec![of("agents", state)]);
    }
    let configured = agent_probe::configured(project)?;
    Ok(configured.iter().map(|(agent, _)| agent_row(agent)).collect())
}

/// What is seen of the agents that this machine has, configured or not.
fn agents_here(project: &Project) -> Result<Vec<Examined>, Failure> {
    let found = agent_probe::all(project)?;
    if found.is_empty() {
        let none = "neither `claude` nor `codex` is on the PATH; any other program can be an agent, too";
        return Ok(vec![of("agents", Ok(none.to_owned()))]);
    }
    Ok(found.iter().map(|(agent, _)| agent_row(agent)).collect())
}

fn agent_row(agent: &AgentProbe) -> Examined {
    let words = render::look_words(agent);
    let name = &agent.name;
    let state = match (&agent.program, agent.kind) {
        (Err(_), _) => Err(words),
        (Ok(_), AgentKind::Command) => Ok(words),
        (Ok(_), AgentKind::ClaudeCode | AgentKind::Codex) => Ok(format!(
            "{words}; not called: `trueup agent test {name}` says whether it answers"
        )),
    };
    of(format!("agent {name}"), state)
}

#[cfg(test)]
mod tests {
    use super::judged;

    #[test]
    fn a_git_that_is_too_old_is_named_with_what_it_cannot_do() {
        assert!(judged("git version 2.39.5").is_ok() && judged("git version 3.0").is_ok());
        for old in ["git version 2.38.9", "git version 1.99", "something else"] {
            assert!(judged(old).is_err_and(|why| why.contains("newer git")), "{old}");
        }
    }
}
