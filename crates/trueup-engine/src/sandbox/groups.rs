//! The kernel's groups of processes, of the first version: one that counts
//! memory and one that counts processes.

use super::share::{Excess, Share};
use rustix::process::{Pid, getpid, test_kill_process};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

/// How the groups of this program begin.
const PREFIX: &str = "trueup-";
/// How often a group is taken away that its last process still leaves.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(5);

/// A group that counts memory, and one that counts processes.
#[derive(Debug)]
pub(super) struct Groups {
    memory: Group,
    processes: Group,
}

/// A group, and the one it was made in.
#[derive(Debug)]
struct Group {
    path: PathBuf,
    above: PathBuf,
}

impl Groups {
    /// New groups with nobody in them; nothing where none can be made.
    pub(super) fn new(share: Share) -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", getpid().as_raw_nonzero());
        let group = |controller| {
            let above = Path::new("/sys/fs/cgroup").join(controller);
            let above = above.join(path_of(&own, controller)?);
            sweep(&above);
            Some(Group {
                path: above.join(&name),
                above,
            })
        };
        // Whatever was made is taken away again when this is dropped.
        let groups = Self {
            memory: group("memory")?,
            processes: group("pids")?,
        };
        groups.make(share).ok()?;
        Some(groups)
    }

    fn make(&self, share: Share) -> io::Result<()> {
        let (memory, processes) = (&self.memory.path, &self.processes.path);
        fs::create_dir(memory)?;
        fs::create_dir(processes)?;
        fs::write(memory.join("memory.limit_in_bytes"), share.memory.to_string())?;
        // The thread that spawns is in it too, for a moment.
        fs::write(
            processes.join("pids.max"),
            share.processes.saturating_add(1).to_string(),
        )?;
        // What was swapped out is memory too; not every kernel counts it.
        drop(fs::write(
            memory.join("memory.memsw.limit_in_bytes"),
            share.memory.to_string(),
        ));
        Ok(())
    }

    /// Has this thread spawn what is in these groups from its first moment on.
    /// Nothing is in them where the thread cannot enter.
    ///
    /// To move a process stops every fork on the machine until all its processors
    /// took notice: 13 ms on an idle machine, hundreds on a busy one. A thread
    /// that moves itself stops nobody.
    pub(super) fn hold<T>(self, spawn: impl FnOnce() -> T) -> (T, Option<Self>) {
        let both = [&self.memory, &self.processes];
        if !both.iter().all(|group| enter(&group.path).is_ok()) {
            self.leave();
            return (spawn(), None);
        }
        let spawned = spawn();
        self.leave();
        (spawned, Some(self))
    }

    /// Takes this thread out again. Where it cannot leave, the next group that it
    /// enters takes it away.
    fn leave(&self) {
        for group in [&self.memory, &self.processes] {
            enter(&group.above).unwrap_or_default();
        }
    }

    /// What was refused or ended because there was no more of it.
    pub(super) fn excess(&self, share: Share) -> Option<Excess> {
        let counts = |group: &Path, file: &str, name: &str| {
            let text = fs::read_to_string(group.join(file)).unwrap_or_default();
            counted(&text, name).is_some_and(|count| count > 0)
        };
        if counts(&self.processes.path, "pids.events", "max") {
            return Some(Excess::Processes(share.processes));
        }
        counts(&self.memory.path, "memory.oom_control", "oom_kill").then_some(Excess::Memory(share.memory))
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        for group in [&self.memory, &self.processes] {
            for _ in 0..TRIES {
                match fs::remove_dir(&group.path) {
                    Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(PAUSE),
                    Ok(()) | Err(_) => break,
                }
            }
        }
    }
}

/// Moves the calling thread.
fn enter(group: &Path) -> io::Result<()> {
    fs::write(group.join("tasks"), "0")
}

/// Takes away what programs like this one left that were killed.
fn sweep(above: &Path) {
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        let owner = owner.and_then(|pid| Pid::from_raw(pid.parse().ok()?));
        if owner.is_some_and(|pid| test_kill_process(pid).is_err()) {
            // One that still has processes in it cannot be taken away yet.
            drop(fs::remove_dir(entry.path()));
        }
    }
}

/// Where this process is, for a controller of the first version.
fn path_of<'a>(groups: &'a str, controller: &str) -> Option<&'a str> {
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let mut controllers = parts.next()?.split(',');
        let path = parts.next()?.strip_prefix('/')?;
        controllers.any(|one| one == controller).then_some(path)
    })
}

/// The number behind a name.
fn counted(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(found, _)| *found == name)?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{counted, path_of};

    #[test]
    fn a_group_is_found_by_its_controller() {
        let groups = "9:name=systemd:/\n8:pids:/a/b\n4:cpu,memory:/c\n0::/d\n";
        assert_eq!(path_of(groups, "pids"), Some("a/b"));
        assert_eq!(path_of(groups, "memory"), Some("c"));
        assert_eq!(path_of(groups, "freezer"), None);
        assert_eq!(
            path_of("0::/user.slice\n", "memory"),
            None,
            "the second version has no such line"
        );
    }

    #[test]
    fn a_number_is_read_by_its_whole_name() {
        let text = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!(counted(text, "oom_kill"), Some(3));
        assert_eq!(counted(text, "oom"), None);
    }
}
