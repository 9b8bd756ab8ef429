//! Git's lock files: waited for, and where they are ours, healed.

use super::{error::Error, output::GitOutput};
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long one and the same lock may stand before nobody is taken to hold it.
const STALE_AFTER: Duration = Duration::from_secs(2);

/// How long locks are waited for at all.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(50);

/// A lock file, seen at a moment.
struct Sighting {
    path: PathBuf,
    inode: Option<u64>,
    since: Instant,
}

/// Calls git again while a lock stands in its way. A lock below `ours` that
/// did not change for two seconds was left by a killed git, and is removed;
/// a lock elsewhere is never touched.
pub(super) fn patiently(ours: Option<&Path>, call: impl Fn() -> Result<GitOutput, Error>) -> Result<GitOutput, Error> {
    let start = Instant::now();
    let mut seen: Option<Sighting> = None;
    loop {
        let answer = call()?;
        let Some(path) = lock_in_the_way(&answer) else {
            return Ok(answer);
        };
        let inode = fs::symlink_metadata(&path).ok().map(|file| file.ino());
        let since = match &seen {
            Some(last) if last.path == path && last.inode == inode => last.since,
            Some(_) | None => Instant::now(),
        };
        let stale = since.elapsed() >= STALE_AFTER;
        let is_ours = ours.is_some_and(|state| path.starts_with(state));
        if stale && is_ours {
            // A lock that is gone by now is just as well.
            drop(fs::remove_file(&path));
            return call();
        }
        if stale || start.elapsed() >= PATIENCE {
            return Err(Error::Locked { path });
        }
        seen = Some(Sighting { path, inode, since });
        thread::sleep(PAUSE);
    }
}

/// The lock git could not take, if that is why it failed.
fn lock_in_the_way(answer: &GitOutput) -> Option<PathBuf> {
    if answer.succeeded() {
        return None;
    }
    let (_, rest) = answer.stderr.split_once("Unable to create '")?;
    let (path, _) = rest.split_once("': File exists")?;
    path.ends_with(".lock").then(|| PathBuf::from(path))
}
