//! The life of the one who drives a run: a lock the kernel lets go of when
//! that process dies, however it dies. Never a process id, which the system
//! gives to somebody else tomorrow.

use crate::{
    durable::{DeskError, Hold},
    state::{StateRoot, lock_file, make_private},
};
use std::{
    fs::{File, TryLockError},
    io,
    path::{Component, Path},
    thread,
    time::{Duration, Instant},
};
use trueup_core::id::RunId;

/// How long a claim waits for the sandboxes an earlier driver left.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// How long a claim is willing to dodge those who only look.
const DODGE: Duration = Duration::from_secs(2);

/// Whoever has this drives the run.
#[derive(Debug)]
pub(super) struct Owner {
    lock: File,
}

impl Owner {
    /// Takes the run, if nobody has it.
    pub(super) fn take(root: &StateRoot, run: &RunId) -> Result<Self, DeskError> {
        let folder = root.run(run);
        make_private(&folder).map_err(failed)?;
        let lock = lock_file(&folder.join("owner.lock")).map_err(failed)?;
        let until = Instant::now() + DODGE;
        loop {
            if try_lock(&lock).map_err(failed)? {
                return Ok(Self { lock });
            }
            // Those who only look hold the lock shared for a moment. Whoever
            // drives holds it alone, so a shared lock tells them apart.
            let only_looked_at = try_lock_shared(&lock).map_err(failed)?;
            if !only_looked_at || Instant::now() >= until {
                return Err(DeskError::Driven(run.clone()));
            }
            lock.unlock().map_err(failed)?;
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until nothing lives any more in the sandboxes of earlier drivers.
    pub(super) fn wait_until_empty(&self, root: &StateRoot, run: &RunId, patience: Duration) -> Result<(), DeskError> {
        let alive = lock_file(&root.run(run).join("alive")).map_err(failed)?;
        let until = Instant::now() + patience;
        while !try_lock(&alive).map_err(failed)? {
            if Instant::now() >= until {
                return Err(DeskError::StillAlive(run.clone()));
            }
            thread::sleep(Duration::from_millis(10));
        }
        alive.unlock().map_err(failed)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // Closing the file alone would not free the run while a child that is
        // just being started still shares it. A refusal leaves the run to the
        // kernel, which frees it when the last of them is gone.
        drop(self.lock.unlock());
    }
}

/// Who drives the run, which was claimed as often as its epoch says.
pub(super) fn hold(root: &StateRoot, run: &RunId, epoch: i64) -> Result<Hold, DeskError> {
    Ok(match (is_driven(root, run)?, epoch) {
        (true, _) => Hold::Driven,
        (false, 0) => Hold::Never,
        (false, _) => Hold::Free,
    })
}

/// Whether somebody drives the run. Looks, and lets go at once.
pub(super) fn is_driven(root: &StateRoot, run: &RunId) -> Result<bool, DeskError> {
    let lock = match File::open(root.run(run).join("owner.lock")) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(failed(error)),
    };
    let is_free = try_lock_shared(&lock).map_err(failed)?;
    if is_free {
        lock.unlock().map_err(failed)?;
    }
    Ok(!is_free)
}

/// Whether a run's name can be a folder's: it must not lead anywhere else.
pub(super) fn is_plain(run: &RunId) -> bool {
    let mut parts = Path::new(run.as_str()).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == run.as_str())
}

fn try_lock(file: &File) -> io::Result<bool> {
    taken(file.try_lock())
}

fn try_lock_shared(file: &File) -> io::Result<bool> {
    taken(file.try_lock_shared())
}

fn taken(tried: Result<(), TryLockError>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn failed(error: io::Error) -> DeskError {
    if crate::space::is_full(&error) {
        return DeskError::Full(error.to_string());
    }
    DeskError::Journal(format!("the lock of the run: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> (tempfile::TempDir, StateRoot, RunId) {
        let folder = tempfile::tempdir().unwrap();
        let root = StateRoot::open(folder.path()).unwrap();
        (folder, root, RunId::new("T-1.1"))
    }

    #[test]
    fn looking_takes_nothing_and_creates_nothing() {
        let (_folder, root, run) = root();
        assert_eq!(hold(&root, &run, 0).unwrap(), Hold::Never);
        assert!(!root.run(&run).exists());
        let owner = Owner::take(&root, &run).unwrap();
        assert_eq!(hold(&root, &run, 0).unwrap(), Hold::Driven);
        assert!(matches!(Owner::take(&root, &run), Err(DeskError::Driven(_))));
        drop(owner);
        assert_eq!(hold(&root, &run, 1).unwrap(), Hold::Free);
    }

    #[test]
    fn those_who_look_never_make_a_claim_fail() {
        let (_folder, root, run) = root();
        drop(Owner::take(&root, &run).unwrap());
        // However slow the eyes are: this one blinks for 50 ms.
        let looking = lock_file(&root.run(&run).join("owner.lock")).unwrap();
        looking.lock_shared().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(50));
                drop(looking);
            });
            Owner::take(&root, &run).unwrap();
        });
    }

    #[test]
    fn a_claim_waits_for_what_still_lives_and_not_for_ever() {
        let (_folder, root, run) = root();
        let owner = Owner::take(&root, &run).unwrap();
        let sandbox = lock_file(&root.run(&run).join("alive")).unwrap();
        sandbox.lock_shared().unwrap();
        let impatient = owner.wait_until_empty(&root, &run, Duration::from_millis(30));
        assert!(matches!(impatient, Err(DeskError::StillAlive(_))));
        thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(50));
                drop(sandbox);
            });
            owner.wait_until_empty(&root, &run, PATIENCE).unwrap();
        });
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_not_plain() {
        assert!(is_plain(&RunId::new("T-1.1")));
        for name in ["", ".", "..", "../T", "a/b", "/a", "a/", "./a"] {
            assert!(!is_plain(&RunId::new(name)), "{name}");
        }
    }
}
