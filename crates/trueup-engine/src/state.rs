//! Where everything of one repository's runs lies: outside the repository,
//! and outside everything an agent can read or write.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};
use trueup_core::id::RunId;

/// The state root of one repository.
#[derive(Clone, Debug)]
pub struct StateRoot {
    root: PathBuf,
}

impl StateRoot {
    /// Opens the state root, creating it readable by its owner alone.
    pub fn open(root: &Path) -> io::Result<Self> {
        make_private(root)?;
        let root = root.canonicalize()?;
        for folder in ["blobs", "runs", "workspaces", "rooms"] {
            make_private(&root.join(folder))?;
        }
        Ok(Self { root })
    }

    /// The root itself.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The journal of every run.
    pub fn journal(&self) -> PathBuf {
        self.root.join("journal.db")
    }

    /// Bodies, by digest.
    pub fn blobs(&self) -> PathBuf {
        self.root.join("blobs")
    }

    /// The git directory into which only bases are fetched; clones borrow from it.
    pub fn store(&self) -> PathBuf {
        self.root.join("store.git")
    }

    /// The git directory into which the engine snapshots; no agent sees it.
    pub fn results(&self) -> PathBuf {
        self.root.join("results.git")
    }

    /// What belongs to one run alone.
    pub fn run(&self, run: &RunId) -> PathBuf {
        self.root.join("runs").join(run.as_str())
    }

    /// The private clone a run's agent works in.
    pub fn workspace(&self, run: &RunId) -> PathBuf {
        self.root.join("workspaces").join(run.as_str())
    }

    /// Where a run's clean rooms are built and removed.
    pub fn rooms(&self, run: &RunId) -> PathBuf {
        self.root.join("rooms").join(run.as_str())
    }
}

/// Creates a folder readable by its owner alone, if it is not there.
pub fn make_private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}
