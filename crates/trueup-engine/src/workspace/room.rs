//! Clean rooms: fresh checkouts of a tree that no agent ever saw.

use super::{
    error::Error,
    folder::{self, Scratch},
    submodule::Indexes,
    workspaces::Workspaces,
};
use crate::state::make_private;
use std::{fs, io, path::Path};
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

impl Room {
    /// Puts the room into a place of its own, where it stays.
    pub(crate) fn move_to(self, place: &Path) -> io::Result<()> {
        // What is dropped afterwards is not there any more.
        folder::rename(self.path(), place)
    }
}

impl Workspaces {
    /// A fresh folder beside a run's rooms, with nothing in it.
    pub(crate) fn empty_room(&self, run: &RunId, name: &str) -> Result<Room, Error> {
        let rooms = self.state.rooms(run);
        make_private(&rooms).map_err(Error::at(&rooms))?;
        let scratch = Scratch::new(&rooms, name)?;
        Ok(Room { scratch })
    }

    /// Writes a tree's files, and nothing else, into a fresh folder. There is
    /// no `.git` in it.
    pub fn room(&self, run: &RunId, name: &str, tree: &TreeId) -> Result<Room, Error> {
        let room = self.empty_room(run, name)?;
        let index = self.state.rooms(run).join(folder::unique(&format!("{name}.index")));
        let written = self.check_out(tree, room.path(), &index, Indexes::Discarded);
        // One that cannot be removed goes with the next sweep.
        drop(fs::remove_file(&index));
        written.map(|()| room)
    }

    /// Removes what killed processes left of a run's rooms. Only whoever
    /// drives the run may call this, and while no check runs.
    pub fn sweep_rooms(&self, run: &RunId) -> Result<(), Error> {
        folder::remove(&self.state.rooms(run))
    }
}
