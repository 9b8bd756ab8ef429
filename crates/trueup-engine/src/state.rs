//! Where everything of one repository's runs lies: outside the repository,
//! and outside everything an agent can read or write.

use crate::deep;
use std::{
    fs::{self, File},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};
use trueup_core::id::RunId;

/// A file that is there to be locked, made if need be; its owner's alone.
pub(crate) fn lock_file(path: &Path) -> io::Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
}

/// The state root of one repository.
#[derive(Clone, Debug)]
pub struct StateRoot {
    root: PathBuf,
}

impl StateRoot {
    /// Opens the state root, creating it readable by its owner alone.
    pub fn open(root: &Path) -> io::Result<Self> {
        make_private(root)?;
        let root = root.canonicalize()?;
        for folder in [
            "blobs",
            "lent",
            "bases",
            "layers",
            "caches",
            "answers",
            "runs",
            "workspaces",
            "rooms",
        ] {
            make_private(&root.join(folder))?;
        }
        Ok(Self { root })
    }

    /// The root itself.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The journal of every run.
    pub fn journal(&self) -> PathBuf {
        self.root.join("journal.db")
    }

    /// Bodies, by digest.
    pub fn blobs(&self) -> PathBuf {
        self.root.join("blobs")
    }

    /// The git directory into which only bases are fetched; no agent sees it.
    pub fn store(&self) -> PathBuf {
        self.root.join("store.git")
    }

    /// What clones borrow: a folder of objects for each base.
    pub fn alternates(&self) -> PathBuf {
        self.root.join("lent")
    }

    /// What preparations left, by the digest of what each was made from.
    pub fn layers(&self) -> PathBuf {
        self.root.join("layers")
    }

    /// What checks left on bases, by the digest of what each was made from.
    pub fn caches(&self) -> PathBuf {
        self.root.join("caches")
    }

    /// What checks answered on which tree, in all runs.
    pub fn answers(&self) -> PathBuf {
        self.root.join("answers")
    }

    /// What checks showed on bases a short while ago, in all runs.
    pub fn looks(&self) -> PathBuf {
        self.root.join("looks")
    }

    /// Controls that hold for every run under the same rules.
    pub fn controls(&self) -> PathBuf {
        self.root.join("controls")
    }

    /// Checkouts of bases that veiled workspaces lie over, by tree.
    pub fn bases(&self) -> PathBuf {
        self.root.join("bases")
    }

    /// The git directory into which the engine snapshots; no agent sees it.
    pub fn results(&self) -> PathBuf {
        self.root.join("results.git")
    }

    /// What belongs to one run alone.
    pub fn run(&self, run: &RunId) -> PathBuf {
        self.root.join("runs").join(run.as_str())
    }

    /// The private clone a run's agent works in.
    pub fn workspace(&self, run: &RunId) -> PathBuf {
        self.root.join("workspaces").join(run.as_str())
    }

    /// Where a run's clean rooms are built and removed.
    pub fn rooms(&self, run: &RunId) -> PathBuf {
        self.root.join("rooms").join(run.as_str())
    }
}

/// How the names of visits begin; a run's name has a dot, and theirs have none.
const VISIT: &str = "look-";

/// Held by the process that visits.
const VISIT_LOCK: &str = "visit.lock";

/// A name for checks outside any run. What lies under it is removed when it is
/// dropped, and where its process was killed, by the next visit.
#[derive(Debug)]
pub struct Visit {
    state: StateRoot,
    run: RunId,
    /// Its life is the visit's life.
    _lock: File,
}

impl StateRoot {
    /// Begins a visit.
    pub fn visit(&self) -> io::Result<Visit> {
        self.sweep_visits()?;
        let run = RunId::new(format!("{VISIT}{}", std::process::id()));
        let path = self.run(&run).join(VISIT_LOCK);
        loop {
            make_private(&self.run(&run))?;
            let lock = match lock_file(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other?,
            };
            lock.lock()?;
            // Somebody who sweeps may have had it first, and taken it away.
            if path.exists() {
                return Ok(Visit {
                    state: self.clone(),
                    run,
                    _lock: lock,
                });
            }
        }
    }

    /// Removes what killed visits left.
    fn sweep_visits(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join("runs"))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with(VISIT) || name.contains('.') {
                continue;
            }
            let Ok(lock) = File::open(entry.path().join(VISIT_LOCK)) else {
                continue;
            };
            if lock.try_lock().is_ok() {
                self.clear(&RunId::new(name));
            }
        }
        Ok(())
    }

    fn clear(&self, visit: &RunId) {
        for folder in [self.rooms(visit), self.run(visit)] {
            // What cannot be removed now costs disk space, not correctness.
            drop(deep::remove(&folder));
        }
    }
}

impl Visit {
    /// The name that stands where a run's would.
    pub const fn run(&self) -> &RunId {
        &self.run
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.state.clear(&self.run);
    }
}

/// Creates a folder readable by its owner alone, if it is not there; its name
/// is on disk when this returns, and so is every name above it that was made.
pub fn make_private(folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|place| !place.exists());
    let missing: Vec<&Path> = missing.collect();
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    for parent in missing.iter().filter_map(|made| made.parent()) {
        File::open(parent)?.sync_all()?;
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_leaves_nothing_and_clears_what_a_killed_one_left() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateRoot::open(folder.path()).unwrap();
        let (killed, room) = (RunId::new("look-1"), RunId::new("look-2.1"));
        for run in [&killed, &room] {
            make_private(&state.run(run)).unwrap();
            make_private(&state.rooms(run).join("AC-1.1")).unwrap();
            fs::write(state.run(run).join(VISIT_LOCK), "").unwrap();
        }
        let visit = state.visit().unwrap();
        assert!(!state.run(&killed).exists() && !state.rooms(&killed).exists());
        assert!(state.run(&room).exists(), "a run of a task that is called look-2");
        state.sweep_visits().unwrap();
        let place = state.run(visit.run());
        assert!(place.exists(), "who visits is not swept away");
        drop(visit);
        assert!(!place.exists());
    }
}
