//! What may stop checks and what is prepared for them.

use crate::workspace;
use std::io;
use trueup_core::event::{Shortage, Stop};

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
