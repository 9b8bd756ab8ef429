//! How criteria are executed: each check on a fresh copy of the tree that no
//! agent ever saw, or by reading the tree itself.

mod checks;

mod ground;
mod observation;
mod pending_check;
mod room;
mod verify;

mod altered;
mod challenge;
mod files;
pub mod http;
mod objections;
mod report;
mod tally;
mod tree_fact;
mod word;

pub use self::checks::{CheckProgress, Checks, ControlProgress};
