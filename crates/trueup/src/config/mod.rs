//! What a person configured, layer upon layer.

mod layer;

use crate::exit::{Exit, Failure};
use layer::{Layer, RawAgent, RawCheck};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use trueup_core::criterion::{Execution, Network};

/// How long a check may take unless it says otherwise.
pub(crate) const CHECK_TIMEOUT_MS: u64 = 10 * 60 * 1000;

/// What a person configured, every layer merged.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The revision tasks start from.
    pub(crate) base: String,
    /// The folder of task files, relative to the checkout.
    pub(crate) tasks: String,
    /// The agent that works unless somebody says otherwise.
    pub(crate) default_agent: Option<String>,
    /// Agents by name.
    pub(crate) agents: BTreeMap<String, AgentConfig>,
    /// Named checks.
    pub(crate) checks: BTreeMap<String, Execution>,
    /// Further folders that sandboxes may read.
    pub(crate) read: Vec<PathBuf>,
}

/// One agent.
#[derive(Clone, Debug)]
pub(crate) struct AgentConfig {
    /// The executable and its arguments.
    pub(crate) command: Vec<String>,
    /// Variables it is given.
    pub(crate) env: BTreeMap<String, String>,
    /// Variables it may see of the person's.
    pub(crate) pass_env: Vec<String>,
    /// Folders it may also read.
    pub(crate) read: Vec<PathBuf>,
    /// Folders it may also write.
    pub(crate) write: Vec<PathBuf>,
    /// Whether it may reach the network.
    pub(crate) network: Network,
}

impl Config {
    /// Reads every layer there is for this checkout.
    pub(crate) fn read(checkout: &Path, user_layer: Option<&Path>) -> Result<Self, Failure> {
        let mut merged = Layer::built_in()?;
        let project = REPOSITORY_LAYERS.map(|name| checkout.join(name));
        for path in user_layer.into_iter().map(Path::to_owned).chain(project) {
            if let Some(layer) = Layer::at(&path)? {
                merged.merge(layer);
            }
        }
        Self::of(merged, checkout)
    }

    fn of(merged: Layer, checkout: &Path) -> Result<Self, Failure> {
        let raw = merged.raw()?;
        let project = raw.project.unwrap_or_default();
        let mut checks = BTreeMap::new();
        for (name, check) in raw.checks.unwrap_or_default() {
            let execution = execution(&name, check)?;
            checks.insert(name, execution);
        }
        let raw_agents = raw.agent.unwrap_or_default();
        let mut agents = BTreeMap::new();
        for (name, agent) in raw_agents.agents {
            let agent = agent_config(&name, agent, checkout)?;
            agents.insert(name, agent);
        }
        let read = raw.sandbox.unwrap_or_default().read.unwrap_or_default();
        Ok(Self {
            base: project.base.unwrap_or_else(|| "HEAD".into()),
            tasks: project.tasks.unwrap_or_else(|| "tasks".into()),
            default_agent: raw_agents.default,
            agents,
            checks,
            read: read.iter().map(|path| checkout.join(path)).collect(),
        })
    }
}

/// The layers a repository brings, which run only where it is trusted.
pub(crate) const REPOSITORY_LAYERS: [&str; 2] = ["trueup.toml", "trueup.local.toml"];

fn execution(name: &str, check: RawCheck) -> Result<Execution, Failure> {
    let wrong = |what: String| Failure::new(Exit::Usage, format!("[checks.{name}] {what}"));
    let run = check.run.ok_or_else(|| wrong("has no `run`".into()))?;
    let argv = trueup_inspect::argv::words(&run).map_err(|problem| wrong(format!("run: {problem}")))?;
    let timeout_ms = match check.timeout {
        Some(text) => trueup_inspect::duration::milliseconds(&text)
            .ok_or_else(|| wrong(format!("timeout: `{text}` is not a time like `90s`, `10m` or `1h30m`")))?,
        None => CHECK_TIMEOUT_MS,
    };
    Ok(Execution {
        argv,
        timeout_ms,
        network: network(check.network.unwrap_or_default()),
    })
}

fn agent_config(name: &str, agent: RawAgent, checkout: &Path) -> Result<AgentConfig, Failure> {
    let wrong = |what: &str| Failure::new(Exit::Usage, format!("[agent.{name}] {what}"));
    if agent.kind.as_deref() != Some("command") {
        return Err(wrong("needs `kind = \"command\"`, the only kind there is so far"));
    }
    let command = agent.command.filter(|command| !command.is_empty());
    let folders = |paths: Option<Vec<PathBuf>>| {
        let paths = paths.unwrap_or_default();
        paths.iter().map(|path| checkout.join(path)).collect()
    };
    Ok(AgentConfig {
        command: command.ok_or_else(|| wrong("needs `command = [\"path\", …]`"))?,
        env: agent.env.unwrap_or_default(),
        pass_env: agent.pass_env.unwrap_or_default(),
        read: folders(agent.read),
        write: folders(agent.write),
        network: network(agent.network.unwrap_or(Allowed(true))),
    })
}

/// A switch as configuration files spell it.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Allowed(bool);

const fn network(allowed: Allowed) -> Network {
    if allowed.0 { Network::On } else { Network::Off }
}
