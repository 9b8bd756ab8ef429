//! Outcomes that are final but not yet kept, by the id of their effect.
//!
//! A crash can fall between doing and keeping. What was done is spooled first,
//! so that a redo finds it and does not do it twice.

use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
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

    /// Forgets a record, if it is there.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => sync_folder(&self.folder),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }
}

/// Writes a file that is whole and on disk when this returns, or not there.
pub fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let unique = format!(
        ".{}.{}.tmp",
        path.file_name().and_then(|name| name.to_str()).unwrap_or("file"),
        rustix::process::getpid().as_raw_nonzero()
    );
    let temporary = folder.join(unique);
    let mut file = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    sync_folder(folder)
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
