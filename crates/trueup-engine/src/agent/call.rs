//! One call of an agent: what it is given, what is seen meanwhile, and what
//! came of it.

use super::{fact::Fact, watch::Activity};
use crate::{
    sandbox::{Folder, ReadOnlyMount, WritableMount},
    travel::SessionFiles,
};
use std::{path::PathBuf, time::Duration};
use trueup_core::{
    ending::Ending,
    event::Stop,
    id::SessionId,
    memory::{Claim, Memory},
    turn::Policy,
    usage::Usage,
};

/// One call of an agent.
#[derive(Clone, Debug)]
pub struct Call {
    /// The clone it works in.
    pub workspace: Folder,
    /// Folders of the engine's that lie in it.
    pub own: Vec<WritableMount>,
    /// What the clone borrows from, read-only.
    pub borrowed: Vec<PathBuf>,
    /// What it is told.
    pub prompt: String,
    /// The same, as a file the sandbox may show.
    pub prompt_file: PathBuf,
    /// What the prompt names and the agent may read besides.
    pub shown: Vec<ReadOnlyMount>,
    /// Which run this is, as agents see it.
    pub run: String,
    /// Which task.
    pub task: String,
    /// Which turn.
    pub turn: u32,
    /// What it remembers.
    pub memory: Memory,
    /// The conversation it goes on from, as it was kept, if it was.
    pub session_files: Option<SessionFiles>,
    /// A folder of the engine's that is this agent's alone in this run: its
    /// settings, its sign-in, its conversations.
    pub home: PathBuf,
    /// What it may do.
    pub policy: Policy,
    /// The lock its sandbox holds.
    pub alive: PathBuf,
}

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it ended; `Err` when somebody asked it to stop.
    pub ending: Result<Ending, Stop>,
    /// What it printed, both streams as they came.
    pub transcript: Vec<u8>,
    /// How much it printed in all.
    pub transcript_total: u64,
    /// What it cost, as far as it said.
    pub usage: Usage,
    /// How long it took.
    pub took: Duration,
    /// Its conversation, to go on from.
    pub session: Option<SessionId>,
    /// The files of that conversation, as they are now.
    pub session_files: Option<SessionFiles>,
    /// What it says of its work.
    pub claim: Claim,
    /// Its version, as it says.
    pub version: Option<String>,
}

impl Answer {
    /// The answer of an agent that could not be started.
    pub(crate) fn unusable(why: String) -> Self {
        Self {
            ending: Ok(Ending::Unusable { why }),
            transcript: Vec::new(),
            transcript_total: 0,
            usage: Usage::default(),
            took: Duration::ZERO,
            session: None,
            session_files: None,
            claim: Claim::default(),
            version: None,
        }
    }

    /// Adds lines of what was seen of it and what it did not print.
    pub(super) fn add(&mut self, lines: &str) {
        let starts = self.transcript.last().is_none_or(|last| *last == b'\n');
        let text = match (lines.is_empty(), starts) {
            (true, _) => return,
            (false, true) => lines.to_owned(),
            (false, false) => format!("\n{lines}"),
        };
        self.transcript.extend(text.as_bytes());
        self.transcript_total += u64::try_from(text.len()).unwrap_or_default();
    }

    /// How long it took, in milliseconds.
    pub fn took_ms(&self) -> u64 {
        u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX)
    }
}

/// What happens in a call while it happens. Shown as live, never as fact.
#[derive(Clone, Copy, Debug)]
pub enum Happening<'a> {
    /// It printed something.
    Printed(&'a [u8]),
    /// It did something, as far as its adapter understands it.
    Did(&'a Fact),
    /// It turned to something else, or is still at it.
    Activity {
        /// What it is at.
        activity: Activity,
        /// For how long.
        for_ms: u64,
    },
    /// Nothing was heard of it for long.
    Idle {
        /// For how long.
        for_ms: u64,
    },
}
