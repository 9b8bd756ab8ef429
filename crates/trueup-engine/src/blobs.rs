//! Bodies by digest: what checks and agents printed, and hidden files.

use crate::spool::{sync_folder, write_durably};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};
use trueup_core::{digest::Digest, evidence::Body};

/// A folder of bodies, each under its own digest.
#[derive(Clone, Debug)]
pub struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// The bodies in this folder.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps a body; durable when this returns.
    pub fn put(&self, bytes: &[u8]) -> io::Result<Digest> {
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

    /// Keeps what is left of an output, and how long it was in all.
    pub fn put_body(&self, kept: &[u8], total: u64) -> io::Result<Body> {
        Ok(Body {
            digest: self.put(kept)?,
            bytes: total,
        })
    }

    /// Whether a body is here. One that was erased leaves its digest in
    /// evidence, and the evidence as valid as it was.
    pub fn has(&self, digest: &Digest) -> bool {
        self.path(digest).exists()
    }

    /// A body, if it is here and still what its name says.
    pub fn get(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        let bytes = fs::read(self.path(digest))?;
        if Digest::of(&bytes) == *digest {
            Ok(bytes)
        } else {
            Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the blob {digest} was changed"),
            ))
        }
    }

    /// Where a body lies, if it is here.
    pub(crate) fn path(&self, digest: &Digest) -> PathBuf {
        let name = Path::new(digest.as_str());
        self.folder.join(name)
    }
}
