//! What tools wrote down of what they saw: tests, findings, and lines reached.
//!
//! Every reader streams and every reader has limits: of bytes, of depth, of
//! tests, of the length of texts. A document that is cut off, or that is not
//! what it was said to be, is [`Unreadable`]; it never becomes a report in
//! which nothing failed.

mod bound;
mod cargo;
mod eslint;
mod gathered;
mod go;
mod jest;
mod json;
mod junit;
mod lcov;
mod libtest;
mod model;
mod named;
mod ran_nothing;
mod sarif;

pub use bound::{
    MOST_BYTES, MOST_DEPTH, MOST_FINDINGS, MOST_ID, MOST_JSON_BYTES, MOST_LINES, MOST_MESSAGE, MOST_TESTS, Unreadable,
};
pub use model::{Finding, Level, Lines, Report};
pub use ran_nothing::ran_nothing;
pub use trueup_core::test_results::{Test, TestOutcome};

use std::io;
use trueup_core::kind::Format;

/// Reads a report. A well-formed one that holds no tests is read as one that
/// holds no tests: whoever judges may not take that for a pass.
pub fn read(format: Format, source: impl io::BufRead) -> Result<Report, Unreadable> {
    match format {
        Format::Junit => junit::read(source),
        Format::Go => go::read(source),
        Format::Jest => jest::read(source),
        Format::Libtest => libtest::read(source),
        Format::Lcov => lcov::read(source),
        Format::Sarif => sarif::read(source),
        Format::Cargo => cargo::read(source),
        Format::Eslint => eslint::read(source),
    }
}
