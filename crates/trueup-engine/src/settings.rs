//! What an opening keeps of the configuration, and how a machine makes it its
//! own again. Driving rests on what was kept, and on nothing configured since.

use crate::{
    agent::{prompt::Prompts, spec::AgentSpec},
    machine::{Machine, MachineError},
    sandbox::Setup,
};
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};
use trueup_core::{
    digest::Digest,
    event::{Agent, Opening},
    settings::{AgentSettings, Folder, Settings, is_public, looks_secret},
    task::Task,
};
use trueup_inspect::rules::Catalogue;

impl Machine {
    /// An agent as it is configured now: what it may do, and how it is called.
    pub fn agent_now(&self, name: &str) -> Result<(Agent, AgentSettings), MachineError> {
        let spec = self.agents.get(name);
        let spec = spec.ok_or_else(|| MachineError::NoAgent(name.to_owned()))?;
        let agent = Agent {
            name: name.to_owned(),
            meter: spec.kind.meter(),
            network: spec.network,
            permission: spec.permission,
        };
        Ok((agent, kept_agent(spec, &self.wall)))
    }

    /// What a run of this task by this agent keeps of the configuration in
    /// force now. The texts of its templates and packs are in the blobs when this returns.
    pub fn settings(&self, agent: &str, task: &Task) -> Result<Settings, MachineError> {
        let (_, agent) = self.agent_now(agent)?;
        let blobs = self.blobs();
        let mut prompts = BTreeMap::new();
        for (name, text) in self.prompts()?.texts() {
            prompts.insert(name.to_owned(), blobs.put(text.as_bytes())?);
        }
        let mut packs = BTreeMap::new();
        for (name, text) in self.rules.files() {
            packs.insert(name.clone(), blobs.put(text.as_bytes())?);
        }
        Ok(Settings {
            agent,
            prompts,
            tasks: self.tasks.clone(),
            read: folders(&self.wall.read, &self.wall),
            sockets: self
                .wall
                .sockets
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            levels: (*self.levels).clone(),
            packs,
            rules: task.rules(),
        })
    }

    /// This machine as a run was opened on it, and the templates it was opened
    /// with. Programs, secrets and the wall itself stay this machine's.
    pub(crate) fn as_opened(&self, opening: &Opening) -> Result<(Self, Prompts), MachineError> {
        let Some(settings) = opening.settings.as_deref() else {
            return Err(MachineError::Incomplete);
        };
        if settings.rules != opening.task.rules() {
            return Err(MachineError::OtherRules);
        }
        let mut machine = self.clone();
        let configured = self.agents.get(&opening.agent.name);
        let (spec, secrets) = self.spec(opening, &settings.agent, configured);
        machine.agents = BTreeMap::from([(opening.agent.name.clone(), spec)]);
        machine.tasks.clone_from(&settings.tasks);
        machine.levels = Arc::new(settings.levels.clone());
        machine.rules = Arc::new(self.kept_rules(settings)?);
        machine.wall.read = paths(&settings.read, &self.wall);
        machine.wall.sockets = settings.sockets.iter().map(PathBuf::from).collect();
        let prepared = self.prepared_secrets(opening);
        machine.wall.secrets = self.wall.secrets.and(secrets.into_iter().chain(prepared));
        Ok((machine, self.kept_prompts(settings)?))
    }

    /// What this machine gives to preparations that nobody may keep.
    fn prepared_secrets(&self, opening: &Opening) -> Vec<(String, String)> {
        let own = self.preparation_secrets.values().flatten();
        let named = opening.task.ground.prepare.iter().flat_map(|one| &one.pass_env);
        let passed = named.filter(|name| !is_public(name)).filter_map(|name| {
            let value = self.wall.environment.get(name)?;
            Some((name, value))
        });
        own.chain(passed)
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The agent as it was opened with, and the secrets it is given here. A
    /// secret is taken from this machine's configuration, else its environment.
    fn spec(
        &self,
        opening: &Opening,
        kept: &AgentSettings,
        configured: Option<&AgentSpec>,
    ) -> (AgentSpec, BTreeMap<String, String>) {
        let environment = &self.wall.environment;
        let own = |name: &String| {
            configured
                .and_then(|spec| spec.env.get(name))
                .or_else(|| environment.get(name))
        };
        let mut env = kept.env.clone();
        let mut secrets = BTreeMap::new();
        for name in &kept.secret_env {
            if let Some(value) = own(name) {
                env.insert(name.clone(), value.clone());
                secrets.insert(name.clone(), value.clone());
            }
        }
        for name in kept.pass_env.iter().filter(|name| !is_public(name)) {
            if let Some(value) = environment.get(name) {
                secrets.insert(name.clone(), value.clone());
            }
        }
        let spec = AgentSpec {
            kind: kept.kind,
            command: kept.command.clone(),
            model: kept.model.clone(),
            permission: opening.agent.permission,
            env,
            pass_env: kept.pass_env.clone(),
            read: paths(&kept.read, &self.wall),
            write: paths(&kept.write, &self.wall),
            network: opening.agent.network,
            reach: kept.reach.clone(),
            registries: kept.registries.clone(),
        };
        (spec, secrets)
    }

    fn kept_prompts(&self, settings: &Settings) -> Result<Prompts, MachineError> {
        Ok(Prompts::kept(self.kept("template", &settings.prompts)?)?)
    }

    /// The rules a run was opened with: those that come with this program, and
    /// the packs that were kept.
    fn kept_rules(&self, settings: &Settings) -> Result<Catalogue, MachineError> {
        let packs = self.kept("pack of rules", &settings.packs)?;
        Catalogue::with(packs).map_err(|error| {
            let what = format!("a pack of rules that this run was opened with cannot be read by this trueup: {error}");
            MachineError::File(io::Error::other(what))
        })
    }

    /// Texts that a run was opened with, by their names.
    fn kept(&self, what: &str, digests: &BTreeMap<String, Digest>) -> Result<BTreeMap<String, String>, MachineError> {
        let blobs = self.blobs();
        let mut texts = BTreeMap::new();
        for (name, digest) in digests {
            let gone = |why: String| {
                let what = format!("the {what} {name} that this run was opened with cannot be read: {why}");
                MachineError::File(io::Error::other(what))
            };
            let bytes = blobs.get(digest).map_err(|error| gone(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|error| gone(error.to_string()))?;
            texts.insert(name.clone(), text);
        }
        Ok(texts)
    }
}

/// An agent without its secrets.
fn kept_agent(spec: &AgentSpec, wall: &Setup) -> AgentSettings {
    let (secret, plain): (BTreeMap<_, _>, BTreeMap<_, _>) =
        spec.env.clone().into_iter().partition(|(name, _)| looks_secret(name));
    AgentSettings {
        kind: spec.kind,
        command: spec.command.clone(),
        model: spec.model.clone(),
        env: plain,
        pass_env: spec.pass_env.clone(),
        secret_env: secret.into_keys().collect(),
        read: folders(&spec.read, wall),
        write: folders(&spec.write, wall),
        reach: spec.reach.clone(),
        registries: spec.registries.clone(),
    }
}

/// Folders, named so that they are found on another machine as well. What is
/// no text cannot be named there, and is left where it is.
fn folders(paths: &[PathBuf], wall: &Setup) -> Vec<Folder> {
    let text = |path: &Path| path.display().to_string();
    let named = |path: &PathBuf| match (path.strip_prefix(&wall.repository), path.strip_prefix(&wall.home)) {
        (Ok(below), _) => Folder::Checkout(text(below)),
        (Err(_), Ok(below)) => Folder::Home(text(below)),
        (Err(_), Err(_)) => Folder::At(text(path)),
    };
    paths.iter().map(named).collect()
}

fn paths(folders: &[Folder], wall: &Setup) -> Vec<PathBuf> {
    let found = |folder: &Folder| match folder {
        Folder::Checkout(below) => wall.repository.join(below),
        Folder::Home(below) => wall.home.join(below),
        Folder::At(path) => PathBuf::from(path),
    };
    folders.iter().map(found).collect()
}
