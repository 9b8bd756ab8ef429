//! What became of an agent's configuration since a run was opened.
//!
//! A run goes on with the agent it was opened with, on whatever machine. A
//! person who mended the configuration, or wants another agent, has that taken
//! in by a kept event.

use crate::{
    difference::{Difference, note},
    event::{Agent, AgentChanged},
    gate::Refusal,
    id::Timestamp,
    reach::Site,
    run::{Position, Reason, Run},
    settings::{AgentSettings, Folder},
};
use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};

/// Who wants the agent as it is configured now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentChoice {
    /// A person named it.
    ByName,
    /// Nobody asked: the run is taken up, and this is what is configured.
    NotAsked,
}

/// What is to be done about an agent's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentState {
    /// It is what the run has.
    Same,
    /// It is something else, and the run takes that in.
    Changed {
        /// What differs.
        differences: Vec<Difference>,
        /// The event by which it is taken in.
        event: Box<AgentChanged>,
    },
    /// It is something else, and the run goes on with what it has.
    Left(Vec<Difference>),
    /// The task's budget could not be kept with it.
    Unkept(Refusal),
}

/// Compares an agent as it is configured now with the one a run has. An agent
/// that cannot be started or cannot sign in is no choice worth keeping: its run
/// takes in what is configured without being told to.
pub fn compare(run: &Run, (agent, settings): (Agent, AgentSettings), choice: AgentChoice, at: Timestamp) -> AgentState {
    let opening = run.opening();
    let Some(kept) = opening.settings.as_deref() else {
        return AgentState::Same;
    };
    let differences = differences((&opening.agent, &kept.agent), (&agent, &settings));
    if differences.is_empty() {
        return AgentState::Same;
    }
    let is_useless = matches!(
        run.position(),
        Position::Paused(_, Reason::AgentUnusable(_) | Reason::NotSignedIn(_))
    );
    if choice == AgentChoice::NotAsked && !is_useless {
        return AgentState::Left(differences);
    }
    if let Some(refusal) = agent.unkept(run.budget()) {
        return AgentState::Unkept(refusal);
    }
    AgentState::Changed {
        differences,
        event: Box::new(AgentChanged { agent, settings, at }),
    }
}

fn differences(was: (&Agent, &AgentSettings), now: (&Agent, &AgentSettings)) -> Vec<Difference> {
    let mut found = Vec::new();
    let ((agent, settings), (new_agent, new)) = (was, now);
    note(&mut found, "agent", agent.name.clone(), new_agent.name.clone());
    note(&mut found, "kind", settings.kind.word().into(), new.kind.word().into());
    note(&mut found, "command", settings.command.join(" "), new.command.join(" "));
    let model = |settings: &AgentSettings| settings.model.clone().unwrap_or_default();
    note(&mut found, "model", model(settings), model(new));
    let network = |agent: &Agent| format!("{:?}", agent.network).to_lowercase();
    note(&mut found, "network", network(agent), network(new_agent));
    let permission = |agent: &Agent| format!("{:?}", agent.permission).to_lowercase();
    note(&mut found, "permission", permission(agent), permission(new_agent));
    variables(&mut found, &settings.env, &new.env);
    note(
        &mut found,
        "pass_env",
        settings.pass_env.join(", "),
        new.pass_env.join(", "),
    );
    let secrets = (settings.secret_env.join(", "), new.secret_env.join(", "));
    note(&mut found, "env, secrets", secrets.0, secrets.1);
    note(&mut found, "read", folders(&settings.read), folders(&new.read));
    note(&mut found, "write", folders(&settings.write), folders(&new.write));
    note(&mut found, "reach", sites(&settings.reach), sites(&new.reach));
    let registries = (sites(&settings.registries), sites(&new.registries));
    note(&mut found, "registries", registries.0, registries.1);
    found
}

fn variables(found: &mut Vec<Difference>, was: &BTreeMap<String, String>, now: &BTreeMap<String, String>) {
    let names: BTreeSet<&String> = was.keys().chain(now.keys()).collect();
    for name in names.into_iter().filter(|name| was.get(*name) != now.get(*name)) {
        // Names do not always tell which values are secrets.
        let said = |variables: &BTreeMap<String, String>, word: &str| {
            let value = variables.get(name).map(|_| String::from(word));
            value.unwrap_or_default()
        };
        note(
            found,
            &format!("env.{name}"),
            said(was, "a value"),
            said(now, "another value"),
        );
    }
}

fn sites(sites: &[Site]) -> String {
    let names: Vec<String> = sites.iter().map(ToString::to_string).collect();
    names.join(", ")
}

fn folders(folders: &[Folder]) -> String {
    let names: Vec<String> = folders
        .iter()
        .map(|folder| match folder {
            Folder::Checkout(below) => below.clone(),
            Folder::Home(below) => format!("~/{below}"),
            Folder::At(path) => path.clone(),
        })
        .collect();
    names.join(", ")
}
