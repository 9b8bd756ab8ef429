//! Faults planted on purpose, which the harnesses must catch.
//!
//! They exist only in builds with the feature `known-bad`, which is never
//! shipped: everywhere else [`planted`] is the constant `false`.

/// A fault that a known-bad build can plant. `TRUEUP_FAULT` names it, or several
/// with commas between them.
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
    /// `shares-kernel`: a sandbox keeps its builder's keys and every call of the kernel.
    SharesKernel,
    /// `hides-holes`: `trust` shows commands alone, and binds no script.
    HidesHoles,
    /// `obeys-text`: what somebody else wrote is printed as it is.
    ObeysText,
    /// `asks-nobody`: `init` executes what it found without a yes.
    AsksNobody,
    /// `believes-green`: a green check is proof, and no change is looked at.
    BelievesGreen,
    /// `blames-nobody`: who fills the quota makes everybody wait.
    BlamesNobody,
    /// `protects-nothing`: no file is asked about for what would execute it.
    ProtectsNothing,
    /// `limits-nothing`: a sandbox may take the whole machine.
    LimitsNothing,
    /// `runs-any-program`: git is taken from wherever the PATH leads first.
    RunsAnyProgram,
    /// `walks-by-path`: folders are measured and removed by their whole paths.
    WalksByPath,
    /// `overlooks-damage`: an empty journal is a new one, and a moved repository another.
    OverlooksDamage,
    /// `tells-names`: the names of files are not redacted, and a fence is always as long.
    TellsNames,
    /// `panics-aside`: a thread panics whose end nobody looks at.
    PanicsAside,
}

/// The variable that names faults.
#[cfg(feature = "known-bad")]
const VARIABLE: &str = "TRUEUP_FAULT";

/// Whether this build was told to have this fault.
#[cfg(feature = "known-bad")]
pub fn planted(fault: Fault) -> bool {
    let name = match fault {
        Fault::KeepsLate => "keeps-late",
        Fault::TurnTwice => "turn-twice",
        Fault::SyncsLate => "syncs-late",
        Fault::ForgetsSpace => "forgets-space",
        Fault::SharesKernel => "shares-kernel",
        Fault::HidesHoles => "hides-holes",
        Fault::ObeysText => "obeys-text",
        Fault::AsksNobody => "asks-nobody",
        Fault::BelievesGreen => "believes-green",
        Fault::BlamesNobody => "blames-nobody",
        Fault::ProtectsNothing => "protects-nothing",
        Fault::LimitsNothing => "limits-nothing",
        Fault::RunsAnyProgram => "runs-any-program",
        Fault::WalksByPath => "walks-by-path",
        Fault::OverlooksDamage => "overlooks-damage",
        Fault::TellsNames => "tells-names",
        Fault::PanicsAside => "panics-aside",
    };
    std::env::var(VARIABLE).is_ok_and(|planted| planted.split(',').any(|one| one == name))
}

/// No fault can be planted in this build.
#[cfg(not(feature = "known-bad"))]
pub const fn planted(_fault: Fault) -> bool {
    false
}

/// What tells the first program of a sandbox, whose environment is cleared, of
/// the fault.
#[cfg(feature = "known-bad")]
pub(crate) fn passed_inside() -> Vec<String> {
    let planted = std::env::var(VARIABLE).ok();
    let words = planted.map(|planted| ["--setenv".to_owned(), VARIABLE.to_owned(), planted]);
    words.into_iter().flatten().collect()
}

/// There is none to tell of.
#[cfg(not(feature = "known-bad"))]
pub(crate) const fn passed_inside() -> [String; 0] {
    []
}
