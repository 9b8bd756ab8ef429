//! Where the state of a repository lies.
//!
//! The folder is called after where the repository lies, and holds by what it
//! is known: one that was moved is found again by its git directory, which is
//! still the same folder of the same disk.

use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};
use trueup_core::digest::Digest;
use trueup_engine::workspace::{CheckoutOrder, RepositoryPaths};

/// What holds by what the repository of a state root is known.
const KNOWN_BY: &str = "repository";

/// Where the state of a repository lies.
pub(crate) struct StatePlace {
    /// The state root.
    pub(crate) root: PathBuf,
    /// By what the repository is known again, where we chose the place.
    known_by: Option<GitFolder>,
}

/// A git directory, whatever it is called. The number of a folder may be given
/// to another one after it is gone; the time it was made is its own.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GitFolder {
    device: u64,
    number: u64,
    made_ns: u64,
}

impl StatePlace {
    /// Where a person says.
    pub(crate) const fn given(root: PathBuf) -> Self {
        Self { root, known_by: None }
    }

    /// A folder of this repository's own, in the one of all.
    pub(crate) fn below(folder: &Path, paths: &RepositoryPaths) -> Self {
        let known_by = GitFolder::at(&paths.common);
        let usual = folder.join(name_of(shared(paths)));
        let own = folder.join(name_of(&paths.checkout));
        let there = [own, usual.clone()].into_iter().find(|root| root.exists());
        let moved = || known_by.as_ref().and_then(|known_by| known_by.found_in(folder));
        let root = there.or_else(moved).unwrap_or(usual);
        Self { root, known_by }
    }

    /// Has the repository found again, should it be moved. What cannot be
    /// written is missed only then.
    pub(crate) fn remember(&self) {
        let path = self.root.join(KNOWN_BY);
        let text = self
            .known_by
            .as_ref()
            .and_then(|known_by| serde_json::to_string(known_by).ok());
        if let Some(text) = text.filter(|text| fs::read_to_string(&path).ok().as_ref() != Some(text)) {
            let file = File::options()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(path);
            drop(file.and_then(|mut file| file.write_all(text.as_bytes())));
        }
    }
}

impl GitFolder {
    fn at(path: &Path) -> Option<Self> {
        let there = fs::metadata(path).ok()?;
        let made = there.created().ok()?;
        Some(Self {
            device: there.dev(),
            number: there.ino(),
            made_ns: u64::try_from(made.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()?,
        })
    }

    /// The state root in a folder that was made for it.
    fn found_in(&self, folder: &Path) -> Option<PathBuf> {
        let entries = fs::read_dir(folder).ok()?.flatten();
        let mut roots = entries.map(|entry| entry.path());
        roots.find(|root| {
            let text = fs::read_to_string(root.join(KNOWN_BY)).unwrap_or_default();
            serde_json::from_str(&text).is_ok_and(|known: Self| known == *self)
        })
    }
}

/// What all checkouts of a repository share: the first of them, or where there
/// is none, the repository itself.
fn shared(paths: &RepositoryPaths) -> &Path {
    match (paths.order, paths.common.file_name(), paths.common.parent()) {
        (CheckoutOrder::First, ..) => &paths.checkout,
        (CheckoutOrder::Linked, Some(name), Some(above)) if name == ".git" => above,
        (CheckoutOrder::Linked, ..) => &paths.common,
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let digest = Digest::of(path.as_os_str().as_encoded_bytes());
    format!("{name}-{}", digest.as_str().get(..8).unwrap_or_default())
}
