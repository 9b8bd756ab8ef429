//! New objects on their way into a git directory of ours.
//!
//! Git can flush every object by itself, one after the other, and each waits
//! for the disk alone. Here objects are written aside without waiting; then all
//! are flushed at once, and only what is on disk gets its name.

use super::{
    error::Error,
    folder::{self, make_folder, sync_all},
    git::{Git, quoted},
    workspaces::Workspaces,
};
use crate::crash;
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// The folder of packs among objects.
const PACKS: &str = "pack";

/// What a pack is made of. Whoever reads looks for the index, so it gets its
/// name last.
const PACK_FILES: [&str; 2] = ["pack", "idx"];

/// A folder of objects nobody else sees yet.
pub(super) struct Quarantine {
    scratch: folder::Scratch,
    /// The objects they are going to be among.
    objects: PathBuf,
}

impl Workspaces {
    /// A folder for new objects of results.
    pub(super) fn quarantine(&self) -> Result<Quarantine, Error> {
        Ok(Quarantine {
            scratch: folder::Scratch::new(self.state.path(), "incoming")?,
            objects: self.state.results().join("objects"),
        })
    }
}

impl Quarantine {
    /// This git, whose new objects go aside.
    pub(super) fn git(&self, git: Git) -> Git {
        git.throwaway()
            .variable("GIT_OBJECT_DIRECTORY", self.scratch.path())
            .variable("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted(&self.objects))
    }

    /// A folder in it for packs.
    pub(super) fn packs(&self) -> Result<PathBuf, Error> {
        let packs = self.scratch.path().join(PACKS);
        make_folder(&packs)?;
        Ok(packs)
    }

    /// Puts the objects, and these files, on disk; then the objects in their
    /// places, and their names on disk as well.
    pub(super) fn release(self, beside: &[PathBuf]) -> Result<(), Error> {
        let here = self.scratch.path();
        let found = objects(here).map_err(Error::at(here))?;
        let mut files: Vec<PathBuf> = found.iter().map(|name| here.join(name)).collect();
        files.extend_from_slice(beside);
        sync_all(&files)?;
        crash::point("quarantine.flushed");
        let mut folders = BTreeSet::new();
        for name in &found {
            let place = self.objects.join(name);
            let folder = place.parent().unwrap_or(&self.objects);
            if folders.insert(folder.to_owned()) && !folder.is_dir() {
                make_folder(folder)?;
                folders.insert(self.objects.clone());
            }
            fs::rename(here.join(name), &place).map_err(Error::at(&place))?;
        }
        crash::point("quarantine.released");
        sync_all(&Vec::from_iter(folders))
    }
}

/// The names of loose objects and packs, each with its folder.
fn objects(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for outer in fs::read_dir(folder)? {
        let outer = outer?;
        if outer.file_name().len() != 2 || !outer.file_type()?.is_dir() {
            continue;
        }
        for inner in fs::read_dir(outer.path())? {
            found.push(Path::new(&outer.file_name()).join(inner?.file_name()));
        }
    }
    let packs = match fs::read_dir(folder.join(PACKS)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        listed => listed?.collect::<io::Result<Vec<_>>>()?,
    };
    let packs: Vec<PathBuf> = packs.iter().map(|entry| PathBuf::from(entry.file_name())).collect();
    for kind in PACK_FILES {
        let files = packs
            .iter()
            .filter(|name| name.extension().is_some_and(|ext| ext == kind));
        found.extend(files.map(|name| Path::new(PACKS).join(name)));
    }
    Ok(found)
}
