//! All ports of one run, made at one place.

use super::{Blobs, FolderBlobs, FolderMemo, FolderSessions, FolderSpool, Memo, MemoFolders, Sessions, Spool};
use crate::state::StateRoot;
use std::{io, sync::Arc};
use trueup_core::id::RunId;

/// What travels with one run besides its trees.
#[derive(Clone, Debug)]
pub struct Ports {
    /// Bodies, by digest.
    pub blobs: Arc<dyn Blobs>,
    /// What checks ever answered, and what was seen standing.
    pub memo: Arc<dyn Memo>,
    /// Conversations of the run's agents.
    pub sessions: Arc<dyn Sessions>,
    /// Outcomes that are final but not yet kept.
    pub spool: Arc<dyn Spool>,
}

impl Ports {
    /// The ports of a run, in the folders of a state root.
    pub fn in_folders(state: &StateRoot, run: &RunId) -> io::Result<Self> {
        let own = state.run(run);
        Ok(Self {
            blobs: Arc::new(FolderBlobs::at(state.blobs())),
            memo: Arc::new(FolderMemo::at(&MemoFolders {
                answers: state.answers(),
                controls: state.controls(),
                looks: state.looks(),
            })),
            sessions: Arc::new(FolderSessions::at(own.join("sessions"))),
            spool: Arc::new(FolderSpool::at(own.join("spool"))?),
        })
    }
}
