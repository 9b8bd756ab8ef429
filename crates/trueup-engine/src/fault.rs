//! Faults planted on purpose, which the harnesses must catch.
//!
//! They exist only in builds with the feature `known-bad`, which is never
//! shipped: everywhere else [`planted`] is the constant `false`.

/// A fault that a known-bad build can plant, by the value of `TRUEUP_FAULT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `keeps-late`: an event is answered, and so shown, before it is kept.
    KeepsLate,
    /// `turn-twice`: a finished turn is done again instead of found in the spool.
    TurnTwice,
    /// `syncs-late`: what an event names reaches the disk only after the event.
    SyncsLate,
    /// `forgets-space`: nobody asks whether there is space, and a full disk is a trouble like any other.
    ForgetsSpace,
}

/// Whether this build was told to have this fault.
#[cfg(feature = "known-bad")]
pub fn planted(fault: Fault) -> bool {
    let name = match fault {
        Fault::KeepsLate => "keeps-late",
        Fault::TurnTwice => "turn-twice",
        Fault::SyncsLate => "syncs-late",
        Fault::ForgetsSpace => "forgets-space",
    };
    std::env::var("TRUEUP_FAULT").is_ok_and(|planted| planted == name)
}

/// No fault can be planted in this build.
#[cfg(not(feature = "known-bad"))]
pub const fn planted(_fault: Fault) -> bool {
    false
}
