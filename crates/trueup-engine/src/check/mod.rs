//! How criteria are executed: each check on a fresh copy of the tree that no
//! agent ever saw, or by reading the tree itself.

mod room;
mod tree_fact;

use crate::{
    blobs::Blobs,
    crash,
    sandbox::Sandbox,
    spool::Spool,
    stop::StopToken,
    workspace::{self, Workspaces},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::{io, path::PathBuf, thread, time::Instant};
use trueup_core::{
    criterion::{Check, Criterion, Network},
    effect::Verify,
    event::Stop,
    evidence::{Binding, Conditions, Evidence, Isolation, Saw},
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
    /// Where evidence waits until its set is whole.
    pub spool: Spool,
    /// The lock that every sandbox of the run holds.
    pub alive: PathBuf,
    /// Hears when work shall end early.
    pub stop: StopToken,
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
    pub async fn verify(&self, wish: &Verify, mut seen: impl FnMut(&CheckId, &Saw)) -> Result<Vec<Evidence>, Halt> {
        self.workspaces.sweep_rooms(&self.run)?;
        let width = thread::available_parallelism().map_or(2, usize::from);
        let wanted = wish.criteria.iter().flat_map(|criterion| {
            let checks = criterion.checks.iter();
            checks.map(move |check| (criterion, check))
        });
        let mut evidence: Vec<Evidence> = stream::iter(wanted)
            .map(|(criterion, check)| self.evidence(wish, criterion, check))
            .buffer_unordered(width)
            .inspect_ok(|evidence| seen(&evidence.check, &evidence.saw))
            .try_collect()
            .await?;
        let order = |evidence: &Evidence| {
            let mut checks = wish.criteria.iter().flat_map(|criterion| &criterion.checks);
            checks.position(|check| check.id == evidence.check)
        };
        evidence.sort_by_key(order);
        Ok(evidence)
    }

    async fn evidence(&self, wish: &Verify, criterion: &Criterion, check: &Check) -> Result<Evidence, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let binding = Binding::of(&wish.tree, criterion, check, &wish.protected);
        let conditions = self.conditions(check);
        let name = format!("evidence-{}", binding.key());
        let spooled: Option<Evidence> = self.spool.get(&name);
        if let Some(evidence) = spooled
            && evidence.is_valid_for(&binding)
            && evidence.conditions == conditions
        {
            return Ok(evidence);
        }
        let started = Instant::now();
        let sight = self.see(&wish.tree, check).await?;
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
        };
        crash::point("evidence.before");
        self.spool.put(&name, &evidence)?;
        crash::point("evidence.after");
        Ok(evidence)
    }

    async fn see(&self, tree: &TreeId, check: &Check) -> Result<Sight, Halt> {
        if let Some(execution) = check.execution() {
            return self.see_in_room(tree, check, execution).await;
        }
        let (workspaces, tree, how) = (self.workspaces.clone(), tree.clone(), check.how.clone());
        let seeing = tokio::task::spawn_blocking(move || tree_fact::see(&workspaces, &tree, &how));
        Ok(seeing.await.map_err(io::Error::other)??)
    }

    fn conditions(&self, check: &Check) -> Conditions {
        let (network, isolation) = match check.execution() {
            Some(execution) => (execution.network, Isolation::Bubblewrap),
            None => (Network::Off, Isolation::Engine),
        };
        let (program, variables) = match isolation {
            Isolation::Bubblewrap => (self.program(check), self.sandbox.variables()),
            Isolation::Engine => Default::default(),
        };
        Conditions {
            program,
            variables,
            network,
            isolation,
            architecture: std::env::consts::ARCH.to_owned(),
        }
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
