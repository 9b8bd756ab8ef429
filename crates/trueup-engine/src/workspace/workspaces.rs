//! Where everything of one repository's runs lies, and the gits that work there.

use super::{answers::Answers, error::Error, git::Git, person::PersonRepository};
use crate::{sandbox::Laying, state::StateRoot};
use std::path::PathBuf;

/// Everything git does for one repository's runs.
#[derive(Clone, Debug)]
pub struct Workspaces {
    pub(super) state: StateRoot,
    pub(super) person: PersonRepository,
    pub(super) overlays: Overlays,
    /// What git said of trees.
    pub(super) answers: Answers,
}

/// Which workspaces are overlays, and who can mount them.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlays {
    pub(super) laying: Laying,
    /// The program that can mount overlays; nobody where there is none.
    pub(super) entry: Option<PathBuf>,
}

impl Workspaces {
    /// Lays workspaces in this way; `entry` is the program that can mount overlays.
    #[must_use]
    pub fn laying(mut self, laying: Laying, entry: PathBuf) -> Self {
        self.overlays = Overlays {
            laying,
            entry: Some(entry),
        };
        self
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
    pub(super) fn store(&self) -> Git {
        Git::ours(self.state.path(), &self.state.store()).private()
    }

    /// Git in the directory that holds results; it sees every base, too.
    pub(super) fn results(&self) -> Git {
        Git::ours(self.state.path(), &self.state.results()).private()
    }
}
