//! Refs of our own git directories, written as git writes them.

use super::{
    error::Error,
    folder::{self, sync_all},
    git::Git,
    output::text,
};
use crate::crash;
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// What a ref points to.
pub(super) fn target(git: &Git, name: &str) -> Result<Option<String>, Error> {
    let answer = git.call(&["rev-parse", "--verify", "--quiet", "--end-of-options", name], &[])?;
    let found = text(&answer.stdout);
    Ok((answer.succeeded() && !found.is_empty()).then_some(found))
}

/// Points a ref of ours to an object; on disk when this returns.
pub(super) fn point(git: &Git, git_dir: &Path, name: &str, object: &str) -> Result<(), Error> {
    let update = RefUpdate::begin(git_dir, name, object);
    if let Some(file) = update.file() {
        sync_all(&[file.to_owned()])?;
    }
    update.end(git)
}

/// A ref that is about to point to an object. The file is locked, written and
/// renamed in git's own way, which saves a process per turn. Whatever stands
/// in the way of that is left to git, who knows how to wait, and whose refs
/// need not be files at all.
pub(super) struct RefUpdate<'a> {
    git_dir: &'a Path,
    name: &'a str,
    object: &'a str,
    /// The locked file; none if git does it all.
    lock: Option<PathBuf>,
}

impl<'a> RefUpdate<'a> {
    /// Locks the ref and writes where it will point to.
    pub(super) fn begin(git_dir: &'a Path, name: &'a str, object: &'a str) -> Self {
        let lock = match git_dir.join("reftable").exists() {
            true => None,
            false => write(&git_dir.join(name), object).ok(),
        };
        Self {
            git_dir,
            name,
            object,
            lock,
        }
    }

    /// What is to be flushed before the end.
    pub(super) fn file(&self) -> Option<&Path> {
        self.lock.as_deref()
    }

    /// Points the ref, on disk.
    pub(super) fn end(mut self, git: &Git) -> Result<(), Error> {
        let lock = self.lock.take();
        let renamed = lock.is_some_and(|lock| {
            let renamed = fs::rename(&lock, self.git_dir.join(self.name)).is_ok();
            if !renamed {
                drop(fs::remove_file(&lock));
            }
            renamed
        });
        if !renamed {
            git.run(&["update-ref", self.name, self.object])?;
        }
        folder::settle_ref(self.git_dir, self.name)
    }
}

impl Drop for RefUpdate<'_> {
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            // What cannot be removed is removed by the git that waits for it.
            drop(fs::remove_file(lock));
        }
    }
}

/// Locks a ref's file, and writes what it is to hold into the lock.
fn write(path: &Path, object: &str) -> io::Result<PathBuf> {
    if let Some(parent) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    }
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let lock = PathBuf::from(lock);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&lock)?;
    crash::point("ref.locked");
    if let Err(error) = writeln!(file, "{object}") {
        drop(fs::remove_file(&lock));
        return Err(error);
    }
    Ok(lock)
}
