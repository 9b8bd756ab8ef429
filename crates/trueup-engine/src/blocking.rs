//! Work that blocks, done on a thread where nobody else waits for it: git,
//! files, the travelling ports.

use crate::trace;
use std::{future, panic};

/// Does the work on a thread of its own, and answers when it is done.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match trace::spawn_blocking(work).await {
        Ok(done) => done,
        Err(broken) if broken.is_panic() => panic::resume_unwind(broken.into_panic()),
        // The runtime is shutting down, and nobody waits for the answer any more.
        Err(_) => future::pending().await,
    }
}
