//! Where wishes become facts.

use trueup_core::{effect::Effect, event::Event};

/// Performs effects. What comes back is always a fact: red tests, a dead
/// agent, a missing program. Only core decides what it means.
#[expect(
    async_fn_in_trait,
    reason = "a run is driven on the thread that owns it; no engine needs the future to be Send"
)]
pub trait World {
    /// Performs an effect; idempotent on its id.
    async fn perform(&self, effect: &Effect) -> Event;
}
