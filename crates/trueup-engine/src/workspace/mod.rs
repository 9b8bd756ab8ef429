//! A private clone for the agent, snapshots and clean rooms for the engine.
//!
//! Four places, and what flows between them:
//!
//! - the *person's repository* is read when a run opens and written once, when
//!   its branch is delivered; its checkout and index are never written;
//! - *store.git* receives the history of bases and nothing else;
//! - the *workspace* is the clone an agent works in: it borrows from the store
//!   and belongs to the agent, so the engine never trusts its `.git`;
//! - *results.git* holds what the engine snapshots, and no agent sees it.
//!
//! Everything here blocks; an async caller hands it to a blocking thread.

mod alternates;
mod answers;
mod carry;
mod changes;
mod classify;
mod clone;
mod deliver;
mod error;
mod facts;
pub(crate) mod folder;
mod git;
mod ignore;
mod index;
mod lfs;
mod lock;
mod names;
mod objects;
mod output;
mod overlay;
pub mod overlay_child;
mod overlay_snapshot;
mod pack;
mod person;
mod quarantine;
mod questions;
mod refs;
mod repository;
mod rights;
mod room;
mod snapshot;
mod stage;
mod stage_plain;
mod store;
mod submodule;
mod tip;
mod uncommitted;
mod walk;
mod whereabouts;
mod workspaces;

pub(crate) use self::folder::remove as remove_folder;
pub use self::{
    deliver::Delivery,
    error::Error,
    facts::{Change, EntryKind, KindChange},
    git::{program as git_program, take_nothing_from},
    person::{CheckoutOrder, RepositoryPaths, paths_of},
    rights::{RestoredTree, TurnRights},
    room::Room,
    snapshot::Snapshot,
    workspaces::Workspaces,
};
