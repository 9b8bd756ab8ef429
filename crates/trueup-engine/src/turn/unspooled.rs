//! A turn that ended well, for which there was no space. It is stored when
//! there is; the agent is not called again for it.

use super::stage::EndedTurn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Holds such a turn while this process lives.
#[derive(Clone, Debug, Default)]
pub struct Unspooled(Arc<Mutex<Option<EndedTurn>>>);

impl Unspooled {
    pub(super) fn put(&self, ended: EndedTurn) {
        *self.lock() = Some(ended);
    }

    pub(super) fn take(&self, turn: u32) -> Option<EndedTurn> {
        self.lock().take().filter(|ended| ended.number() == turn)
    }

    fn lock(&self) -> MutexGuard<'_, Option<EndedTurn>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
