//! Reads what people write into the values of the core.
//!
//! Nothing is run and nothing is decided here: a reader either understands
//! every word of what it was given, or says on which line it stopped
//! understanding and what to write instead. What it does not know it refuses;
//! a line that silently meant nothing could be the one that mattered.

pub mod argv;
pub mod because;
pub mod challenge;
pub mod changes;
pub mod check_line;
pub mod code;
pub mod duration;
pub mod nearest;
mod problem;
pub mod project;
pub mod report;
pub mod rights;
pub mod rules;
pub mod size;
pub mod task_file;
