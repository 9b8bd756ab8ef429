//! What all sandboxes of a person are built from, and why they cannot be.

use super::{mode::Mode, share::Share, veil::Laying};
use crate::{redact::Secrets, state::StateRoot, write::write_durably};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// Where the tree lies inside every sandbox.
pub const TREE: &str = "/trueup";

/// What one person's sandboxes have in common. The engine never reads the
/// environment itself: what it may know of it is handed in here.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program that understands `sandbox-entry`.
    pub entry: PathBuf,
    /// The person's home; a fresh one lies at its path inside.
    pub home: PathBuf,
    /// The person's PATH.
    pub path: OsString,
    /// The person's checkout: never visible inside, and its programs are never found.
    pub repository: PathBuf,
    /// What else every sandbox may read, at its own path.
    pub read: Vec<PathBuf>,
    /// The state root: never visible inside.
    pub state: PathBuf,
    /// Which wall the person wants.
    pub mode: Mode,
    /// Sockets of the host that the person lets checks reach.
    pub sockets: Vec<PathBuf>,
    /// The person's environment, of which an allow-list reaches the inside.
    pub environment: BTreeMap<String, String>,
    /// What nothing that programs print may show.
    pub secrets: Secrets,
    /// How folders are laid.
    pub laying: Laying,
    /// How much of the machine each sandbox may take.
    pub share: Share,
}

impl Setup {
    /// What bubblewrap builds sandboxes from where nothing is configured: no
    /// holes, and every variable that is named like a secret is one.
    pub fn new(entry: PathBuf, environment: BTreeMap<String, String>, repository: PathBuf, state: &StateRoot) -> Self {
        let of = |name: &str| environment.get(name).cloned().unwrap_or_default();
        Self {
            entry,
            home: of("HOME").into(),
            path: of("PATH").into(),
            repository,
            read: Vec::new(),
            state: state.path().to_owned(),
            mode: Mode::Bubblewrap,
            sockets: Vec::new(),
            secrets: Secrets::of_environment(&environment),
            environment,
            laying: Laying::Copy,
            share: Share::of_this_machine(),
        }
    }
}

/// Why there is no wall.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No bubblewrap.
    #[error("bubblewrap is not installed: no `bwrap` on PATH")]
    Missing,
    /// A bubblewrap that lacks what the wall needs.
    #[error("{} is {found}, but the wall needs bubblewrap 0.8 or newer", program.display())]
    TooOld {
        /// Which program.
        program: PathBuf,
        /// What it says of itself.
        found: String,
    },
    /// It is there and does not work.
    #[error("the mode `{}` cannot be used here: {why}", mode.word())]
    Unusable {
        /// Which wall.
        mode: Mode,
        /// What was said when it was tried.
        why: String,
    },
    /// A path that may not be shown inside.
    #[error("{} cannot be shown inside a sandbox: {why}", path.display())]
    Refused {
        /// Which path.
        path: PathBuf,
        /// Why not.
        why: &'static str,
    },
    /// A file of ours that could not be written or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// What the system said of a path.
    pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}

pub(super) fn canonical(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(Error::at(path))
}

/// Writes a file of ours unless it already says the same.
pub(super) fn write_once(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    write_durably(path, text.as_bytes()).map_err(Error::at(path))
}
