//! Bodies by digest: what checks and agents printed, and hidden files.

use super::shared::held;
use crate::write::{sync_folder, write_durably};
use std::{
    collections::BTreeMap,
    fmt::Debug,
    fs::{self, File},
    io,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::SystemTime,
};
use trueup_core::{digest::Digest, evidence::Body};

/// Keeps bodies, each under its own digest.
pub trait Blobs: Debug + Send + Sync {
    /// Keeps a body; durable when this returns.
    fn put(&self, bytes: &[u8]) -> io::Result<Digest>;

    /// A body, if it is here and still what its name says. One that is not
    /// here is [`io::ErrorKind::NotFound`].
    fn get(&self, digest: &Digest) -> io::Result<Vec<u8>>;

    /// Whether a body is here. One that was erased leaves its digest in
    /// evidence, and the evidence as valid as it was.
    fn has(&self, digest: &Digest) -> bool;
}

impl dyn Blobs + '_ {
    /// Keeps what is left of an output, and how long it was in all.
    pub fn put_body(&self, kept: &[u8], total: u64) -> io::Result<Body> {
        Ok(Body {
            digest: self.put(kept)?,
            bytes: total,
        })
    }
}

/// Bodies as files of a folder.
#[derive(Clone, Debug)]
pub struct FolderBlobs {
    folder: PathBuf,
}

impl FolderBlobs {
    /// The bodies in this folder.
    pub const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        self.folder.join(digest.as_str())
    }
}

impl Blobs for FolderBlobs {
    fn put(&self, bytes: &[u8]) -> io::Result<Digest> {
        let digest = Digest::of(bytes);
        let path = self.path(&digest);
        // Somebody who erases old bodies sees by its time that this one is wanted again.
        let there = File::options().write(true).open(&path);
        let touched = there.and_then(|there| there.set_modified(SystemTime::now()));
        if touched.is_ok() && path.exists() {
            // Whoever wrote it may have been killed before its name was on disk.
            sync_folder(&self.folder)?;
        } else {
            write_durably(&path, bytes)?;
        }
        Ok(digest)
    }

    fn get(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        unchanged(fs::read(self.path(digest))?, digest)
    }

    fn has(&self, digest: &Digest) -> bool {
        self.path(digest).exists()
    }
}

/// Bodies in memory. A clone shows the same ones.
#[derive(Clone, Debug, Default)]
pub struct MemoryBlobs(Arc<Mutex<BTreeMap<Digest, Vec<u8>>>>);

impl Blobs for MemoryBlobs {
    fn put(&self, bytes: &[u8]) -> io::Result<Digest> {
        let digest = Digest::of(bytes);
        held(&self.0).insert(digest.clone(), bytes.to_vec());
        Ok(digest)
    }

    fn get(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        let found = held(&self.0).get(digest).cloned();
        unchanged(found.ok_or(io::ErrorKind::NotFound)?, digest)
    }

    fn has(&self, digest: &Digest) -> bool {
        held(&self.0).contains_key(digest)
    }
}

fn unchanged(bytes: Vec<u8>, digest: &Digest) -> io::Result<Vec<u8>> {
    if Digest::of(&bytes) == *digest {
        return Ok(bytes);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the blob {digest} was changed"),
    ))
}
