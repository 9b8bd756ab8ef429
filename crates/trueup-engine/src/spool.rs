//! Outcomes that are final but not yet kept, by the id of their effect.
//!
//! A crash can fall between doing and keeping. What was done is spooled first,
//! so that a redo finds it and does not do it twice.

use crate::fault::{self, Fault};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// The spool of one run.
#[derive(Clone, Debug)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// The spool in this folder.
    pub fn at(folder: PathBuf) -> io::Result<Self> {
        crate::state::make_private(&folder)?;
        Ok(Self { folder })
    }

    /// What was spooled under this name. A record that cannot be read counts
    /// as absent: the effect is then done again, which its id makes safe.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.path(name)).ok()?).ok()
    }

    /// Spools a record; durable when this returns.
    pub fn put<T: Serialize>(&self, name: &str, record: &T) -> io::Result<()> {
        write_durably(&self.path(name), &serde_json::to_vec(record)?)
    }

    /// Forgets a record, if it is there. A machine that loses its power may
    /// remember it once more, so whoever reads it must be able to bear that.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }
}

/// Writes a file that is whole and on disk when this returns, or not there.
///
/// It is written aside under one name, not one per writer, so that what a
/// killed process left is taken up by whoever does its work again.
pub fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let aside = folder.join(format!(".{name}.tmp"));
    let mut file = alone_at(&aside)?;
    file.set_len(0)?;
    let written = file.write_all(bytes);
    if written.is_ok() && fault::planted(Fault::SyncsLate) {
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            file.sync_all()
        });
        return fs::rename(&aside, path);
    }
    if let Err(error) = written.and_then(|()| file.sync_all()) {
        // What was written of it takes space that somebody needs more.
        drop(file.set_len(0));
        return Err(error);
    }
    fs::rename(&aside, path)?;
    sync_folder(folder)
}

/// Writes a file of ours that nothing names, so that it may be lost with the
/// machine's power.
pub(crate) fn write_quickly(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = File::options();
    let file = options.write(true).create(true).truncate(true).mode(0o600).open(path);
    file?.write_all(bytes)
}

/// Has everything written so far on the file system of this folder on disk.
#[cfg(target_os = "linux")]
pub(crate) fn sync_all_round(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Has everything written so far on disk; this system syncs all or one file.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sync_all_round(_folder: &Path) -> io::Result<()> {
    rustix::fs::sync();
    Ok(())
}

/// The file at this path, made if need be and held against every other writer
/// until it is closed.
fn alone_at(path: &Path) -> io::Result<File> {
    loop {
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)?;
        file.lock()?;
        // Whoever held it until now has put it into its place: that is not ours to write to.
        if fs::metadata(path).is_ok_and(|there| file.metadata().is_ok_and(|ours| ours.ino() == there.ino())) {
            return Ok(file);
        }
    }
}

/// Puts the names in a folder on disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
