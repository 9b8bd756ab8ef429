//! What the twins in memory are made of.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a twin in memory holds. Nobody leaves it half written, so that a
/// panic elsewhere is no reason to give it up.
pub(super) fn held<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
