//! How much a state root holds, known without walking it all the time.
//!
//! A walk costs as much as there are files. So what it found is written down,
//! with how long it took, and believed for a hundred times as long: however
//! large the root is, at most a hundredth of the time goes into measuring it
//! while something works, and at most a twentieth where it ends.

use crate::deep::size_of;
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// For how many times its own duration a walk is believed.
const BELIEVED: u64 = 100;

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
    last: Arc<Mutex<Option<(Instant, Walked)>>>,
}

/// What a walk found.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Walked {
    bytes: u64,
    took_us: u64,
    /// When, in milliseconds since 1970: processes share what one of them found.
    at_ms: u64,
}

impl Usage {
    /// The usage of a root that may hold this much.
    pub(super) fn of(root: &Path, quota: u64) -> Self {
        Self {
            root: root.to_owned(),
            note: root.join("usage.json"),
            quota,
            last: Arc::default(),
        }
    }

    pub(super) fn is_ample(&self) -> bool {
        self.left() > self.quota / 2
    }

    /// Whether to measure takes little of such a time.
    pub(super) fn is_quick_beside(&self, time: Duration) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let took = last.map(|(_, walked)| Duration::from_micros(walked.took_us));
        took.is_some_and(|took| took * LITTLE < time)
    }

    /// Forgets what was found, here and in other processes.
    pub(super) fn forget(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // One that cannot be removed is believed for a while, no more.
        drop(fs::remove_file(&self.note));
    }

    /// How many bytes of the quota are left.
    pub(super) fn left(&self) -> u64 {
        self.quota.saturating_sub(self.bytes())
    }

    fn bytes(&self) -> u64 {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((seen, walked)) = *last
            && seen.elapsed() < walked.believed_for()
        {
            return walked.bytes;
        }
        let walked = self.noted().unwrap_or_else(|| self.walk());
        *last = Some((Instant::now(), walked));
        walked.bytes
    }

    /// What another process found a moment ago.
    fn noted(&self) -> Option<Walked> {
        let walked: Walked = serde_json::from_slice(&fs::read(&self.note).ok()?).ok()?;
        let age = Duration::from_millis(now_ms().checked_sub(walked.at_ms)?);
        (age < walked.believed_for()).then_some(walked)
    }

    fn walk(&self) -> Walked {
        let began = Instant::now();
        let walked = Walked {
            bytes: size_of(&self.root),
            took_us: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
            at_ms: now_ms(),
        };
        // A note that cannot be written costs the next process a walk, no more.
        drop(self.write_down(&walked));
        walked
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

impl Walked {
    fn believed_for(&self) -> Duration {
        Duration::from_micros(self.took_us.saturating_mul(BELIEVED)).max(AT_LEAST)
    }
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
