//! What checks need of the world.

use super::ground::Ground;
use crate::{
    layer::Layers,
    sandbox::Sandbox,
    space::Space,
    stop::StopToken,
    travel::{Blobs, Memo, Spool},
    workspace::Workspaces,
};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Instant};
use trueup_core::{
    criterion::{Check, CheckMethod, Network},
    evidence::{Conditions, Evidence, Isolation},
    id::RunId,
    rule::Levels,
};
use trueup_inspect::{challenge::Probe, rules::Catalogue};

/// Everything checks need of the world.
#[derive(Clone, Debug)]
pub struct Checks {
    /// The run they belong to.
    pub run: RunId,
    /// Where trees are read and rooms are laid.
    pub workspaces: Workspaces,
    /// The wall round each program.
    pub sandbox: Sandbox,
    /// Where bodies and hidden files lie.
    pub blobs: Arc<dyn Blobs>,
    /// What is laid under trees.
    pub layers: Layers,
    /// Where evidence waits until its set is whole.
    pub spool: Arc<dyn Spool>,
    /// What checks ever answered, and what was seen standing.
    pub memo: Arc<dyn Memo>,
    /// The lock that every sandbox of the run holds.
    pub alive: PathBuf,
    /// Hears when work shall end early.
    pub stop: StopToken,
    /// Space for files. What was seen without it proves nothing.
    pub space: Space,
    /// The folder of tasks, which nobody who carries one out may change.
    pub tasks: String,
    /// How much a person wants to be asked.
    pub levels: Arc<Levels>,
    /// The rules by which a change is looked at.
    pub rules: Arc<Catalogue>,
}

/// What happens while a set of checks is executed.
#[derive(Clone, Copy, Debug)]
pub enum CheckProgress<'a> {
    /// A preparation runs.
    Prepares(&'a str),
    /// A program begins to run; its result answers this check, and maybe more.
    Begins(&'a Check),
    /// A check was seen.
    Saw(&'a Evidence),
}

/// What happens while checks are tried on sabotaged trees.
#[derive(Clone, Copy, Debug)]
pub enum ControlProgress<'a> {
    /// A preparation runs.
    Prepares(&'a str),
    /// So many probes are made. Each executes its check as often as it needs to.
    Begin(usize),
    /// A check begins to be executed for a probe.
    Tries(&'a Check, Probe),
    /// That execution ended.
    Tried(&'a Check, Probe),
    /// A probe is done.
    Done,
}

/// Who is told what happens while checks are tried on sabotaged trees.
pub(super) type ShowControls<'a> = &'a (dyn Fn(ControlProgress<'_>) + Sync);

/// How long something took so far.
pub(super) fn elapsed_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl Checks {
    pub(super) fn conditions(&self, check: &Check, ground: &Ground) -> Conditions {
        let architecture = std::env::consts::ARCH.to_owned();
        let (layers, warmth) = (ground.layers(), ground.warmth());
        match check.execution() {
            Some(execution) => Conditions {
                program: self.program(check),
                variables: self.variables(),
                network: self.sandbox.network(execution.network),
                isolation: self.sandbox.isolation(),
                architecture,
                layers,
                warmth,
                sockets: execution.sockets.clone(),
            },
            None => Conditions {
                program: None,
                variables: Default::default(),
                network: Network::Off,
                isolation: Isolation::Engine,
                architecture,
                layers,
                warmth,
                sockets: Vec::new(),
            },
        }
    }

    /// What a check can see of the environment, as it may be stored.
    fn variables(&self) -> BTreeMap<String, String> {
        let secrets = self.sandbox.secrets();
        let seen = self.sandbox.variables().into_iter();
        seen.map(|(name, value)| (name, secrets.redact_text(&value))).collect()
    }

    /// The program a check will run: found on the path, or named by a path.
    fn program(&self, check: &Check) -> Option<String> {
        if let CheckMethod::Http { .. } = check.how {
            return None;
        }
        let word = check.execution()?.argv.first()?;
        if word.contains('/') {
            return Some(word.clone());
        }
        self.sandbox.resolve(word).map(|path| path.display().to_string())
    }
}
