//! What a tree asks to be installed, as its manifests and lock files say.
//!
//! A file that decides what is installed also decides what checks run, so a
//! person is asked before it is followed. Most edits of a manifest decide
//! nothing of the kind, and where packages do change, people want to read
//! which.

mod change;
mod listed;
mod request;
mod say;

pub use change::change;
pub(super) use request::HOOKS;
pub use request::{Request, request};
pub use say::{Fetcher, is_manifest};
