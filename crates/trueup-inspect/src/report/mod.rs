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
mod named;
mod sarif;

pub use bound::{
    MOST_BYTES, MOST_DEPTH, MOST_FINDINGS, MOST_ID, MOST_JSON_BYTES, MOST_LINES, MOST_MESSAGE, MOST_TESTS, Unreadable,
};

pub use trueup_core::test_results::{Test, TestOutcome};

use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, io};
use trueup_core::kind::Format;

/// What a tool reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// The tests it ran or skipped, as often as it told of them.
    pub tests: Vec<Test>,
    /// The faults it found.
    pub findings: Vec<Finding>,
    /// The lines it saw reached, or not reached.
    pub lines: Lines,
}

/// A fault that a tool found in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The file, as the tool spells it; empty where the tool names none.
    pub path: String,
    /// The line, if the tool names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The rule that is broken, as the tool calls it; may be empty.
    pub rule: String,
    /// How bad it is.
    pub level: Level,
    /// What is wrong, cut at [`MOST_MESSAGE`] bytes.
    pub message: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The tool calls it an error.
    Error,
    /// The tool warns of it.
    Warning,
    /// The tool only mentions it.
    Note,
}

/// How often each line of each file was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub BTreeMap<String, BTreeMap<u32, u64>>);

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

impl Report {
    /// Takes in another report of the same execution. A test that both tell of
    /// is kept twice; a line that both tell of was reached as often as both say.
    pub fn merge(&mut self, other: Self) {
        self.tests.extend(other.tests);
        self.findings.extend(other.findings);
        for (file, lines) in other.lines.0 {
            let known = self.lines.0.entry(file).or_default();
            for (line, hits) in lines {
                let sum = known.entry(line).or_default();
                *sum = sum.saturating_add(hits);
            }
        }
    }

    /// Every test that a name means: see `named.rs` for what a name may leave out.
    pub fn named<'a>(&'a self, name: &str) -> Vec<&'a Test> {
        named::named(&self.tests, name)
    }

    /// Spells paths inside `root` from there on. Tools name files by where they
    /// found them, and two executions may have found one tree in two places.
    pub fn relative_to(&mut self, root: &str) {
        let root = format!("{}/", root.trim_end_matches('/'));
        let strip = |text: &mut String| {
            if text.starts_with(&root) {
                text.drain(..root.len());
            }
        };
        for test in &mut self.tests {
            strip(&mut test.id);
            test.file.as_mut().map(strip);
        }
        for finding in &mut self.findings {
            strip(&mut finding.path);
        }
        let lines = std::mem::take(&mut self.lines);
        for (mut file, lines) in lines.0 {
            strip(&mut file);
            let one = Lines(BTreeMap::from([(file, lines)]));
            self.merge(Self {
                lines: one,
                ..Self::default()
            });
        }
    }
}
