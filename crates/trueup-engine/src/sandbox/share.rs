//! How much of the machine one sandbox may take, and what says so when it took
//! more.

use crate::fault::{self, Fault};
use std::{fmt, fs};

/// How many processes and threads a sandbox may have unless a person says
/// otherwise: several times what large suites were seen to have at once.
const PROCESSES: u64 = 4096;
/// What a machine is taken to have where it does not say.
const SOME_MEMORY: u64 = 8 << 30;

/// How much of the machine one sandbox may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Bytes of memory, of all its programs together.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Bytes in each of its temporary folders, which lie in memory too.
    pub temporary: u64,
}

impl Share {
    /// As much as a sandbox may take by what a person says.
    pub(super) fn in_force(self) -> Self {
        match fault::planted(Fault::LimitsNothing) {
            true => Self {
                memory: 1 << 50,
                processes: 1 << 14,
                temporary: 1 << 40,
            },
            false => self,
        }
    }

    /// What leaves the machine to its person: three quarters of its memory, and
    /// a quarter of it for each temporary folder.
    pub fn of_this_machine() -> Self {
        let all = memory().unwrap_or(SOME_MEMORY);
        Self {
            memory: all / 4 * 3,
            processes: PROCESSES,
            temporary: all / 4,
        }
    }
}

/// What a sandbox took too much of: more than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Bytes of memory.
    Memory(u64),
    /// Processes and threads.
    Processes(u64),
    /// Bytes of disk.
    Disk(u64),
}

impl fmt::Display for Excess {
    /// As a part of a sentence, with the key that allows more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(most) => write!(f, "more than {} MB of memory (`[limits] memory`)", most / 1_000_000),
            Self::Processes(most) => write!(f, "more than {most} processes (`[limits] processes`)"),
            Self::Disk(most) => write!(f, "more than {} MB of disk (`[state] quota`)", most / 1_000_000),
        }
    }
}

/// The memory of this machine, as its kernel tells it.
fn memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{Excess, Share};

    #[test]
    fn an_excess_names_what_and_how_to_allow_more() {
        assert_eq!(
            Excess::Memory(2_500_000_000).to_string(),
            "more than 2500 MB of memory (`[limits] memory`)"
        );
        assert_eq!(
            Excess::Processes(10).to_string(),
            "more than 10 processes (`[limits] processes`)"
        );
    }

    #[test]
    fn something_is_left_to_the_machine() {
        let usual = Share::of_this_machine();
        assert!(usual.memory > usual.temporary && usual.temporary > 0, "{usual:?}");
    }
}
