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

pub mod behind;
mod branches;
mod clean;
mod clone;
mod deliver;
mod error;
mod facts;
pub(crate) mod folder;
mod git;
mod ignore;
mod index;
mod lent;
mod lfs;
mod lock;
mod names;
mod object;
mod packs;
mod person;
mod quarantine;
mod quick;
mod refs;
mod repository;
mod restage;
mod rights;
mod room;
mod snapshot;
mod store;
mod submodule;
mod take;
mod uncommitted;
mod upper;
mod veiled;
mod walk;

pub(crate) use self::folder::remove as remove_folder;
pub use self::{
    deliver::Delivery,
    error::Error,
    facts::{Change, Resorted, Thing},
    person::checkout_of,
    rights::{Measure, PutBack},
    room::Room,
    snapshot::Snapshot,
};

use self::{git::Git, person::Person, veiled::Veiling};
use crate::state::StateRoot;
use std::path::Path;

/// Everything git does for one repository's runs.
#[derive(Clone, Debug)]
pub struct Workspaces {
    state: StateRoot,
    person: Person,
    veiling: Veiling,
}

impl Workspaces {
    /// Opens the repository round `checkout` and makes the two git directories
    /// of its state root, unless they are there. Many processes may do so at once.
    pub fn open(state: &StateRoot, checkout: &Path) -> Result<Self, Error> {
        let person = Person::find(checkout)?;
        let workspaces = Self {
            state: state.clone(),
            person,
            veiling: Veiling::default(),
        };
        workspaces.make_stores()?;
        Ok(workspaces)
    }

    /// Packs both git directories. Every base and everything a run ever left
    /// has its ref, so nothing that evidence names is lost; what has none may
    /// be on its way to one for a day.
    pub fn pack(&self) -> Result<(), Error> {
        for git in [self.store(), self.results()] {
            // Refs stay as they are: packing them would hold a lock that every run needs.
            git.run(&["-c", "gc.packRefs=false", "gc", "--quiet", "--prune=1.day.ago"])?;
        }
        Ok(())
    }

    /// Git in the directory that holds bases.
    fn store(&self) -> Git {
        Git::ours(self.state.path(), &self.state.store()).private()
    }

    /// Git in the directory that holds results; it sees every base, too.
    fn results(&self) -> Git {
        Git::ours(self.state.path(), &self.state.results()).private()
    }
}
