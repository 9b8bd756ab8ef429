//! The one place that says what the desk of one machine keeps its rows in.

use super::{
    DeskError,
    sqlite::{self, Sqlite},
};
use crate::state::StateRoot;
pub use sqlite::Repaired;

/// The desk of one machine.
pub type LocalDesk = Sqlite;

/// Opens the desk of a state root, making it if there is none. One that a
/// newer trueup has written is refused and left as it is.
pub fn local_desk(root: &StateRoot) -> Result<LocalDesk, DeskError> {
    Sqlite::open(root)
}

/// Whether the desk of a state root is as it was written, every event of it.
pub fn is_desk_whole(root: &StateRoot) -> Result<bool, DeskError> {
    sqlite::is_whole(root)
}

/// Makes the desk of a state root whole again where it is damaged.
pub fn repair_desk(root: &StateRoot) -> Result<Option<Repaired>, DeskError> {
    sqlite::repair(root)
}
