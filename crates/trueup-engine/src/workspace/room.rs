//! Clean rooms: fresh checkouts of a tree that no agent ever saw.

use super::{Error, Workspaces, folder, folder::Scratch};
use crate::state::make_private;
use std::{fs, path::Path};
use trueup_core::id::{RunId, TreeId};

/// A clean room; it is removed when this is dropped.
#[derive(Debug)]
pub struct Room {
    scratch: Scratch,
}

impl Room {
    /// Where its files are.
    pub fn path(&self) -> &Path {
        self.scratch.path()
    }
}

impl Workspaces {
    /// Writes a tree's files, and nothing else, into a fresh folder. There is
    /// no `.git` in it. Not by `git archive`: a tree can tell that to leave
    /// files out.
    pub fn room(&self, run: &RunId, name: &str, tree: &TreeId) -> Result<Room, Error> {
        let rooms = self.state.rooms(run);
        make_private(&rooms).map_err(Error::at(&rooms))?;
        let scratch = Scratch::new(&rooms, name)?;
        let index = rooms.join(folder::unique(&format!("{name}.index")));
        let git = self.results().throwaway().work_tree(scratch.path()).index(&index);
        let written = git
            .run(&["read-tree", tree.as_str()])
            .and_then(|_| git.run(&["checkout-index", "--all", "--force"]));
        // One that cannot be removed goes with the next sweep.
        drop(fs::remove_file(&index));
        written.map(|_| Room { scratch })
    }

    /// Removes what killed processes left of a run's rooms. Only whoever
    /// drives the run may call this, and while no check runs.
    pub fn sweep_rooms(&self, run: &RunId) -> Result<(), Error> {
        folder::remove(&self.state.rooms(run))
    }
}
