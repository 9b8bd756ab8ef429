//! Where the state of a repository lies.
//!
//! The folder is called after where the repository lies, and holds by what it
//! is known: one that was moved is found again by its git directory, which is
//! still the same folder of the same disk.

use serde::{Deserialize, Serialize};
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};
use trueup_core::digest::Digest;
use trueup_engine::{
    fault::{self, Fault},
    workspace::{CheckoutOrder, RepositoryPaths},
    write::write_durably,
};

/// What holds by what the repository of a state root is known.
const KNOWN_BY: &str = "repository";

/// Where the state of a repository lies.
pub(crate) struct StatePlace {
    /// The state root.
    pub(crate) root: PathBuf,
    /// By what the repository is to be known again, where that is not kept yet.
    known_by: Option<GitFolder>,
}

/// Where the state of those lies that came to a chosen state root second.
const OTHERS: &str = "others";

/// The folder in which state lies.
pub(crate) enum StateFolder {
    /// One that a person chose: the state root of the repository that came there
    /// first, and others below it.
    Chosen(PathBuf),
    /// The one where every repository has a state root of its own.
    OfAll(PathBuf),
}

impl StateFolder {
    /// Where the state of this repository lies.
    pub(crate) fn place(self, paths: &RepositoryPaths) -> StatePlace {
        match self {
            Self::Chosen(root) => StatePlace::chosen(root, paths),
            Self::OfAll(folder) => StatePlace::below(&folder, paths),
        }
    }

    /// The folder itself.
    pub(crate) fn path(&self) -> &Path {
        let (Self::Chosen(path) | Self::OfAll(path)) = self;
        path
    }

    /// Every repository that has state here, in an order that stays.
    pub(crate) fn known(&self) -> Vec<KnownState> {
        let (first, below) = match self {
            Self::Chosen(root) => (known_at(root), root.join(OTHERS)),
            Self::OfAll(folder) => (None, folder.clone()),
        };
        let entries = fs::read_dir(below).into_iter().flatten().flatten();
        let mut known: Vec<KnownState> = entries.filter_map(|entry| known_at(&entry.path())).collect();
        known.sort_by(|one, other| one.root.cmp(&other.root));
        first.into_iter().chain(known).collect()
    }
}

/// A repository that has state, as far as that is known without asking git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownState {
    /// The state root.
    pub(crate) root: PathBuf,
    /// A folder of the repository, where it lay when it was last seen.
    pub(crate) checkout: PathBuf,
}

/// The repository of a state root, where it still is where it was.
fn known_at(root: &Path) -> Option<KnownState> {
    let git = GitFolder::kept_in(root)?.path?;
    let checkout = match git.file_name() {
        Some(name) if name == ".git" => git.parent()?.to_owned(),
        Some(_) | None => git,
    };
    let root = root.to_owned();
    checkout.is_dir().then_some(KnownState { root, checkout })
}

/// A git directory, whatever it is called. The number of a folder may be given
/// to another one after it is gone; the time it was made is its own.
#[derive(Debug, Serialize, Deserialize)]
struct GitFolder {
    device: u64,
    number: u64,
    made_ns: u64,
    /// Where it lay when it was last seen.
    #[serde(default)]
    path: Option<PathBuf>,
}

impl PartialEq for GitFolder {
    fn eq(&self, other: &Self) -> bool {
        let itself = |one: &Self| (one.device, one.number, one.made_ns);
        itself(self) == itself(other)
    }
}

impl StatePlace {
    /// A place with nothing to keep: it knows its repository.
    const fn given(root: PathBuf) -> Self {
        Self { root, known_by: None }
    }

    /// The folder that a person chose. It belongs to the repository that came
    /// first, and to another one in its place, as a fresh clone is. A repository
    /// that lies elsewhere has a folder of its own in it: nobody sees the runs of
    /// another.
    fn chosen(root: PathBuf, paths: &RepositoryPaths) -> Self {
        let Some(known_by) = GitFolder::at(&paths.common) else {
            return Self::given(root);
        };
        match GitFolder::kept_in(&root) {
            Some(kept) if kept == known_by && kept.path == known_by.path => Self::given(root),
            Some(kept) if kept != known_by && kept.path.is_some() && kept.path != known_by.path => {
                Self::below(&root.join(OTHERS), paths)
            }
            Some(_) | None => {
                let known_by = Some(known_by);
                Self { root, known_by }
            }
        }
    }

    /// A folder of this repository's own, in the one of all: the one that knows
    /// it; else the one that is called after where it lies, unless that is known
    /// to be another's, who lay there before.
    fn below(folder: &Path, paths: &RepositoryPaths) -> Self {
        let usual = folder.join(name_of(shared(paths)));
        let own = folder.join(name_of(&paths.checkout));
        if own != usual && own.exists() {
            // A linked worktree that has state from before it shared any.
            return Self::given(own);
        }
        let Some(known_by) = GitFolder::at(&paths.common) else {
            return Self::given(usual);
        };
        let kept = GitFolder::kept_in(&usual);
        if kept.as_ref() == Some(&known_by) {
            return Self::given(usual);
        }
        if let Some(found) = known_by.found_in(folder) {
            return Self::given(found);
        }
        let root = match kept {
            Some(_) => folder.join(format!("{}-{:x}", name_of(shared(paths)), known_by.number)),
            None => usual,
        };
        let known_by = Some(known_by);
        Self { root, known_by }
    }

    /// Has the repository found again, should it be moved. What cannot be
    /// written is missed only then.
    pub(crate) fn remember(&self) {
        let text = self
            .known_by
            .as_ref()
            .and_then(|known_by| serde_json::to_vec(known_by).ok());
        if let Some(text) = text {
            drop(write_durably(&self.root.join(KNOWN_BY), &text));
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
            path: path.canonicalize().ok(),
        })
    }

    /// The one that a state root was made for.
    fn kept_in(root: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(root.join(KNOWN_BY)).ok()?).ok()
    }

    /// The state root that was made for it, among all.
    fn found_in(&self, folder: &Path) -> Option<PathBuf> {
        if fault::planted(Fault::OverlooksDamage) {
            return None;
        }
        let entries = fs::read_dir(folder).ok()?.flatten();
        let mut roots = entries.map(|entry| entry.path());
        roots.find(|root| Self::kept_in(root).as_ref() == Some(self))
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
