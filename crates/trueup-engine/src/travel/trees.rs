//! Objects and refs of a run, carried from one git to another.

use super::shared::held;
use std::{
    collections::BTreeMap,
    fmt::Debug,
    io,
    sync::{Arc, Mutex},
};
use trueup_core::id::{CommitId, RunId};

/// What is carried of a run: packs of objects, and what its refs point to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Git packs, each whole in itself but for what the other side knows.
    pub packs: Vec<Vec<u8>>,
    /// Names of objects, by the refs that point to them.
    pub refs: BTreeMap<String, String>,
}

/// Whether a ref was moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// It points where it was to point.
    Yes,
    /// It stood elsewhere than was thought, and stays there.
    No(Option<String>),
}

/// A git that runs are carried out of and taken into.
pub trait Trees: Debug + Send + Sync {
    /// All that a run's refs point to and that does not already belong to
    /// these commits, which whoever takes it in has.
    fn carry_out(&self, run: &RunId, known: &[CommitId]) -> io::Result<Carried>;

    /// Takes a run in; durable when this returns. Taking it in again changes
    /// nothing. A ref that stands elsewhere already refuses all of it.
    fn take_in(&self, run: &RunId, carried: &Carried) -> io::Result<()>;

    /// What a run's refs point to.
    fn refs(&self, run: &RunId) -> io::Result<BTreeMap<String, String>>;

    /// Moves a ref of a run, if it is where the caller thinks: of several who
    /// move it from the same place, one does.
    fn move_ref(&self, run: &RunId, name: &str, from: Option<&str>, to: &str) -> io::Result<Moved>;
}

/// How the refs of a run begin.
pub(crate) fn of_run(run: &RunId) -> [String; 2] {
    [format!("refs/runs/{run}/"), format!("refs/rescue/{run}/")]
}

/// Refuses a ref that is not this run's own.
pub(crate) fn require_own(run: &RunId, name: &str) -> io::Result<()> {
    match of_run(run).iter().any(|own| name.starts_with(own)) {
        true => Ok(()),
        false => Err(io::Error::other(format!("{name} is no ref of run {run}"))),
    }
}

/// Refuses refs that would have to move.
pub(crate) fn require_unmoved(
    standing: &BTreeMap<String, String>,
    coming: &BTreeMap<String, String>,
) -> io::Result<()> {
    for (name, object) in coming {
        if let Some(there) = standing.get(name).filter(|there| *there != object) {
            let what = format!("{name} already points to {there}, and is not moved to {object}");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
        }
    }
    Ok(())
}

/// Packs and refs in memory. A clone shows the same ones.
#[derive(Clone, Debug, Default)]
pub struct MemoryTrees(Arc<Mutex<BTreeMap<RunId, Carried>>>);

impl Trees for MemoryTrees {
    fn carry_out(&self, run: &RunId, _known: &[CommitId]) -> io::Result<Carried> {
        Ok(held(&self.0).get(run).cloned().unwrap_or_default())
    }

    fn take_in(&self, run: &RunId, carried: &Carried) -> io::Result<()> {
        carried.refs.keys().try_for_each(|name| require_own(run, name))?;
        let mut runs = held(&self.0);
        let kept = runs.entry(run.clone()).or_default();
        require_unmoved(&kept.refs, &carried.refs)?;
        let new = carried.packs.iter().filter(|pack| !kept.packs.contains(pack));
        let new: Vec<Vec<u8>> = new.cloned().collect();
        kept.packs.extend(new);
        kept.refs.extend(carried.refs.clone());
        Ok(())
    }

    fn refs(&self, run: &RunId) -> io::Result<BTreeMap<String, String>> {
        Ok(held(&self.0).get(run).map(|kept| kept.refs.clone()).unwrap_or_default())
    }

    fn move_ref(&self, run: &RunId, name: &str, from: Option<&str>, to: &str) -> io::Result<Moved> {
        require_own(run, name)?;
        let mut runs = held(&self.0);
        let refs = &mut runs.entry(run.clone()).or_default().refs;
        let standing = refs.get(name).cloned();
        if standing.as_deref() != from {
            return Ok(Moved::No(standing));
        }
        refs.insert(name.to_owned(), to.to_owned());
        Ok(Moved::Yes)
    }
}
