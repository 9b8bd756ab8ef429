//! Who does the work.
