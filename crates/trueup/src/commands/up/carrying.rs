//! One run that is carried on, by a process of its own.

use crate::places::{Place, RunAt};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs::{self, File},
    io,
    os::unix::{fs::OpenOptionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use trueup_engine::state::make_private;

/// A run that is carried on.
pub(super) struct Carrying {
    name: RunAt,
    child: Child,
    /// What that process prints.
    log: PathBuf,
    /// How many events were kept when it began.
    known: u64,
}

impl Carrying {
    /// Begins to carry a run on. Its process has a group of its own, so that no
    /// key of a terminal reaches it, and lives on where this one is killed.
    pub(super) fn begin(program: &Path, place: &Place, (name, known): (&RunAt, u64)) -> io::Result<Self> {
        let folder = place.state.run(&name.run);
        make_private(&folder)?;
        let log = folder.join("up.log");
        let mut options = File::options();
        let printed = options.write(true).create(true).truncate(true).mode(0o600).open(&log)?;
        let child = Command::new(program)
            .args([
                "resume",
                name.run.as_str(),
                "--leave-moments",
                "--progress",
                "lines",
                "--plain",
            ])
            .arg("--dir")
            .arg(&place.checkout)
            .stdin(Stdio::null())
            .stdout(printed.try_clone()?)
            .stderr(printed)
            .process_group(0)
            .spawn()?;
        Ok(Self {
            name: name.clone(),
            child,
            log,
            known,
        })
    }

    pub(super) const fn name(&self) -> &RunAt {
        &self.name
    }

    pub(super) const fn known(&self) -> u64 {
        self.known
    }

    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn is_at_work(&mut self) -> io::Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// Has it stop where nothing is lost.
    pub(super) fn ask_to_stop(&self) {
        let process = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let asked = process.map(|process| kill_process(process, Signal::TERM));
        // One that is gone has stopped.
        asked.transpose().unwrap_or_default();
    }

    /// What it said was wrong: the line of its error, else the last one.
    pub(super) fn told(&self) -> String {
        let printed = fs::read_to_string(&self.log).unwrap_or_default();
        let mut lines = printed.lines().map(str::trim).filter(|line| !line.is_empty());
        let error = lines.clone().find_map(|line| line.strip_prefix("error: "));
        error
            .or_else(|| lines.next_back())
            .unwrap_or("it said nothing")
            .to_owned()
    }

    /// Removes what it printed: the journal tells it better.
    pub(super) fn forget(&self) {
        // What cannot be removed is written over by the next process.
        drop(fs::remove_file(&self.log));
    }
}
