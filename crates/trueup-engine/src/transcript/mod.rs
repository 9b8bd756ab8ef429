//! What happened in a turn, for people to read: rendered from the journal and
//! the bodies it names, and therefore made again at any time.

mod plain;
pub mod words;

pub use plain::plain;
