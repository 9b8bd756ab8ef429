//! Everything a process started, directly or not, where no namespace holds it
//! together.

use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitOptions, getpid, kill_process, wait},
};
use std::{
    collections::BTreeMap,
    io, thread,
    time::{Duration, Instant},
};

/// How long what ignores even SIGKILL is waited for: programs of another user.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(2);

/// Has whatever loses its parent become a child of this process, so that it
/// can be found and ended.
#[cfg(target_os = "linux")]
pub(super) fn adopt() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(getpid()))?)
}

/// This system hands orphans to its first process. Those that left our process
/// group as well are not found.
#[cfg(not(target_os = "linux"))]
pub(super) fn adopt() -> io::Result<()> {
    Ok(())
}

/// Has the kernel kill this process when the thread that spawned it is gone.
#[cfg(target_os = "linux")]
pub(crate) fn die_with_the_builder() -> io::Result<()> {
    Ok(rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// This system has no such signal.
#[cfg(not(target_os = "linux"))]
pub(crate) fn die_with_the_builder() -> io::Result<()> {
    Ok(())
}

/// Kills everything this process started.
pub(super) fn kill() {
    kill_below(getpid());
}

/// Kills everything that a process started.
pub(super) fn kill_below(root: Pid) {
    for pid in below(root) {
        // What is gone already, or another user's, is nothing we can end.
        kill_process(pid, Signal::KILL).unwrap_or_default();
    }
}

/// Kills everything this process started, and waits until it is gone. What
/// starts while it looks is found when it looks again.
pub(super) fn end() -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        // Whoever has no child has nothing below it: orphans became children.
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => break,
                Err(Errno::CHILD) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        kill();
        if Instant::now() > until {
            return Err(io::Error::other("something it started cannot be ended"));
        }
        thread::sleep(PAUSE);
    }
}

/// Everything below a process, nearest first, as it is now.
pub(super) fn below(root: Pid) -> Vec<Pid> {
    descendants(root, &parents())
}

/// Everything below a process, nearest first.
fn descendants(root: Pid, parents: &BTreeMap<i32, i32>) -> Vec<Pid> {
    let mut found = vec![root.as_raw_nonzero().get()];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        let children = parents.iter().filter(|(_, above)| **above == parent);
        let new: Vec<i32> = children
            .map(|(child, _)| *child)
            .filter(|child| !found.contains(child))
            .collect();
        found.extend(new);
        at += 1;
    }
    found.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}

/// Every process with its parent.
#[cfg(target_os = "linux")]
fn parents() -> BTreeMap<i32, i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid: i32| {
        let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        Some((pid, parent(&String::from_utf8_lossy(&text))?))
    })
    .collect()
}

/// Every process with its parent.
#[cfg(not(target_os = "linux"))]
fn parents() -> BTreeMap<i32, i32> {
    let listed = std::process::Command::new("/bin/ps")
        .args(["-A", "-o", "pid=,ppid=,pgid="])
        .output();
    let text = listed.map(|listed| listed.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let own = getpid().as_raw_nonzero().get();
    let pair = |line: &str| {
        let mut numbers = line.split_whitespace().map_while(|word| word.parse::<i32>().ok());
        let (pid, parent, group) = (numbers.next()?, numbers.next()?, numbers.next()?);
        Some((pid, if group == own && pid != own { own } else { parent }))
    };
    text.lines().filter_map(pair).collect()
}

/// The parent in a line of `stat`. The program's name comes before it, in
/// parentheses, and may itself hold any of them.
#[cfg(target_os = "linux")]
fn parent(stat: &str) -> Option<i32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{descendants, parent};
    use rustix::process::Pid;
    use std::collections::BTreeMap;

    #[test]
    fn a_parent_is_read_whatever_the_program_calls_itself() {
        assert_eq!(parent("12 (sh) S 3 12 12 0"), Some(3));
        assert_eq!(parent("12 (a) R 99 (b)) S 3 12"), Some(3));
        assert_eq!(parent("12 nonsense"), None);
    }

    #[test]
    fn everything_below_is_found_and_nothing_beside_it() {
        let parents = BTreeMap::from([(2, 1), (3, 2), (4, 3), (5, 1), (6, 3)]);
        let found = descendants(Pid::from_raw(2).expect("a process"), &parents);
        let found: Vec<i32> = found.iter().map(|pid| pid.as_raw_nonzero().get()).collect();
        assert_eq!(found, [3, 4, 6]);
    }
}
