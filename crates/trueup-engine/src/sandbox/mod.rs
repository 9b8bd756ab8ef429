//! The wall round an agent or a check.
