//! New objects on their way into a git directory of ours.
//!
//! Git can flush every object by itself, one after the other, and each waits
//! for the disk alone. Here it writes them aside without waiting; then all are
//! flushed at once, and only what is on disk gets its name.

use super::{Error, Workspaces, folder, git::Git, uncommitted::borrowed};
use std::os::unix::fs::DirBuilderExt as _;
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    thread,
};

/// How many files are flushed at once: what waits together is written together.
const AT_ONCE: usize = 16;

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
            .variable("GIT_ALTERNATE_OBJECT_DIRECTORIES", borrowed(&self.objects))
    }

    /// Puts the objects, and another file, on disk; then the objects in their
    /// places, and their names on disk as well.
    pub(super) fn release(self, beside: &Path) -> Result<(), Error> {
        let here = self.scratch.path();
        let found = objects(here).map_err(Error::at(here))?;
        let mut files: Vec<PathBuf> = found.iter().map(|name| here.join(name)).collect();
        files.push(beside.to_owned());
        sync_all(&files)?;
        for name in &found {
            let place = self.objects.join(name);
            let folder = place.parent().unwrap_or(&self.objects);
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(Error::at(folder))?;
            fs::rename(here.join(name), &place).map_err(Error::at(&place))?;
        }
        Ok(())
    }
}

/// The names of loose objects, each with its folder.
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
    Ok(found)
}

/// Puts files or folders on disk, many at a time.
pub(super) fn sync_all(paths: &[PathBuf]) -> Result<(), Error> {
    let sync = |path: &PathBuf| {
        File::open(path)
            .and_then(|file| file.sync_all())
            .map_err(Error::at(path))
    };
    if let [only] = paths {
        return sync(only);
    }
    let share = paths.len().div_ceil(AT_ONCE).max(1);
    thread::scope(|scope| {
        let mut shares = paths.chunks(share);
        let first = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|some| scope.spawn(move || some.iter().try_for_each(sync)))
            .collect();
        let first = first.iter().try_for_each(sync);
        let others = others.into_iter().map(|share| {
            let lost = || Error::unclear("sync", b"a thread that flushes files is not there");
            share.join().map_err(|_| lost())?
        });
        others.fold(first, Result::and)
    })
}
