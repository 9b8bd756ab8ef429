//! How criteria are executed: each check on a fresh copy of the tree that no
//! agent ever saw, or by reading the tree itself.

mod challenge;
mod ground;
mod objections;
mod room;
mod tree_fact;

pub(crate) use self::tree_fact::globs;

use self::ground::Ground;
use crate::{
    blobs::Blobs,
    crash,
    layer::{Layers, Prepared},
    sandbox::Sandbox,
    space::{self, Space},
    spool::Spool,
    stop::StopToken,
    workspace::{self, Workspaces},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::{collections::BTreeMap, io, path::PathBuf, thread, time::Instant};
use trueup_core::{
    criterion::{Check, Criterion, Network},
    effect::Verify,
    event::{Shortage, Stop},
    evidence::{Binding, Conditions, Evidence, Isolation, Runs, Saw},
    id::{CheckId, RunId, TreeId},
};

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
    pub blobs: Blobs,
    /// What is laid under trees.
    pub layers: Layers,
    /// Where evidence waits until its set is whole.
    pub spool: Spool,
    /// The lock that every sandbox of the run holds.
    pub alive: PathBuf,
    /// Hears when work shall end early.
    pub stop: StopToken,
    /// Space for files. What was seen without it proves nothing.
    pub space: Space,
}

/// Why a set of checks gave no evidence.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// Somebody asked for it.
    #[error("stopped")]
    Stopped(Stop),
    /// Git could not do what was asked of it.
    #[error(transparent)]
    Workspace(#[from] workspace::Error),
    /// A file could not be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// There was no space for files while a check ran.
    #[error("there was no space for files")]
    NoSpace(Shortage),
}

/// What happens while a set of checks is executed.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// A preparation runs.
    Prepares(&'a str),
    /// A check was seen.
    Saw(&'a CheckId, &'a Saw),
}

/// What a check saw, before it is bound to anything.
pub(crate) struct Sight {
    saw: Saw,
    stdout: Vec<u8>,
    stdout_total: u64,
    stderr: Vec<u8>,
    stderr_total: u64,
}

impl Sight {
    /// Something the engine saw itself, explained on standard output.
    fn told(saw: Saw, text: String) -> Self {
        let bytes = text.into_bytes();
        Self {
            saw,
            stdout_total: bytes.len() as u64,
            stdout: bytes,
            stderr: Vec::new(),
            stderr_total: 0,
        }
    }

    fn cannot_run(why: impl Into<String>) -> Self {
        Self::told(Saw::CannotRun { why: why.into() }, String::new())
    }
}

impl Checks {
    /// Executes a set of checks in parallel. Each piece of evidence is spooled
    /// by its key as soon as it is seen, so a redo runs only what is missing.
    pub async fn verify(&self, wish: &Verify, mut seen: impl FnMut(Seen<'_>)) -> Result<Vec<Evidence>, Halt> {
        self.workspaces.sweep_rooms(&self.run)?;
        let all = wish.criteria.iter().flat_map(|criterion| &criterion.checks);
        let runs_programs = all.into_iter().any(|check| check.execution().is_some());
        let prepared = match runs_programs {
            true => {
                self.layers
                    .prepared(&wish.into(), &mut |name| seen(Seen::Prepares(name)))
                    .await?
            }
            false => Prepared::Ready(Vec::new()),
        };
        let width = thread::available_parallelism().map_or(2, usize::from);
        let wanted = wish.criteria.iter().flat_map(|criterion| {
            let checks = criterion.checks.iter();
            checks.map(move |check| (criterion, check))
        });
        let mut evidence: Vec<Evidence> = stream::iter(wanted)
            .map(|(criterion, check)| self.evidence(wish, &prepared, criterion, check))
            .buffer_unordered(width)
            .inspect_ok(|evidence| seen(Seen::Saw(&evidence.check, &evidence.saw)))
            .try_collect()
            .await?;
        let order = |evidence: &Evidence| {
            let mut checks = wish.criteria.iter().flat_map(|criterion| &criterion.checks);
            checks.position(|check| check.id == evidence.check)
        };
        evidence.sort_by_key(order);
        Ok(evidence)
    }

    async fn evidence(
        &self,
        wish: &Verify,
        prepared: &Prepared,
        criterion: &Criterion,
        check: &Check,
    ) -> Result<Evidence, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let binding = Binding::of(&wish.tree, criterion, check, &wish.protected);
        let ground = Ground::of(&self.layers, wish, check, prepared);
        let conditions = self.conditions(check, &ground);
        let name = format!("evidence-{}", binding.key());
        let spooled: Option<Evidence> = self.spool.get(&name);
        if let Some(evidence) = spooled
            && evidence.is_valid_for(&binding)
            && evidence.conditions == conditions
        {
            return Ok(evidence);
        }
        let started = Instant::now();
        let sight = self.see(&wish.tree, check, &ground).await?;
        self.refuse_without_space(&sight)?;
        let evidence = Evidence {
            criterion: criterion.id.clone(),
            check: check.id.clone(),
            key: binding.key(),
            binding,
            conditions,
            saw: sight.saw,
            stdout: self.blobs.put_body(&sight.stdout, sight.stdout_total)?,
            stderr: self.blobs.put_body(&sight.stderr, sight.stderr_total)?,
            took_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            tally: None,
            because: None,
            runs: Runs::default(),
        };
        crash::point("evidence.before");
        self.spool.put(&name, &evidence)?;
        crash::point("evidence.after");
        Ok(evidence)
    }

    /// A check that met a full disk saw the disk and not the tree.
    fn refuse_without_space(&self, sight: &Sight) -> Result<(), Halt> {
        let told = match &sight.saw {
            // The words may be the candidate's own, of its service or its script:
            // they count only where space is missing by our own measure.
            Saw::CannotRun { why } if space::says_full(why) => {
                Some(self.space.told_full()).filter(|shortage| shortage.free < shortage.need)
            }
            Saw::CannotRun { .. } | Saw::Passed | Saw::Failed { .. } | Saw::TimedOut => None,
        };
        match told.or_else(|| self.space.at_work()) {
            Some(shortage) => Err(Halt::NoSpace(shortage)),
            None => Ok(()),
        }
    }

    async fn see(&self, tree: &TreeId, check: &Check, ground: &Ground) -> Result<Sight, Halt> {
        if let Some(execution) = check.execution() {
            return match ground {
                Ground::Not(why) => Ok(Sight::cannot_run(why)),
                Ground::Laid(laid) => self.see_in_room(tree, check, execution, laid).await,
            };
        }
        let (workspaces, tree, how) = (self.workspaces.clone(), tree.clone(), check.how.clone());
        let seeing = tokio::task::spawn_blocking(move || tree_fact::see(&workspaces, &tree, &how));
        Ok(seeing.await.map_err(io::Error::other)??)
    }

    fn conditions(&self, check: &Check, ground: &Ground) -> Conditions {
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
        let word = check.execution()?.argv.first()?;
        if word.contains('/') {
            return Some(word.clone());
        }
        self.sandbox.resolve(word).map(|path| path.display().to_string())
    }
}
