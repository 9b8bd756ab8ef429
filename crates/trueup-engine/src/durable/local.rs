//! The one place that says what the desk of one machine keeps its rows in.

use super::{DeskError, sqlite::Sqlite};
use crate::state::StateRoot;

/// The desk of one machine.
pub type LocalDesk = Sqlite;

/// Opens the desk of a state root, making it if there is none. One that a
/// newer trueup has written is refused and left as it is.
pub fn local_desk(root: &StateRoot) -> Result<LocalDesk, DeskError> {
    Sqlite::open(root)
}
