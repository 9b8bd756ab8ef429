//! Lays layers and caches into a room or a workspace: through veils, or as copies.

use super::{FolderPlace, Layers, copy::copy, real_folder::real_folder};
use crate::{
    sandbox::{Folder, LayMethod, TREE, Veil, WritableMount},
    workspace::Room,
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Folders that are shown in one room. What is written into them goes with this.
#[derive(Debug)]
pub struct Shown {
    /// As the sandbox is told.
    pub own: Vec<WritableMount>,
    /// Holds what is written.
    room: Option<Room>,
}

impl Shown {
    /// Where what is written lies.
    pub fn place(&self) -> Option<&Path> {
        self.room.as_ref().map(Room::path)
    }
}

/// What stands in the way of a folder that was to be shown.
#[derive(Debug)]
pub struct InTheWay(pub String);

impl Layers {
    /// Shows folders in a room, to be thrown away with it.
    pub fn show(
        &self,
        name: &str,
        tree: &Path,
        folders: &[(PathBuf, FolderPlace)],
    ) -> io::Result<Result<Shown, InTheWay>> {
        if folders.is_empty() {
            return Ok(Ok(Shown {
                own: Vec::new(),
                room: None,
            }));
        }
        let room = self.beside(&format!("{name}.own")).map_err(io::Error::other)?;
        let mut own = Vec::new();
        for (count, (folder, spot)) in folders.iter().enumerate() {
            match self.own(&room.path().join(count.to_string()), tree, folder, spot)? {
                Some(one) => own.push(one),
                None => return Ok(Err(InTheWay(in_the_way(spot)))),
            }
        }
        Ok(Ok(Shown { own, room: Some(room) }))
    }

    /// Shows folders in a workspace; what is written into them lies below
    /// `place` and is there again the next time. What stands in the way of one
    /// is the agent's own doing, and it goes without.
    pub fn show_for_long(
        &self,
        place: &Path,
        tree: &Path,
        folders: &[(PathBuf, FolderPlace)],
    ) -> io::Result<Vec<WritableMount>> {
        let mut own = Vec::new();
        for (count, (folder, spot)) in folders.iter().enumerate() {
            own.extend(self.own(&place.join(count.to_string()), tree, folder, spot)?);
        }
        Ok(own)
    }

    fn own(&self, place: &Path, tree: &Path, folder: &Path, spot: &FolderPlace) -> io::Result<Option<WritableMount>> {
        let inner = match spot {
            FolderPlace::Tree(path) => match real_folder(tree, path)? {
                Some(_) => Path::new(TREE).join(path),
                None => return Ok(None),
            },
            FolderPlace::Home(path) => self.sandbox.home().join(path),
        };
        let folder = match self.sandbox.way() {
            LayMethod::Veil => Folder::Veiled(Veil::hang(vec![folder.to_owned()], place.to_owned())?),
            LayMethod::Copy => {
                let (done, aside) = (place.join("copy"), place.join("copying"));
                if !done.is_dir() {
                    // What a killed process copied halfway is copied anew.
                    crate::workspace::remove_folder(&aside).map_err(io::Error::other)?;
                    copy(folder, &aside)?;
                    std::fs::rename(&aside, &done)?;
                }
                Folder::Plain(done)
            }
        };
        Ok(Some(WritableMount { folder, inner }))
    }
}

fn in_the_way(spot: &FolderPlace) -> String {
    let path = match spot {
        FolderPlace::Tree(path) | FolderPlace::Home(path) => path.display(),
    };
    format!("something that is no folder stands in the way of `{path}`")
}
