//! What a person changed while a run was under way, in lines they read.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs, as the file names it.
    pub field: String,
    /// What the run has.
    pub was: String,
    /// What the file, or the configuration, says now.
    pub now: String,
}

/// Takes it down where there is one.
pub(crate) fn note(found: &mut Vec<Difference>, field: &str, was: String, now: String) {
    if was != now {
        let field = field.to_string();
        found.push(Difference { field, was, now });
    }
}
