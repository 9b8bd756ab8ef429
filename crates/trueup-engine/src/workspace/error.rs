//! Why git could not do what was asked.

use crate::space;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why git could not do what was asked, and where it helps, what to type.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no repository.
    #[error("{path} is not in a git repository that can be used: {why}")]
    NoRepository {
        /// Where it was looked for.
        path: PathBuf,
        /// What git said.
        why: String,
    },
    /// There is no git.
    #[error("the program `git` is not on the PATH; install git 2.39 or newer")]
    NoGit,
    /// The person named a commit that is not there.
    #[error("git knows no commit `{0}` here; `git log --oneline --all` lists what there is")]
    UnknownRevision(String),
    /// Nobody told git who works here.
    #[error(
        "git does not know who you are; type `git config --global user.name \"Your Name\"` and `git config --global user.email you@example.com`"
    )]
    NoIdentity,
    /// A bare repository has nothing uncommitted.
    #[error("a bare repository has no checkout, so it has no uncommitted changes to take")]
    NoCheckout,
    /// Uncommitted work lies on top of HEAD, and the base is another commit.
    #[error(
        "uncommitted changes lie on top of HEAD, which is not `{0}`; take HEAD as the base, or commit the changes first"
    )]
    NotOnHead(String),
    /// Something uncommitted cannot become part of a commit.
    #[error("{path} cannot be taken: {why}; commit, ignore or remove it")]
    NotTakeable {
        /// What.
        path: String,
        /// Why.
        why: String,
    },
    /// A content kept by Git LFS is not here.
    #[error("the content of {path} is kept by Git LFS and is not here; type `git lfs pull`")]
    NoContent {
        /// Which file's.
        path: String,
    },
    /// A content kept by Git LFS is not what its name says.
    #[error("{path} is damaged: its bytes are not those its name promises; remove it and type `git lfs pull`")]
    Damaged {
        /// Which.
        path: PathBuf,
    },
    /// The repository has no checkout.
    #[error("{path} is a bare repository, without files to work on")]
    Bare {
        /// Which.
        path: PathBuf,
    },
    /// The state root belongs to a repository of another kind.
    #[error("the state root was made for {found} objects, but the repository has {wanted}; use another state root")]
    ObjectFormat {
        /// What the state root holds.
        found: String,
        /// What the repository holds.
        wanted: String,
    },
    /// Somebody holds a lock that is not ours to remove.
    #[error("git holds {path}; wait until it is done, or, if no git is running, type `rm '{path}'`")]
    Locked {
        /// The lock.
        path: PathBuf,
    },
    /// Git failed.
    #[error("git {verb} failed: {why}")]
    Git {
        /// What it was asked to do.
        verb: String,
        /// What it said.
        why: String,
    },
    /// A file or folder could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    /// Names the place an operation failed at.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }

    /// Whether there was no space for what had to be written.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Git { why, .. } | Self::NoRepository { why, .. } => space::says_full(why),
            Self::Io { source, .. } => space::is_full(source),
            Self::NotTakeable { why, .. } => space::says_full(why),
            Self::NoGit
            | Self::UnknownRevision(_)
            | Self::NoIdentity
            | Self::NoCheckout
            | Self::NotOnHead(_)
            | Self::ObjectFormat { .. }
            | Self::NoContent { .. }
            | Self::Damaged { .. }
            | Self::Bare { .. }
            | Self::Locked { .. } => false,
        }
    }

    /// What git said that makes no sense to us.
    pub(super) fn unclear(verb: &str, said: &[u8]) -> Self {
        Self::Git {
            verb: verb.to_string(),
            why: format!("it said `{}`", String::from_utf8_lossy(said).trim()),
        }
    }
}
