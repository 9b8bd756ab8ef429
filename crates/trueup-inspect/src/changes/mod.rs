//! The files that differ between two trees: what was written, which tests
//! stand in it, and what a task allows of it.

mod allowed;
mod changed_file;
mod expectation;
mod gone;
mod installs;
mod run_tests;
mod test_item;

pub use self::{
    allowed::{Allowed, globs},
    changed_file::{ChangedFile, Side},
    expectation::expectation,
    gone::{GoneTest, Place, gone_tests},
    installs::installs,
    run_tests::{run_tests, shifted_cases},
    test_item::{TestItem, file_of, found_in, is_called, is_meant, is_moved, lies_elsewhere, test_items, tests_in},
};
