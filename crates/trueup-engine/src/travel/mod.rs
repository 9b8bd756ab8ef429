//! What must travel with a run, so that another machine can take it up. Each
//! thing has a port of its own; no path, no lock and no process of a machine
//! stands in a signature.
//!
//! Every port is kept in folders of the state root, and by a twin in memory;
//! both pass one conformance suite. All of them block, and none of them waits
//! for another run: an async caller hands them to a thread that may block.

mod blobs;
mod memo;
mod ports;
mod sessions;
mod shared;
mod spool;
mod trees;

pub use self::{
    blobs::{Blobs, FolderBlobs, MemoryBlobs},
    memo::{FolderMemo, Memo, MemoFolders, MemoryMemo},
    ports::Ports,
    sessions::{FolderSessions, MemorySessions, SessionFiles, Sessions},
    spool::{FolderSpool, MemorySpool, Spool},
    trees::{Carried, MemoryTrees, Moved, Trees},
};

pub(crate) use self::trees::{of_run, require_own, require_unmoved};
