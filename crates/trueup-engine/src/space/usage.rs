//! How much a state root holds, known without walking it all the time.
//!
//! A walk costs as much as there are files. So what it found is written down,
//! with how long it took, and believed for a hundred times as long: however
//! large the root is, at most a hundredth of the time goes into measuring it
//! while something works, and at most a twentieth where it ends.
//!
//! Only where it may well be wrong is it believed for three times as long: where
//! the disk itself lost as much as was left, since a million files are made while
//! one walk is believed; and where hardly anything was left and the disk has more
//! by now, since somebody waits for just that.

use crate::deep::{ENTRY, size_of};
use rustix::fs::statvfs;
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// For how many times its own duration a walk is believed.
const BELIEVED: u64 = 100;

/// For how many times its own duration, where the disk says that it may be wrong.
const BELIEVED_IN_DOUBT: u64 = 3;

/// Where less is left than this, somebody may wait for more.
pub(super) const SCARCE: u64 = 16 * 1024 * 1024;

/// How many times as long something must take that a walk is little beside.
const LITTLE: u32 = 20;

/// For how long the quickest walk is believed.
const AT_LEAST: Duration = Duration::from_millis(500);

/// How much a state root holds, and may hold.
#[derive(Clone, Debug)]
pub struct Usage {
    root: PathBuf,
    note: PathBuf,
    quota: u64,
    known: Arc<Mutex<Known>>,
}

/// What this process knows.
#[derive(Debug, Default)]
struct Known {
    last: Option<Found>,
    /// Who walked before this found what has gone since.
    forgotten_ms: u64,
}

/// What was found last, by whoever walked.
#[derive(Clone, Copy, Debug)]
struct Found {
    walked: Walked,
    seen: Instant,
    /// Whether the note says it as well.
    is_noted: bool,
}

/// What a walk found.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Walked {
    bytes: u64,
    took_us: u64,
    /// What the disk had room for as it began; nobody knows in older notes.
    #[serde(default)]
    room: u64,
    /// When it began, in milliseconds since 1970: processes share what one of
    /// them found.
    at_ms: u64,
}

impl Usage {
    /// The usage of a root that may hold this much.
    pub(super) fn of(root: &Path, quota: u64) -> Self {
        Self {
            root: root.to_owned(),
            note: root.join("usage.json"),
            quota,
            known: Arc::default(),
        }
    }

    pub(super) fn is_ample(&self) -> bool {
        self.left() > self.quota / 2
    }

    /// Whether to measure takes little of such a time.
    pub(super) fn is_quick_beside(&self, time: Duration) -> bool {
        let took = self.known().last.map(|last| Duration::from_micros(last.walked.took_us));
        took.is_some_and(|took| took * LITTLE < time)
    }

    /// Forgets what was found, here and in other processes.
    pub(super) fn forget(&self) {
        let mut known = self.known();
        known.last = None;
        known.forgotten_ms = now_ms();
        // One that cannot be removed is believed for a while, no more.
        drop(fs::remove_file(&self.note));
    }

    /// How many bytes of the quota are left.
    pub(super) fn left(&self) -> u64 {
        let mut known = self.known();
        if let Some(last) = &known.last
            && last.seen.elapsed() < self.believed_for(&last.walked)
            && !self.is_withdrawn(last)
        {
            return self.left_by(&last.walked);
        }
        let found = self.noted(known.forgotten_ms).unwrap_or_else(|| self.walk());
        known.last = Some(found);
        self.left_by(&found.walked)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    const fn left_by(&self, walked: &Walked) -> u64 {
        self.quota.saturating_sub(walked.bytes)
    }

    /// For how long a walk is believed, as the disk stands now.
    fn believed_for(&self, walked: &Walked) -> Duration {
        let (left, now) = (self.left_by(walked), room(&self.root));
        let is_filled = walked.room.saturating_sub(now) > left;
        let is_freed = left < SCARCE && now > walked.room;
        let times = if is_filled || is_freed {
            BELIEVED_IN_DOUBT
        } else {
            BELIEVED
        };
        Duration::from_micros(walked.took_us.saturating_mul(times)).max(AT_LEAST)
    }

    /// Whether somebody freed much since and forgot what was found. Only who
    /// waits for that needs to know: all others would walk for nothing.
    fn is_withdrawn(&self, last: &Found) -> bool {
        let says_so = || self.note().is_some_and(|note| note.at_ms == last.walked.at_ms);
        last.is_noted && self.left_by(&last.walked) < SCARCE && !says_so()
    }

    fn note(&self) -> Option<Walked> {
        serde_json::from_slice(&fs::read(&self.note).ok()?).ok()
    }

    /// What another process found a moment ago, and after this.
    fn noted(&self, forgotten_ms: u64) -> Option<Found> {
        let walked = self.note().filter(|walked| walked.at_ms >= forgotten_ms)?;
        let age = Duration::from_millis(now_ms().checked_sub(walked.at_ms)?);
        (age < self.believed_for(&walked)).then(|| Found {
            walked,
            seen: Instant::now(),
            is_noted: true,
        })
    }

    fn walk(&self) -> Found {
        let (began, at_ms, room) = (Instant::now(), now_ms(), room(&self.root));
        let walked = Walked {
            bytes: size_of(&self.root),
            took_us: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
            room,
            at_ms,
        };
        Found {
            walked,
            seen: Instant::now(),
            // A note that cannot be written costs the next process a walk, no more.
            is_noted: self.write_down(&walked).is_ok(),
        }
    }

    /// Not durably: one that is torn or lost is measured again.
    fn write_down(&self, walked: &Walked) -> io::Result<()> {
        let mut file = File::options()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&self.note)?;
        file.write_all(&serde_json::to_vec(walked)?)
    }
}

/// What a disk has room for, in files that hold something and in files that do
/// not, measured as they are counted.
pub(super) fn room(root: &Path) -> u64 {
    statvfs(root).map_or(u64::MAX, |disk| {
        let bytes = disk.f_bavail.saturating_mul(disk.f_frsize);
        bytes.saturating_add(disk.f_ffree.saturating_mul(ENTRY))
    })
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * 1024;

    /// For how long a walk of a second is believed that found so much of a quota
    /// of 1000, when the disk had room for that much more than now.
    fn believed(bytes: u64, lost: i64) -> Duration {
        let folder = tempfile::tempdir().unwrap();
        let usage = Usage::of(folder.path(), 1000 * MIB);
        let room = room(folder.path()).strict_add_signed(lost * 1024 * 1024);
        usage.believed_for(&Walked {
            bytes: bytes * MIB,
            took_us: 1_000_000,
            room,
            at_ms: 0,
        })
    }

    #[test]
    fn a_walk_is_believed_for_long_unless_the_disk_says_that_it_may_be_wrong() {
        assert_eq!(believed(500, 0), Duration::from_secs(100));
        assert_eq!(believed(500, 400), Duration::from_secs(100));
        assert_eq!(believed(500, 600), Duration::from_secs(3));
        assert_eq!(believed(500, -400), Duration::from_secs(100), "nobody waits for more");
        assert_eq!(believed(1000, -400), Duration::from_secs(3));
    }

    /// A root that is full for an hour by its note.
    fn full(folder: &Path) -> (Usage, Walked) {
        let usage = Usage::of(folder, 1000 * MIB);
        let walked = Walked {
            bytes: 1000 * MIB,
            took_us: 36_000_000,
            room: u64::MAX,
            at_ms: now_ms(),
        };
        usage.write_down(&walked).unwrap();
        (usage, walked)
    }

    #[test]
    fn who_waits_for_space_no_longer_believes_what_somebody_else_forgot() {
        let folder = tempfile::tempdir().unwrap();
        let (waits, walked) = full(folder.path());
        assert_eq!(waits.left(), 0);
        Usage::of(folder.path(), 1000 * MIB).forget();
        assert!(waits.left() > 990 * MIB, "{}", waits.left());
        // Somebody who walked before and comes to an end only now.
        waits.forget();
        waits
            .write_down(&Walked {
                at_ms: walked.at_ms - 1,
                ..walked
            })
            .unwrap();
        assert!(waits.left() > 990 * MIB, "{}", waits.left());
    }

    #[test]
    fn what_cannot_be_noted_is_believed_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("usage.json")).unwrap();
        let usage = Usage::of(folder.path(), 1);
        assert_eq!(usage.left(), 0);
        let last = usage.known().last.unwrap();
        assert!(!last.is_noted && !usage.is_withdrawn(&last));
    }

    #[test]
    fn files_that_hold_nothing_take_room() {
        let folder = tempfile::tempdir().unwrap();
        let lost = |of: u32| {
            let before = room(folder.path());
            for number in 0..2000 {
                File::create(folder.path().join(format!("{of}.{number}"))).unwrap();
            }
            before.saturating_sub(room(folder.path()))
        };
        // Somebody else may remove files of theirs meanwhile.
        let lost = (0..5).map(lost).max();
        assert!(lost >= Some(1000 * ENTRY), "{lost:?}");
    }
}
