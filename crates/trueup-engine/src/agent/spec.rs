//! An agent as it was configured, before it is looked for on this machine.

use crate::sandbox::Setup;
use std::{
    collections::BTreeMap,
    env, io,
    path::{Path, PathBuf},
};
use trueup_core::{criterion::Network, reach::Site, turn::Permission};

pub use trueup_core::settings::AgentKind;

/// One agent, as it was configured.
#[derive(Clone, Debug)]
pub struct AgentSpec {
    /// How it is spoken to.
    pub kind: AgentKind,
    /// The executable and its arguments.
    pub command: Vec<String>,
    /// The model it asks, where the person chose one.
    pub model: Option<String>,
    /// What it may do without being asked.
    pub permission: Permission,
    /// Variables it is given.
    pub env: BTreeMap<String, String>,
    /// Variables it may see of the person's.
    pub pass_env: Vec<String>,
    /// Folders it may also read.
    pub read: Vec<PathBuf>,
    /// Folders it may also write.
    pub write: Vec<PathBuf>,
    /// Whether it may reach the network.
    pub network: Network,
    /// What it may reach besides its model, where that is all it reaches.
    pub reach: Vec<Site>,
    /// What of that it may only read.
    pub registries: Vec<Site>,
}

impl AgentSpec {
    /// An agent of which nothing is said but how it is spoken to.
    pub fn usual(kind: AgentKind, program: &str) -> Self {
        Self {
            kind,
            command: vec![program.to_owned()],
            model: None,
            permission: Permission::default(),
            env: BTreeMap::new(),
            pass_env: Vec::new(),
            read: Vec::new(),
            write: Vec::new(),
            network: Network::On,
            reach: Vec::new(),
            registries: Vec::new(),
        }
    }

    /// Where its program lies, or why it cannot be called.
    pub fn program(&self, wall: &Setup) -> Result<PathBuf, String> {
        let word = self.command.first().map(String::as_str).unwrap_or_default();
        let path = find_program(wall, word);
        path.canonicalize().map_err(|error| absent(&path, &error))
    }

    /// The variables it is given, some of them the person's own.
    pub fn variables(&self, environment: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let passed = self.pass_env.iter().filter_map(|name| {
            let value = environment.get(name)?;
            Some((name.clone(), value.clone()))
        });
        passed.chain(self.env.clone()).collect()
    }
}

/// Where an agent's executable lies: a bare name on the PATH, anything else
/// relative to the checkout. `trueup` is this very binary, wherever it lies: the
/// agent that comes with it is then of the same version as the run it works for.
pub fn find_program(wall: &Setup, word: &str) -> PathBuf {
    if word == "trueup" {
        return wall.entry.clone();
    }
    if word.contains('/') {
        return wall.repository.join(word);
    }
    let mut folders = env::split_paths(&wall.path);
    folders
        .find_map(|folder| Some(folder.join(word)).filter(|path| path.is_file()))
        .unwrap_or_else(|| PathBuf::from(word))
}

/// Why the program of an agent is not there, in words that say what to do.
pub(super) fn absent(program: &Path, error: &io::Error) -> String {
    let shown = program.display();
    match (error.kind(), program.components().count()) {
        (io::ErrorKind::NotFound, 1) => format!("there is no program `{shown}` on the PATH; install it"),
        (io::ErrorKind::NotFound, _) => {
            format!("there is no program {shown}; install it, or mend `command` of the agent")
        }
        _ => format!("{shown}: {error}"),
    }
}
