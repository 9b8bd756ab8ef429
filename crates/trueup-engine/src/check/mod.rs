//! How criteria are executed.
