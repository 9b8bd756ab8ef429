//! Pages of turns: what is on them, and what can never be.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod languages;
mod pages;
