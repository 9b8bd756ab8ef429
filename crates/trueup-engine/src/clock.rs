//! The one place that knows what time it is.

use std::time::{SystemTime, UNIX_EPOCH};
use trueup_core::id::Timestamp;

/// Tells the time.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that stands still, so that whole outputs can be compared.
    Frozen(Timestamp),
}

impl Clock {
    /// The time now.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => {
                let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
            }
            Self::Frozen(at) => *at,
        }
    }
}
