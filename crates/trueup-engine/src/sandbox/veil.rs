//! A folder seen through a veil: what lies under it is seen, what is written
//! stays in the veil.

use crate::state::make_private;
use std::{
    io,
    path::{Path, PathBuf},
};

/// A copy-on-write view of folders that are never written through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Veil {
    /// What is seen through it; the first lies on top.
    pub under: Vec<PathBuf>,
    /// Where it keeps what is written; below the state root, as is all of it.
    pub folder: PathBuf,
}

impl Veil {
    /// Makes the folders of a veil, unless they are there.
    pub fn hang(under: Vec<PathBuf>, folder: PathBuf) -> io::Result<Self> {
        let veil = Self { under, folder };
        for part in [veil.upper(), veil.work(), veil.view()] {
            make_private(&part)?;
        }
        Ok(veil)
    }

    /// What was written, and nothing of what lies under it.
    pub fn upper(&self) -> PathBuf {
        self.folder.join("upper")
    }

    /// The kernel's own.
    pub(super) fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// Where both are seen together, by whoever the veil is laid for.
    pub fn view(&self) -> PathBuf {
        self.folder.join("view")
    }
}

/// How folders are to be laid into rooms and workspaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Laying {
    /// Through veils where that works, else as copies.
    #[default]
    Auto,
    /// Through veils, or not at all.
    Overlay,
    /// As copies.
    Copy,
}

/// How folders are laid here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayMethod {
    /// Through veils.
    Veil,
    /// As copies.
    Copy,
}

/// A folder of the engine's, as a sandbox is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folder {
    /// The folder itself.
    Plain(PathBuf),
    /// A folder seen through a veil.
    Veiled(Veil),
}

impl Folder {
    /// Where a sandbox finds it on the host, once veils are laid.
    pub fn place(&self) -> PathBuf {
        match self {
            Self::Plain(path) => path.clone(),
            Self::Veiled(veil) => veil.view(),
        }
    }

    /// The veil, if there is one.
    pub const fn veil(&self) -> Option<&Veil> {
        match self {
            Self::Plain(_) => None,
            Self::Veiled(veil) => Some(veil),
        }
    }
}

impl From<&Path> for Folder {
    fn from(path: &Path) -> Self {
        Self::Plain(path.to_owned())
    }
}
