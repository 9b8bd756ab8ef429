//! What is read from source code, and what is laid into it.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod canaries;
mod changes;
mod expectations;
mod formers;
mod hostile;
mod items;
mod neighbours;
mod paths;
mod stubs;
mod tools;
mod touches;
