//! Folders that are built aside, and folders that must go.

use super::error::Error;
use crate::deep;
use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// How long ago a folder may have changed and not be on disk yet. Every system
/// writes back sooner by itself; this also covers what a killed process left.
const SETTLES_WITHIN: Duration = Duration::from_secs(60 * 60);

/// How many files are flushed at once: what waits together is written together.
const AT_ONCE: usize = 16;

/// How long a git may outlive the trueup that started it.
const OUTLIVES: Duration = Duration::from_secs(10);

static COUNT: AtomicU64 = AtomicU64::new(0);

/// A folder that is removed when it is dropped. Its maker holds a lock on it,
/// so that whoever sweeps knows the living from the killed.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    #[expect(dead_code, reason = "it is held, not read: its life is the maker's")]
    held: File,
}

impl Scratch {
    /// Makes a folder of a name nobody else has, below `parent`.
    pub(crate) fn new(parent: &Path, prefix: &str) -> Result<Self, Error> {
        loop {
            let path = parent.join(unique(prefix));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(Error::at(&path)(error)),
            }
            // Somebody who sweeps may have come between making and holding.
            if let Some(held) = hold(&path).map_err(Error::at(&path))? {
                return Ok(Self { path, held });
            }
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is removed by whoever sweeps later.
        drop(remove(&self.path));
    }
}

/// A name that no living process uses.
pub(super) fn unique(prefix: &str) -> String {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{prefix}.{}.{count}", rustix::process::getpid().as_raw_nonzero())
}

/// Removes a folder and everything in it, also where whoever wrote it took
/// away the right to. Nothing there is success.
pub(crate) fn remove(folder: &Path) -> Result<(), Error> {
    let until = Instant::now() + OUTLIVES;
    loop {
        match deep::remove(folder) {
            Ok(()) => return Ok(()),
            // A git that outlived its killed trueup still writes here.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty && Instant::now() < until => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(error) => return Err(Error::at(folder)(error)),
        }
    }
}

/// Removes what killed processes left below `parent` under this prefix.
pub(crate) fn sweep(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    let ours = |name: &OsStr| name.to_string_lossy().starts_with(prefix);
    for entry in entries.flatten().filter(|entry| ours(&entry.file_name())) {
        let Ok(folder) = File::open(entry.path()) else { continue };
        if folder.try_lock().is_ok() {
            // Another process may sweep at the same moment.
            drop(remove(&entry.path()));
        }
    }
}

/// Holds a folder that was just made; `None` if it was swept away by then.
fn hold(path: &Path) -> io::Result<Option<File>> {
    let folder = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    folder.lock_shared()?;
    Ok(path.exists().then_some(folder))
}

/// Copies an index with its time. Git takes a file that changed in the second
/// its index was written for suspect; a copy with a later time would lull it.
pub(super) fn copy_index(from: &Path, to: &Path) -> Result<(), Error> {
    let written = match fs::metadata(from) {
        Ok(index) => index.modified().map_err(Error::at(from))?,
        // A repository without an index has nothing staged.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::at(from)(error)),
    };
    fs::copy(from, to).map_err(Error::at(to))?;
    let copy = File::options().write(true).open(to).map_err(Error::at(to))?;
    copy.set_modified(written).map_err(Error::at(to))
}

/// Puts a folder that was built aside into its place, on disk.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    match to.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

/// Puts everything below a small folder on disk, bytes and names.
pub(super) fn flush(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::at(folder))?.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            flush(&entry.path())?;
        } else {
            sync(&entry.path())?;
        }
    }
    sync(folder)
}

/// Puts on disk the names of what git has just written. Git flushes objects
/// and refs themselves, but never the folders that name them, and an object
/// without a name is lost.
pub(super) fn settle(git_dir: &Path, reference: &str) -> Result<(), Error> {
    settle_objects(git_dir)?;
    settle_ref(git_dir, reference)
}

/// Puts the names of objects on disk.
pub(super) fn settle_objects(git_dir: &Path) -> Result<(), Error> {
    let objects = git_dir.join("objects");
    let listed = fs::read_dir(&objects).map_err(Error::at(&objects))?;
    let mut folders: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    folders.push(objects);
    folders.retain(|folder| is_unsettled(folder));
    sync_all(&folders)
}

/// Puts the name of a ref on disk.
pub(super) fn settle_ref(git_dir: &Path, reference: &str) -> Result<(), Error> {
    let name = git_dir.join(reference);
    let above = name.ancestors().skip(1).map(Path::to_path_buf);
    let mut folders: Vec<PathBuf> = above.take_while(|folder| folder.starts_with(git_dir)).collect();
    folders.push(git_dir.join("reftable"));
    folders.retain(|folder| is_unsettled(folder));
    sync_all(&folders)
}

/// Writes a file that need not outlive a crash, or is flushed with its folder.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        make_folder(parent)?;
    }
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path);
    file.and_then(|mut file| file.write_all(bytes)).map_err(Error::at(path))
}

/// Makes a folder of ours, and those above it.
pub(super) fn make_folder(folder: &Path) -> Result<(), Error> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(Error::at(folder))
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

fn sync(path: &Path) -> Result<(), Error> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(Error::at(path))
}

/// Whether a folder changed so lately that its names may not be on disk.
/// Flushing all of them would cost a large repository a second per turn.
fn is_unsettled(folder: &Path) -> bool {
    let Ok(about) = fs::metadata(folder) else { return false };
    let changed = about.modified().ok();
    let age = changed.and_then(|changed| SystemTime::now().duration_since(changed).ok());
    about.is_dir() && age.is_none_or(|age| age < SETTLES_WITHIN)
}
