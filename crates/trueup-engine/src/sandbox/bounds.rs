//! What a program inside may see, write and reach, and how it ended.

use super::{share::Excess, veil::Folder};
use std::{collections::BTreeMap, fmt, path::PathBuf, sync::Arc, time::Duration};
use trueup_core::{
    criterion::{Network, Service},
    event::Stop,
};
use trueup_net::Egress;

/// What one sandbox shows beyond what all of them show.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The folder that lies, writable, at [`super::TREE`]; programs start there.
    pub tree: Folder,
    /// Folders of the engine's own, writable, over what else lies there.
    pub own: Vec<WritableMount>,
    /// Whether the network can be reached.
    pub network: Network,
    /// What listens behind the door of [`Network::Model`]; without it that
    /// leads nowhere.
    pub egress: Option<Arc<Egress>>,
    /// Shown read-only, at their own paths.
    pub read: Vec<PathBuf>,
    /// Shown writable, at their own paths.
    pub write: Vec<PathBuf>,
    /// What the engine itself shows read-only, wherever it lies.
    pub lay: Vec<ReadOnlyMount>,
    /// What runs beside the program, started before it.
    pub services: Vec<Service>,
    /// Sockets of the host it may reach, where a person allowed them.
    pub sockets: Vec<String>,
    /// Variables beyond [`super::Sandbox::variables`]; they win over those.
    pub variables: BTreeMap<String, String>,
    /// A file on which a shared lock is held while anything inside lives;
    /// created if it is missing.
    pub alive: PathBuf,
}

/// A host's file or folder, shown read-only at a path of its own.
#[derive(Clone, Debug)]
pub struct ReadOnlyMount {
    /// Where it lies.
    pub host: PathBuf,
    /// Where it is seen.
    pub inner: PathBuf,
}

/// A folder of the engine's, shown writable at a path of its own.
#[derive(Clone, Debug)]
pub struct WritableMount {
    /// The folder.
    pub folder: Folder,
    /// Where it is seen. Inside the tree every folder above it is a real one:
    /// whoever asks for this has seen to it that no link stands in the way.
    pub inner: PathBuf,
}

/// A program to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is run for; told in logs alone.
    pub purpose: Purpose,
    /// The program and its arguments; never a shell line.
    pub argv: Vec<String>,
    /// What it is told before its responder says anything; without a responder,
    /// all of its standard input.
    pub stdin: Vec<u8>,
    /// How long it may take.
    pub time_limit: Duration,
    /// How many bytes of each stream are kept.
    pub output_limit: u64,
}

/// What a program is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It works on a task.
    Agent,
    /// It says whether something holds.
    Check,
    /// It makes what checks and agents rest on.
    Preparation,
    /// Whether it can be run at all is what is asked.
    Probe,
}

impl Purpose {
    /// Its name, as logs show it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Check => "check",
            Self::Preparation => "preparation",
            Self::Probe => "probe",
        }
    }
}

/// Which of the two streams a program wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Its standard output.
    Stdout,
    /// Its standard error.
    Stderr,
}

/// How a program ended, and what it wrote.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it ended.
    pub how: HowEnded,
    /// What it wrote to standard output.
    pub stdout: Output,
    /// What it wrote to standard error.
    pub stderr: Output,
    /// How long it took, wall and all.
    pub took: Duration,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HowEnded {
    /// By itself: its exit code, or 128 and the number of the signal that ended it.
    Exited(i32),
    /// It was ended at its time limit.
    TimedOut,
    /// It was ended because it took too much of the machine.
    Overran(Excess),
    /// It was ended because somebody asked.
    Stopped(Stop),
    /// Its responder had heard enough and ended it.
    Dismissed,
    /// It never ran. No program that did run can make this appear.
    NotStarted(String),
    /// A service it needs could not be used or did not last, so that nothing
    /// it did means anything. No program inside can make this appear but by
    /// ending the service.
    Unserved(String),
}

impl fmt::Display for HowEnded {
    /// As logs show it: a code, or why there is none. Never what was said.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "{code}"),
            Self::TimedOut => write!(f, "timed-out"),
            Self::Overran(_) => write!(f, "overran"),
            Self::Stopped(_) => write!(f, "stopped"),
            Self::Dismissed => write!(f, "dismissed"),
            Self::NotStarted(_) => write!(f, "not-started"),
            Self::Unserved(_) => write!(f, "unserved"),
        }
    }
}

/// What a program wrote to one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// All of it; or, beyond the limit, its beginning and its end with a line
    /// between them that says how much was left out.
    pub kept: Vec<u8>,
    /// How many bytes were written.
    pub total: u64,
}

impl Ended {
    pub(super) fn stopped(by: Stop) -> Self {
        Self {
            how: HowEnded::Stopped(by),
            ..Self::not_started(String::new())
        }
    }

    pub(super) fn not_started(why: String) -> Self {
        Self {
            how: HowEnded::NotStarted(why),
            stdout: Output::default(),
            stderr: Output::default(),
            took: Duration::ZERO,
        }
    }
}
