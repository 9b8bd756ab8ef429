//! Ids no other reply has, not even one of another server.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// Ids of one server.
///
/// A conversation may be resumed at another server, and agents take two
/// messages of one id for one message; so the moment of the start is in each.
#[derive(Debug)]
pub(super) struct Ids {
    start: u128,
    count: AtomicU64,
}

impl Ids {
    /// Ids of a server that starts now.
    pub(super) fn new() -> Self {
        Self {
            start: since_epoch().as_nanos(),
            count: AtomicU64::new(0),
        }
    }

    /// The next id, behind its customary prefix.
    pub(super) fn next(&self, prefix: &str) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{prefix}{:016x}{count:08x}", self.start)
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    since_epoch().as_secs()
}

fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
