//! The program itself: after an upgrade, `up` goes on as the new one.

use crate::exit::Failure;
use rustix::process::{Pid, WaitOptions, waitpid};
use std::{
    env,
    ffi::OsString,
    fs, io,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

/// A file that was just replaced may not be whole yet.
const SETTLES: Duration = Duration::from_secs(2);

/// The program that runs now, and its file as it was then.
pub(super) struct Program {
    path: PathBuf,
    stamp: Stamp,
    /// A file in its place, and since when it has been seen.
    other: Option<(Stamp, Instant)>,
    /// Processes that the program before an upgrade had started.
    inherited: Vec<Pid>,
}

/// By what a file is known to be another one.
type Stamp = (u64, u64, i64);

impl Program {
    /// This program, with the processes that it has from the one before.
    pub(super) fn now(inherited: &[u32]) -> Result<Self, Failure> {
        let path = env::current_exe()?;
        let stamp = stamp(&path)?;
        let process = |number: &u32| i32::try_from(*number).ok().and_then(Pid::from_raw);
        Ok(Self {
            path,
            stamp,
            other: None,
            inherited: inherited.iter().filter_map(process).collect(),
        })
    }

    /// Where it lies, also after it was replaced there.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Lets go of inherited processes that have ended; no `Child` waits for them.
    pub(super) fn reap(&mut self) {
        self.inherited
            .retain(|process| matches!(waitpid(Some(*process), WaitOptions::NOHANG), Ok(None)));
    }

    /// Whether another program lies in the place of this one, whole.
    pub(super) fn was_replaced(&mut self) -> bool {
        let other = stamp(&self.path).ok().filter(|now| *now != self.stamp);
        self.other = match (other, self.other) {
            (None, _) => None,
            (Some(now), Some((seen, since))) if seen == now => Some((seen, since)),
            (Some(now), _) => Some((now, Instant::now())),
        };
        self.other.is_some_and(|(_, since)| since.elapsed() >= SETTLES)
    }

    /// Becomes the other program, which is asked for the same and inherits these
    /// processes; answers only why it could not.
    pub(super) fn become_it(&mut self, children: &[u32]) -> io::Error {
        let mut words: Vec<OsString> = env::args_os().skip(1).collect();
        if let Some(at) = words.iter().position(|word| word == "--adopt") {
            words.drain(at..(at + 2).min(words.len()));
        }
        let mut program = Command::new(&self.path);
        program.args(words);
        let inherited = self
            .inherited
            .iter()
            .map(|process| process.as_raw_nonzero().to_string());
        let all: Vec<String> = children.iter().map(u32::to_string).chain(inherited).collect();
        if !all.is_empty() {
            program.args(["--adopt", &all.join(",")]);
        }
        let why = program.exec();
        // It is not tried again before it is another one.
        if let Some((stamp, _)) = self.other.take() {
            self.stamp = stamp;
        }
        why
    }
}

fn stamp(path: &Path) -> io::Result<Stamp> {
    let about = fs::metadata(path)?;
    Ok((about.ino(), about.len(), about.mtime()))
}
