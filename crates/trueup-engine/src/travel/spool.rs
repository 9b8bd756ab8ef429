//! Outcomes that are final but not yet kept, by the id of their effect.
//!
//! A crash can fall between doing and keeping. What was done is spooled first,
//! so that a redo finds it and does not do it twice.

use super::shared::held;
use crate::{state::make_private, write::write_durably};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    fmt::Debug,
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex},
};

/// Keeps the records of one run until their events are kept.
pub trait Spool: Debug + Send + Sync {
    /// The record of this name, if there is one.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Keeps a record whole, or not at all; durable when this returns.
    fn write(&self, name: &str, record: &[u8]) -> io::Result<()>;

    /// Forgets a record, if it is there. A machine that loses its power may
    /// remember it once more, so whoever reads it must be able to bear that.
    fn remove(&self, name: &str) -> io::Result<()>;
}

impl dyn Spool + '_ {
    /// What was spooled under this name. A record that cannot be read counts
    /// as absent: the effect is then done again, which its id makes safe.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&self.read(name).ok()??).ok()
    }

    /// Spools a record; durable when this returns.
    pub fn put<T: Serialize>(&self, name: &str, record: &T) -> io::Result<()> {
        self.write(name, &serde_json::to_vec(record)?)
    }
}

/// Records as files of a folder.
#[derive(Clone, Debug)]
pub struct FolderSpool {
    folder: PathBuf,
}

impl FolderSpool {
    /// The spool in this folder, made if need be.
    pub fn at(folder: PathBuf) -> io::Result<Self> {
        make_private(&folder)?;
        Ok(Self { folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }
}

impl Spool for FolderSpool {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    fn write(&self, name: &str, record: &[u8]) -> io::Result<()> {
        write_durably(&self.path(name), record)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Records in memory. A clone shows the same ones.
#[derive(Clone, Debug, Default)]
pub struct MemorySpool(Arc<Mutex<BTreeMap<String, Vec<u8>>>>);

impl Spool for MemorySpool {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(held(&self.0).get(name).cloned())
    }

    fn write(&self, name: &str, record: &[u8]) -> io::Result<()> {
        held(&self.0).insert(name.to_owned(), record.to_vec());
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        held(&self.0).remove(name);
        Ok(())
    }
}
