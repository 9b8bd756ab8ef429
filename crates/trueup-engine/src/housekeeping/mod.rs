//! Housekeeping: what of a state root is of no more use, and what it all takes.
//!
//! Nothing that an unfinished run needs is ever touched: its workspace, its
//! spool, the bodies and objects its events name. Runs that are opened while
//! this works are kept safe by locks and by age, as each step says.

mod alternates;
mod blobs;
mod disk;
mod runs;

pub use disk::{DiskUse, biggest, by_kind};

use crate::{clock::Clock, space::size_of, state::StateRoot};
use std::{
    fs::{self, File},
    io,
    path::Path,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use trueup_core::{
    digest::Digest,
    id::{CommitId, RunId, Timestamp, TreeId},
};

/// How long one housekeeper waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long layers and caches are kept without being used.
const LAYERS_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Nothing younger than this is taken for forgotten.
const AN_HOUR: Duration = Duration::from_secs(60 * 60);

/// What the journal says of one run.
#[derive(Clone, Debug)]
pub struct KnownRun {
    /// The run.
    pub run: RunId,
    /// Whether it is over.
    pub liveness: Liveness,
    /// The base it started from.
    pub base: CommitId,
    /// That base's tree.
    pub tree: TreeId,
    /// Every digest its events name.
    pub names: Vec<Digest>,
}

/// Whether a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// It may still go on.
    Unfinished,
    /// It has been over since then.
    Over(SystemTime),
}

/// Whether something is really removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// It is.
    Real,
    /// It is only counted.
    Tried,
}

/// What was removed, of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// What it was, as people read it.
    pub kind: &'static str,
    /// How many.
    pub count: u64,
    /// How many bytes of disk they took.
    pub bytes: u64,
}

/// Tidies a state root. One at a time; a lock sees to it.
#[derive(Debug)]
pub struct Housekeeping {
    state: StateRoot,
    removal: Removal,
    kept_for: Duration,
    now: SystemTime,
    /// Keeps everybody else from lending objects until all is swept.
    lending: Option<File>,
    /// Its life is the housekeeper's.
    _alone: File,
}

impl Housekeeping {
    /// Begins, alone; `None` where somebody else is at it and stays
    /// at it. What is younger than `kept_for` stays.
    pub fn begin(state: &StateRoot, removal: Removal, kept_for: Duration, clock: Clock) -> io::Result<Option<Self>> {
        let lock = state.lock_file("house.lock")?;
        let until = Instant::now() + PATIENCE;
        while lock.try_lock().is_err() {
            if Instant::now() >= until {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(50));
        }
        let lending = state.lock_file(ALTERNATES_LOCK)?;
        lending.lock()?;
        Ok(Some(Self {
            lending: Some(lending),
            state: state.clone(),
            removal,
            kept_for,
            now: moment(clock.now()),
            _alone: lock,
        }))
    }

    /// Removes what is of no more use. `runs` is every run the journal knows,
    /// read after this housekeeper began.
    pub fn sweep(&mut self, runs: &[KnownRun]) -> io::Result<Vec<Removed>> {
        let mut freed = self.runs(runs);
        freed.push(self.bodies(runs)?);
        freed.push(self.alternates(runs)?);
        freed.push(self.bases(runs));
        // What is left to do does not keep anybody from working.
        self.lending = None;
        freed.push(self.scratch());
        freed.push(self.unused("layers", &self.state.layers(), LAYERS_KEPT));
        freed.push(self.unused("caches", &self.state.caches(), LAYERS_KEPT));
        freed.push(self.unused("looks at bases", &self.state.looks(), AN_HOUR));
        if self.removal == Removal::Real {
            make_private(&self.state);
        }
        freed.retain(|freed| freed.count > 0);
        Ok(freed)
    }

    /// What killed processes left at the root. Their makers hold them while
    /// they live.
    fn scratch(&self) -> Removed {
        let mut freed = Removed::none("leftovers of killed processes");
        for entry in below(self.state.path()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_scratch = ["store.git.", "results.git.", "incoming.", "lent.", "base."]
                .iter()
                .any(|prefix| name.starts_with(prefix));
            if is_scratch && is_free(&entry.path()) {
                freed.take(self, &entry.path());
            }
        }
        freed
    }

    /// Entries of a folder that nobody used for long. Whoever makes one holds
    /// the lock beside it; whoever uses one touches it.
    fn unused(&self, kind: &'static str, folder: &Path, than: Duration) -> Removed {
        let mut freed = Removed::none(kind);
        for entry in below(folder) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let lock = folder.join(format!("{name}.lock"));
            let free = !lock.exists() || is_free(&lock);
            if !name.ends_with(".lock") && free && self.is_older(&entry.path(), than) {
                freed.take_whole(self, &entry.path());
            }
        }
        freed
    }

    fn is_older(&self, path: &Path, than: Duration) -> bool {
        let changed = fs::symlink_metadata(path).and_then(|about| about.modified());
        changed.is_ok_and(|changed| self.is_past(changed, than))
    }

    fn is_past(&self, moment: SystemTime, than: Duration) -> bool {
        self.now.duration_since(moment).is_ok_and(|age| age >= than)
    }
}

/// A moment of the journal's as files have theirs.
pub fn moment(at: Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(at.0).unwrap_or_default())
}

impl Removed {
    const fn none(kind: &'static str) -> Self {
        Self {
            kind,
            count: 0,
            bytes: 0,
        }
    }

    /// Removes one file or folder, or counts it. What cannot be removed stays
    /// for the next time, and is not counted.
    fn take(&mut self, house: &Housekeeping, path: &Path) {
        let bytes = size_of(path);
        let gone = match house.removal {
            Removal::Tried => path.exists(),
            Removal::Real => remove(path),
        };
        if gone {
            self.count += 1;
            self.bytes += bytes;
        }
    }
}

impl Removed {
    /// Removes a folder that is taken for whole wherever it stands: it is
    /// moved away first, to where leftovers are swept.
    fn take_whole(&mut self, house: &Housekeeping, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let aside = house.state.path().join(format!("lent.going.{name}"));
        let moved = house.removal == Removal::Real && fs::rename(path, &aside).is_ok();
        self.take(house, if moved { &aside } else { path });
    }
}

fn remove(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_dir() => crate::workspace::remove_folder(path).is_ok(),
        Ok(_) => fs::remove_file(path).is_ok(),
        Err(_) => false,
    }
}

/// Whether nobody holds a file or folder.
fn is_free(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

fn below(folder: &Path) -> Vec<fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten().collect()
}

/// Puts right what an older trueup left readable to others. Workspaces and
/// rooms keep the modes their trees give them; nobody else gets that far.
fn make_private(state: &StateRoot) {
    for entry in below(state.path()) {
        if ["workspaces", "rooms", "layers", "caches", "bases"]
            .iter()
            .all(|name| entry.file_name() != *name)
        {
            close(&entry.path());
        }
    }
}

fn close(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(about) = fs::symlink_metadata(path) else { return };
    let mode = about.permissions().mode();
    if !about.is_symlink() && mode & 0o077 != 0 {
        // Whatever stays open is told by the next one who looks.
        drop(fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700)));
    }
    if about.is_dir() {
        below(path).iter().for_each(|entry| close(&entry.path()));
    }
}

/// Held by whoever hands alternates to clones, and by whoever removes them.
const ALTERNATES_LOCK: &str = "lending.lock";

impl StateRoot {
    fn lock_file(&self, name: &str) -> io::Result<File> {
        crate::state::lock_file(&self.path().join(name))
    }

    /// Keeps housekeepers from removing alternates while this is held.
    pub(crate) fn hold_alternates(&self) -> io::Result<File> {
        let lock = self.lock_file(ALTERNATES_LOCK)?;
        lock.lock_shared()?;
        Ok(lock)
    }
}
