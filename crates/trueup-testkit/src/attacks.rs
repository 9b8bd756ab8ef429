//! What a suite of attacks tells, in one form, so that `just attacks` can add up
//! what all of them tried.

use std::fmt;

/// Attacks of one suite, and the honest ones beside them.
#[derive(Clone, Copy, Debug)]
pub struct Attacks {
    /// Which.
    pub suite: &'static str,
    /// How many were tried.
    pub tried: usize,
    /// How many got through.
    pub through: usize,
    /// How many honest twins were tried.
    pub twins: usize,
    /// How many of those were refused, or asked about without reason.
    pub alarms: usize,
}

impl fmt::Display for Attacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            suite,
            tried,
            through,
            twins,
            alarms,
        } = self;
        write!(
            f,
            "attacks: suite={suite} tried={tried} through={through} twins={twins} alarms={alarms}"
        )
    }
}
