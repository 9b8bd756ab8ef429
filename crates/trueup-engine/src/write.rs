//! How files of ours are written: durably where something names them, quickly
//! where nothing does.

use crate::fault::{self, Fault};
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

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
