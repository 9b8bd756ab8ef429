//! A conversation with an agent's program, without the program: what a line
//! means, and what is answered. Nothing here waits, reads or writes.

use super::fact::{Fact, Finish};
use crate::sandbox::HowEnded;
use serde_json::Value;

/// One call of an agent, from the engine's side of its pipes.
pub trait Dialogue: Send {
    /// What is said before anything was heard.
    fn open(&mut self) -> Vec<Act>;

    /// What a line of the program's output means, and what is answered. The
    /// line has no line end; it may be no JSON, and no text.
    fn hear(&mut self, line: &[u8]) -> Vec<Act>;

    /// Asks the agent to break off kindly.
    fn interrupt(&mut self) -> Vec<Act>;

    /// What all that was heard came to, once the program is gone. `stderr` is
    /// the end of what it wrote there; some failures are told nowhere else.
    fn finish(&mut self, how: &HowEnded, stderr: &[u8]) -> Finish;
}

impl Act {
    /// Writes a JSON document as one line.
    pub(super) fn line(document: &Value) -> Self {
        let mut bytes = document.to_string().into_bytes();
        bytes.push(b'\n');
        Self::Say(bytes)
    }
}

/// What a dialogue wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Write this to the program's standard input.
    Say(Vec<u8>),
    /// Close its standard input: nothing more will be said.
    HangUp,
    /// End the program now: what it would still do is of no use.
    End,
    /// This happened.
    Fact(Fact),
}
