//! Reads what people write into the values of the core.
//!
//! Nothing is run and nothing is decided here: a reader either understands
//! every word of what it was given, or says on which line it stopped
//! understanding and what to write instead. What it does not know it refuses;
//! a line that silently meant nothing could be the one that mattered.

// What people write.
mod problem;
pub mod nearest;
pub mod argv;
pub mod duration;
pub mod size;
pub mod because;
pub mod environment;
pub mod errors;
pub mod telling;
pub mod check_line;
pub mod task_file;

// What a change is, and may be.
pub mod project;
pub mod rules;
pub mod rights;
pub mod code;
pub mod changes;
pub mod related;

// How a check is doubted, and what it reports.
mod test_id;
pub mod challenge;
pub mod report;
