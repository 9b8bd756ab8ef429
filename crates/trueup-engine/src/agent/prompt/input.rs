//! What a prompt tells besides the brief.

use crate::{sandbox::ReadOnlyMount, travel::Blobs, workspace::Change};
use std::{
    fmt,
    path::{Path, PathBuf},
};
use trueup_core::digest::Digest;

/// Whether an earlier try at this turn was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescued {
    /// It was, and what it left can be looked at.
    Yes,
    /// It was not.
    No,
}

/// What a prompt tells besides the brief.
pub struct PromptInput<'a> {
    /// Where the outputs of checks are read.
    pub blobs: &'a dyn Blobs,
    /// The folder in which those that the agent shall find lie as files.
    pub outputs: &'a Path,
    /// Whether an earlier try was broken off.
    pub rescued: Rescued,
    /// What differs from the base.
    pub changed: &'a [Change],
    /// Where the agent finds what is laid for it.
    pub seen_at: &'a dyn Fn(&ReadOnlyMount) -> PathBuf,
}

impl fmt::Debug for PromptInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene")
            .field("rescued", &self.rescued)
            .finish_non_exhaustive()
    }
}

/// An output that the agent shall find.
#[derive(Clone, Debug)]
pub struct ShownOutput {
    /// The body it is.
    pub body: Digest,
    /// Where it lies, and where the agent finds it.
    pub laid: ReadOnlyMount,
}
