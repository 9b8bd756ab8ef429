//! What a check line can refer to.

use crate::rules::{Catalogue, Files, catalogue};
use std::collections::BTreeMap;
use trueup_core::{
    criterion::{Execution, HiddenFile, Network, Service},
    id::TaskId,
};

/// What a task file can refer to, and what its commands get.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The id that the file's name promises, for a task that does not say its own.
    pub named: Option<&'a str>,
    /// The `[checks.NAME]` of the project, resolved.
    pub definitions: &'a BTreeMap<String, Execution>,
    /// The `[services.NAME]` of the project.
    pub services: &'a BTreeMap<String, Service>,
    /// How long a command may take.
    pub command_timeout_ms: u64,
    /// Whether a command may reach the network.
    pub network: Network,
    /// The files of a task's hidden folder, which already lie in blobs.
    pub hidden: &'a dyn Fn(&TaskId) -> Result<Vec<HiddenFile>, String>,
    /// Where hidden folders lie, relative to the tree: `tasks/hidden`.
    pub hidden_folder: &'a str,
    /// The project's files, for advice that fits them; no check's meaning rests on one.
    pub files: Files<'a>,
    /// The rules that a task can allow to be broken.
    pub rules: &'a Catalogue,
}

static NO_DEFINITIONS: BTreeMap<String, Execution> = BTreeMap::new();
static NO_SERVICES: BTreeMap<String, Service> = BTreeMap::new();

impl Context<'_> {
    /// A project that defines nothing and hides nothing, whose commands may
    /// take so long.
    pub fn bare(command_timeout_ms: u64) -> Self {
        Self {
            named: None,
            definitions: &NO_DEFINITIONS,
            services: &NO_SERVICES,
            command_timeout_ms,
            network: Network::Off,
            hidden: &|_| Ok(Vec::new()),
            hidden_folder: "tasks/hidden",
            files: &|_| None,
            rules: catalogue(),
        }
    }
}
