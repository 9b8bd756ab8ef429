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

mod clone;
mod deliver;
mod error;
mod facts;
mod folder;
mod git;
mod lent;
mod lock;
mod person;
mod room;
mod snapshot;
mod store;
mod take;
mod uncommitted;
mod walk;

pub use self::{deliver::Delivery, error::Error, facts::Change, person::checkout_of, room::Room, snapshot::Snapshot};

use self::{git::Git, person::Person};
use crate::state::StateRoot;
use std::path::Path;

/// Everything git does for one repository's runs.
#[derive(Clone, Debug)]
pub struct Workspaces {
    state: StateRoot,
    person: Person,
}

impl Workspaces {
    /// Opens the repository round `checkout` and makes the two git directories
    /// of its state root, unless they are there. Many processes may do so at once.
    pub fn open(state: &StateRoot, checkout: &Path) -> Result<Self, Error> {
        let person = Person::find(checkout)?;
        let workspaces = Self {
            state: state.clone(),
            person,
        };
        workspaces.make_stores()?;
        Ok(workspaces)
    }

    /// Git in the directory that holds bases.
    fn store(&self) -> Git {
        Git::ours(self.state.path(), &self.state.store())
    }

    /// Git in the directory that holds results; it sees every base, too.
    fn results(&self) -> Git {
        Git::ours(self.state.path(), &self.state.results())
    }
}
