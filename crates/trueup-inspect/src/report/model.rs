//! What all formats are read into.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trueup_core::test_results::Test;

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
    /// What is wrong, cut at [`super::MOST_MESSAGE`] bytes.
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
