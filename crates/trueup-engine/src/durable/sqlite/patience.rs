//! Waiting for space where not even the journal can be written.
//!
//! The event is held meanwhile. Whoever is killed in between loses nothing:
//! what was done is spooled, and is found by its effect's id.

use crate::{durable::Lost, space::Space, stop::StopToken};
use std::time::Duration;
use trueup_core::event::Shortage;

/// How often space is looked for.
const LOOK: Duration = Duration::from_millis(500);

/// How a journal waits for space.
#[derive(Clone, Debug)]
pub struct Patience {
    /// The space.
    pub space: Space,
    /// Hears when nobody wants to wait any more.
    pub stop: StopToken,
    /// Is told once what is waited for.
    pub told: fn(Shortage),
}

impl Patience {
    /// Returns when it is worth trying again: at once if there was a reserve
    /// to give up.
    pub(super) async fn wait(&self, why: String) -> Result<(), Lost> {
        if self.space.give_up_reserve() {
            return Ok(());
        }
        let shortage = self.space.told_full();
        (self.told)(shortage);
        loop {
            tokio::select! {
                _ = self.stop.wait() => return Err(Lost::Full(why)),
                () = tokio::time::sleep(LOOK) => {}
            }
            if self.space.free().1 >= shortage.need {
                return Ok(());
            }
        }
    }
}
