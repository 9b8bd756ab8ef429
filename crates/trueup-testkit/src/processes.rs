//! Which processes of a household are alive, wherever they hide.
//!
//! A process belongs to a household if the household's folder stands in its
//! words, its variables or its mounts: trueup and git name it in the first
//! two, and what lives in a sandbox has it mounted.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(5);

/// One processes process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub id: u32,
    /// When it started, which tells it from a later one with the same id.
    started: String,
    /// The words it was started with.
    pub words: String,
}

/// Every processes process of the household in this folder.
pub fn of(folder: &Path) -> Vec<Process> {
    let mark = folder.file_name().unwrap_or_default().as_encoded_bytes();
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ids = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| *id != std::process::id())
        .filter_map(|id| look(id, mark))
        .collect()
}

/// How long it took until nothing of the household lived any more; what still
/// does after `limit` otherwise.
pub fn gone_within(folder: &Path, limit: Duration) -> Result<Duration, Vec<Process>> {
    gone(limit, || of(folder))
}

/// The same of these processes alone, whatever else lives by then.
pub fn these_gone_within(these: &[Process], limit: Duration) -> Result<Duration, Vec<Process>> {
    gone(limit, || {
        let still = these
            .iter()
            .filter(|process| stat(process.id).is_some_and(|(_, started)| started == process.started));
        still.cloned().collect()
    })
}

fn gone(limit: Duration, look: impl Fn() -> Vec<Process>) -> Result<Duration, Vec<Process>> {
    let since = Instant::now();
    loop {
        let processes = look();
        if processes.is_empty() {
            return Ok(since.elapsed());
        }
        if since.elapsed() > limit {
            return Err(processes);
        }
        thread::sleep(PAUSE);
    }
}

fn look(id: u32, mark: &[u8]) -> Option<Process> {
    let holds = |name: &str| {
        let text = fs::read(format!("/proc/{id}/{name}")).unwrap_or_default();
        text.windows(mark.len()).any(|window| window == mark)
    };
    if !["cmdline", "environ", "mountinfo"].iter().any(|name| holds(name)) {
        return None;
    }
    let words = fs::read(format!("/proc/{id}/cmdline")).ok()?;
    let (state, started) = stat(id)?;
    // The dead who wait for their parent to notice do nothing any more.
    (!matches!(state.as_str(), "Z" | "X")).then(|| Process {
        id,
        started,
        words: String::from_utf8_lossy(&words).replace('\0', " "),
    })
}

/// A process's state and the moment it started, unless it is gone or dead.
fn stat(id: u32) -> Option<(String, String)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in brackets may hold anything; the fields begin behind it.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ');
    let state = fields.next()?.to_owned();
    let started = fields.nth(18)?.to_owned();
    (!matches!(state.as_str(), "Z" | "X")).then_some((state, started))
}
