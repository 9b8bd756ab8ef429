//! What a person must know of the difference between two trees.

use super::{Checks, Halt};
use trueup_core::{effect::Verify, evidence::Evidence, objection::Objection};

impl Checks {
    /// Compares a tree, and what its checks reported, with the base.
    pub async fn objections(&self, _wish: &Verify, _evidence: &[Evidence]) -> Result<Vec<Objection>, Halt> {
        Ok(Vec::new())
    }
}
