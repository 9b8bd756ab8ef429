//! Threads beside the main one, in the first program inside.

use nix::sys::signal::{SigSet, SigmaskHow};
use std::{
    io,
    thread::{Builder, JoinHandle},
};

/// Starts a thread that takes no signals.
///
/// The kernel drops what is sent from within a PID namespace to its first
/// process, but not while the main thread blocks it, as it does for a moment
/// whenever it starts something: then any thread that would take the signal dies
/// of it, and the whole sandbox with it.
pub(super) fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    // A thread begins with the mask of the one that starts it.
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let started = Builder::new().spawn(work);
    before.thread_set_mask()?;
    started
}
