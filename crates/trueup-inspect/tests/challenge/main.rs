//! Which sabotage is planned for which check, with what comes of it scripted.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod canaries;
mod expectations;
mod gone;
mod neighbours;
mod new_tests;
mod otherwise;
mod played;
mod removals;
mod restored;
mod run_tests;
mod selections;
