//! Refs of our own git directories, written as git writes them.

use super::{Error, folder, git::Git};
use crate::crash;
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// Points a ref of ours to an object; on disk when this returns. The file is
/// locked, written and renamed in git's own way, which saves a process per
/// turn. Whatever stands in the way of that is left to git, who knows how to
/// wait, and whose refs need not be files at all.
pub(super) fn point(git: &Git, git_dir: &Path, name: &str, object: &str) -> Result<(), Error> {
    if git_dir.join("reftable").exists() || write(&git_dir.join(name), object).is_err() {
        git.run(&["update-ref", name, object])?;
    }
    folder::settle_ref(git_dir, name)
}

fn write(path: &Path, object: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    }
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let lock = PathBuf::from(lock);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&lock)?;
    crash::point("ref.locked");
    let written = writeln!(file, "{object}")
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&lock, path));
    if written.is_err() {
        // What cannot be removed is removed by the git that waits for it.
        drop(fs::remove_file(&lock));
    }
    written
}
