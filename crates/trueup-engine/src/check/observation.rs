//! What a check saw, before it is bound to anything.

use trueup_core::evidence::{Because, CheckOutcome, ErrorSeen, Tally};

/// What a check saw, before it is bound to anything.
pub(super) struct Observation {
    pub(super) saw: CheckOutcome,
    pub(super) stdout: Vec<u8>,
    pub(super) stdout_total: u64,
    pub(super) stderr: Vec<u8>,
    pub(super) stderr_total: u64,
    pub(super) tally: Option<Tally>,
    pub(super) because: Option<Because>,
    pub(super) error: Option<ErrorSeen>,
}

impl Observation {
    /// Something the engine saw itself, explained on standard output.
    pub(super) fn told(saw: CheckOutcome, text: String) -> Self {
        let bytes = text.into_bytes();
        Self {
            saw,
            stdout_total: bytes.len() as u64,
            stdout: bytes,
            stderr: Vec::new(),
            stderr_total: 0,
            tally: None,
            because: None,
            error: None,
        }
    }

    pub(super) fn cannot_run(why: impl Into<String>) -> Self {
        Self::told(CheckOutcome::CannotRun { why: why.into() }, String::new())
    }
}
