//! Rules about what a change may not do unnoticed.
//!
//! A check proves something only while what decides its answer stays as it
//! was. These rules say which program a command calls in the end, which files
//! decide how checks run, which markers silence a check, and which lines of
//! production code reach for the runner instead of doing the work. They read
//! and tell; whether a change is wanted is for a person to say.

mod calls;
mod catalogue;
mod differences;
mod doubles;
mod equipped;
mod kind;
mod make;
mod meaning;
mod mixed;
mod outspoken;
pub mod packages;
mod paths;
mod pattern;
mod protected;
mod readers;
mod runner;
mod scripts;
mod selecting;
mod shadows;
mod shell;
mod shipped;
mod source;
mod suppressions;
mod suspicions;
mod twice;

pub use catalogue::{Catalogue, Detector, Example, PackError, Rule, Seeks, catalogue};
pub use differences::{Difference, differences, is_protected};
pub use doubles::{Double, doubles};
pub use equipped::Equipped;
pub use kind::kind;
pub use outspoken::outspoken;
pub use protected::is_lock;
pub use readers::{CalledPrograms, Readers, Words, silenced_by};
pub use runner::{only_runner, runner};
pub use selecting::selecting;
pub use shipped::shipped;
pub use suppressions::{silencing, suppressions, suppressions_since};
pub use suspicions::{Breach, Suspicion, suspicions};
pub use twice::twice;

/// Reads a file of a tree by its path; nothing where there is no such file.
pub type Files<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;
