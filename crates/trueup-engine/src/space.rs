//! Space for files: how much there is, and the reserve that lets a run say
//! that there is none.
//!
//! A full disk is the world's failure. Whatever an agent or a check did while
//! there was no space proves nothing, so effects ask here before and after they
//! work, and are broken off when space runs out under them. Core decides that
//! the run waits.

mod usage;

pub use crate::deep::size_of;
pub use usage::Usage;

use crate::{
    blocking::blocking,
    fault::{self, Fault},
    sandbox::Excess,
    stop::{StopSource, StopToken},
};
use rustix::{
    fs::{FallocateFlags, fallocate, statvfs},
    io::Errno,
};
use std::{
    convert::Infallible,
    fs::{self, File},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use trueup_core::event::{Shortage, Stop, Storage};

/// Below this, whatever is under way is broken off.
const LOW: u64 = 2 * 1024 * 1024;

/// So much must be free before work begins or goes on.
const ENOUGH: u64 = 6 * 1024 * 1024;

/// What is held back, and given up so that a pause can still be kept.
const RESERVE: u64 = 4 * 1024 * 1024;

/// How often space is looked at while something works.
const LOOK: Duration = Duration::from_millis(100);

/// Space for files in a state root.
#[derive(Clone, Debug)]
pub struct Space {
    root: PathBuf,
    reserve: PathBuf,
    usage: Option<Usage>,
}

/// How things stood before somebody worked: what was free, what the disk had
/// room for, and what of the rest was theirs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpaceBefore {
    free: u64,
    room: u64,
    at: Instant,
    taken: u64,
}

impl Space {
    /// The space of a state root that may hold `quota` bytes, or as much as its
    /// disk does.
    pub fn of(root: &Path, quota: Option<u64>) -> Self {
        Self {
            root: root.to_owned(),
            reserve: root.join("reserve"),
            usage: quota.map(|quota| Usage::of(root, quota)),
        }
    }

    /// Whether more than half of the quota is free.
    fn is_ample(&self) -> bool {
        self.usage.as_ref().is_none_or(Usage::is_ample)
    }

    /// Forgets what was measured: much of it has just gone.
    pub(crate) fn measure_again(&self) {
        if let Some(usage) = &self.usage {
            usage.forget();
        }
    }

    /// How many bytes are free for us, on the disk or of the quota, whichever
    /// is less. What cannot be measured is not taken for full.
    pub fn free(&self) -> (Storage, u64) {
        let disk = self.disk();
        match self.usage.as_ref().map(Usage::left) {
            Some(left) if left < disk => (Storage::Quota, left),
            Some(_) | None => (Storage::Disk, disk),
        }
    }

    fn disk(&self) -> u64 {
        statvfs(&self.root).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// Whether the quota may be used up, whatever was measured before: where the
    /// disk lost so much meanwhile, or where to measure it is nothing beside the
    /// time that passed.
    fn may_be_filled_since(&self, before: SpaceBefore) -> bool {
        let lost = before.room.saturating_sub(usage::room(&self.root)).saturating_add(LOW);
        let may_be = |usage: &Usage| usage.left() < lost || usage.is_quick_beside(before.at.elapsed());
        self.usage.as_ref().is_some_and(may_be)
    }

    /// What is missing before work may begin, if anything is.
    pub fn before_work(&self) -> Option<Shortage> {
        let held_back = if self.reserve.exists() { 0 } else { RESERVE };
        self.short_of(ENOUGH + held_back, ENOUGH + held_back)
    }

    /// What is missing for work that is under way or just ended.
    pub fn at_work(&self) -> Option<Shortage> {
        self.short_of(LOW, ENOUGH)
    }

    /// The same, looked at where nobody waits who does something else: to measure
    /// may take seconds.
    pub(crate) async fn look_at_work(&self) -> Option<Shortage> {
        let space = self.clone();
        blocking(move || space.at_work()).await
    }

    /// How things stand before somebody works who takes so much already.
    pub(crate) fn before_taking(&self, taken: impl FnOnce() -> u64) -> SpaceBefore {
        SpaceBefore {
            free: self.free().1,
            room: usage::room(&self.root),
            at: Instant::now(),
            // Where half of the quota is free, who takes that much took it now.
            taken: match self.is_ample() {
                true => 0,
                false => taken(),
            },
        }
    }

    /// What is missing now, and what whoever takes so much by now took more of
    /// than it may, where that is why. Nothing where there is space.
    pub(crate) fn shortage_since(
        &self,
        before: SpaceBefore,
        taken: impl FnOnce() -> u64,
    ) -> Option<(Shortage, Option<Excess>)> {
        // What was measured is believed for a while, in which much can be written,
        // and others may have gone since.
        if self.may_be_filled_since(before) || self.at_work().is_some() {
            self.measure_again();
        }
        let shortage = self.at_work()?;
        let took = taken().saturating_sub(before.taken);
        let is_blamed = |most: &u64| took > *most && !fault::planted(Fault::BlamesNobody);
        let blame = shortage.least_blame(before.free).filter(is_blamed);
        Some((shortage, blame.map(Excess::Disk)))
    }

    /// What is missing after somebody was told that there is no space, whatever
    /// is free by now.
    pub fn told_full(&self) -> Shortage {
        let (on, free) = self.free();
        Shortage { on, need: ENOUGH, free }
    }

    fn short_of(&self, least: u64, need: u64) -> Option<Shortage> {
        let (on, free) = self.free();
        (free < least && !fault::planted(Fault::ForgetsSpace)).then_some(Shortage { on, need, free })
    }

    /// Holds space back, if there is plenty and it is not held back already.
    pub fn hold_back(&self) -> io::Result<()> {
        if self.reserve.exists() || self.free().1 < ENOUGH + RESERVE {
            return Ok(());
        }
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&self.reserve)?;
        let held = fallocate(&file, FallocateFlags::empty(), 0, RESERVE);
        match held {
            // A file system that holds nothing back has no reserve to give up.
            Err(Errno::OPNOTSUPP) | Ok(()) => Ok(()),
            Err(error) => {
                fs::remove_file(&self.reserve)?;
                Err(error.into())
            }
        }
    }

    /// Gives up what was held back; `false` if there was nothing.
    pub fn give_up_reserve(&self) -> bool {
        fs::remove_file(&self.reserve).is_ok()
    }

    /// Hands a stop on, and raises one of its own when space runs out. Never
    /// returns: whoever waits for work to end waits for this beside it.
    pub async fn guard(&self, stop: &StopToken, guard: &StopSource) -> Infallible {
        let runs_out = async || {
            tokio::time::sleep(LOOK).await;
            self.look_at_work().await.is_some()
        };
        loop {
            tokio::select! {
                by = stop.wait() => guard.raise(by),
                is_short = runs_out() => if is_short {
                    guard.raise(Stop::Request);
                },
            }
            if guard.token().raised().is_some() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// Whether an error says that there is no space.
pub fn is_full(error: &io::Error) -> bool {
    if fault::planted(Fault::ForgetsSpace) {
        return false;
    }
    let code = error.raw_os_error();
    code == Some(Errno::NOSPC.raw_os_error()) || code == Some(Errno::DQUOT.raw_os_error())
}

/// Whether words of another program say that there is no space.
pub fn says_full(words: &str) -> bool {
    if fault::planted(Fault::ForgetsSpace) {
        return false;
    }
    let words = words.to_ascii_lowercase();
    ["no space left on device", "disk quota exceeded", "out of diskspace"]
        .iter()
        .any(|sign| words.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{process::Command, thread};
    use tokio::{runtime::Builder, time::sleep};

    /// Who reads a pipe waits for somebody who writes, as who walks a large folder.
    #[test]
    fn nobody_waits_for_what_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let note = folder.path().join("usage.json");
        assert!(Command::new("mkfifo").arg(&note).status().unwrap().success());
        let space = Space::of(folder.path(), Some(1));
        let released = thread::spawn(move || {
            thread::sleep(LOOK * 20);
            let writer = File::options().write(true).open(&note).unwrap();
            fs::remove_file(&note).unwrap();
            drop(writer);
        });
        let (began, asked, guard) = (Instant::now(), StopSource::default(), StopSource::default());
        let (stop, raised) = (asked.token(), guard.token());
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            tokio::select! {
                never = space.guard(&stop, &guard) => match never {},
                () = sleep(LOOK * 5) => {}
            }
            assert!(began.elapsed() < LOOK * 15, "{:?}", began.elapsed());
            assert_eq!(raised.raised(), None, "it is not known yet");
            tokio::select! {
                never = space.guard(&stop, &guard) => match never {},
                by = raised.wait() => assert_eq!(by, Stop::Request),
            }
        });
        released.join().unwrap();
    }

    /// Where somebody waits for space, it is scarce.
    const _: () = assert!(usage::SCARCE >= ENOUGH + RESERVE);

    #[test]
    fn the_reserve_takes_room_and_gives_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let space = Space::of(folder.path(), None);
        space.hold_back().unwrap();
        assert!(size_of(folder.path()) >= RESERVE);
        assert!(space.give_up_reserve());
        assert!(!space.give_up_reserve(), "it is given up once");
        assert!(size_of(folder.path()) < RESERVE);
    }

    #[test]
    fn a_quota_that_is_used_up_is_a_shortage_of_the_quota() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), vec![1; 1024 * 1024]).unwrap();
        let space = Space::of(folder.path(), Some(1024 * 1024));
        let short = space.before_work().unwrap();
        assert_eq!((short.on, short.free), (Storage::Quota, 0));
        assert_eq!(Space::of(folder.path(), Some(1 << 40)).at_work(), None);
    }

    #[test]
    fn words_and_numbers_that_mean_full_are_known() {
        assert!(is_full(&io::Error::from_raw_os_error(28)));
        assert!(is_full(&io::Error::from_raw_os_error(122)));
        assert!(!is_full(&io::Error::from_raw_os_error(13)));
        assert!(says_full("fatal: write error: No space left on device"));
        assert!(says_full("npm error nospc ENOSPC: no space left on device, write"));
        assert!(!says_full("fatal: not a git repository"));
    }
}
