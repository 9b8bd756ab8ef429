//! What keeps one sandbox to its share.
//!
//! Where the kernel's groups of the first version can be made, as by root, the
//! kernel itself keeps count: nothing can take more, and the group tells that
//! it tried. Everywhere else somebody outside looks, several times a second.

use super::{
    descendants,
    groups::Groups,
    share::{Excess, Share},
};
use rustix::process::Pid;
use std::{fs, time::Duration};

/// How often it is looked.
pub(super) const EVERY: Duration = Duration::from_millis(200);

/// What keeps one sandbox to its share.
#[derive(Debug)]
pub(super) struct Keeper {
    first: Pid,
    share: Share,
    /// The kernel's own count, where it can be had.
    groups: Option<Groups>,
}

impl Keeper {
    /// Watches over this process and all that it starts, and has the kernel
    /// count where it is in groups. Nothing where no kernel shows what
    /// processes have.
    pub(super) fn over(first: u32, share: Share, groups: Option<Groups>) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let first = Pid::from_raw(i32::try_from(first).ok()?)?;
        Some(Self { first, share, groups })
    }

    /// What was taken too much of, if anything was.
    pub(super) fn excess(&self) -> Option<Excess> {
        if self.groups.is_some() {
            return self.refused();
        }
        let Share { memory, processes, .. } = self.share;
        let members = descendants::below(self.first);
        let shown: Vec<Shown> = members.iter().filter_map(|pid| Shown::of(*pid)).collect();
        if shown.iter().map(|one| one.threads).sum::<u64>() > processes {
            return Some(Excess::Processes(processes));
        }
        if shown.iter().map(|one| one.memory).sum::<u64>() <= memory {
            return None;
        }
        // Processes share pages with those they came from, which is dear to ask for.
        let own = members.iter().filter_map(|pid| proportional(*pid));
        (own.sum::<u64>() > memory).then_some(Excess::Memory(memory))
    }

    /// What the kernel refused more of, which can be asked after the end, too.
    pub(super) fn refused(&self) -> Option<Excess> {
        self.groups.as_ref()?.excess(self.share)
    }
}

/// What the kernel shows of a process.
#[derive(Clone, Copy, Debug)]
struct Shown {
    threads: u64,
    /// Its bytes in memory that no file on a disk holds as well.
    memory: u64,
}

impl Shown {
    fn of(pid: Pid) -> Option<Self> {
        let status = read(pid, "status")?;
        Some(Self {
            threads: line(&status, "Threads:")?.parse().ok()?,
            // One that is gone and not yet mourned has none.
            memory: sum(&status, ["RssAnon:", "RssShmem:"]).unwrap_or_default(),
        })
    }
}

/// The bytes of a process in memory, with what it shares counted by halves,
/// thirds and so on. Of one that shows no such count, all of them.
fn proportional(pid: Pid) -> Option<u64> {
    let shared_out = || sum(&read(pid, "smaps_rollup")?, ["Pss_Anon:", "Pss_Shmem:"]);
    shared_out().or_else(|| Some(Shown::of(pid)?.memory))
}

/// What stands behind a name.
fn line<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// The bytes behind these names together.
fn sum(text: &str, names: [&str; 2]) -> Option<u64> {
    names.into_iter().map(|name| bytes(line(text, name)?)).sum()
}

fn bytes(text: &str) -> Option<u64> {
    let kibibytes: u64 = text.strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

fn read(pid: Pid, name: &str) -> Option<String> {
    let bytes = fs::read(format!("/proc/{}/{name}", pid.as_raw_nonzero())).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{Shown, proportional};
    use rustix::process::getpid;

    #[test]
    fn a_process_is_counted_as_the_kernel_shows_it() {
        let before = Shown::of(getpid()).expect("a process");
        assert!((1..1000).contains(&before.threads));
        let held = vec![1_u8; 64 << 20];
        let after = Shown::of(getpid()).expect("a process");
        assert!(after.memory >= before.memory + (60 << 20), "{before:?} {after:?}");
        assert!(proportional(getpid()).is_some_and(|own| own >= 60 << 20));
        drop(held);
    }
}
