//! The lines of an output that tell of an error.

use regex::{Regex, RegexSet};
use std::{collections::BTreeSet, sync::LazyLock};

/// How much of an output is looked through, from its end.
const MOST: usize = 1024 * 1024;

/// The most lines that are taken.
const LINES: usize = 2_000;

/// The longest line; nobody writes longer ones for people.
const LONGEST: usize = 2_000;

/// How far behind its message a compiler tells what it points at.
const POINTED: usize = 12;

/// How many lines below an error may say what was wanted and what came.
const DETAILED: usize = 8;

/// How lines begin, or read, that tell of an error.
const TELLING: [&str; 23] = [
    r"(?:^|[\s:/\]])(?:error|Error|ERROR|fatal|Fatal|FATAL)(?:\[[\w:]+\])?: *\S",
    r"\berror TS\d+:",
    r"^(?:Uncaught |Caused by: )?[A-Za-z_][\w.$:]*(?:Error|Exception|Exit|Interrupt|Failure)\b(?:: | \[|$)",
    r"^(?:--- )?FAIL(?:ED)?\b",
    r"^test .+ \.\.\. FAILED$",
    r"^ERROR \S+",
    r"^ERROR\]? ",
    r"^not ok \d+",
    r"^[✗✕×✖●] ",
    r"\bpanicked at ",
    r"^panic: ",
    r"^(?:vet: )?\S+\.go:\d+(?::\d+)?: ",
    r"^\S+:\d+:\d+: [A-Z]{1,6}\d{1,5}\b",
    r"^\d+:\d+ +error ",
    r": (?:command not found|No such file or directory|Permission denied|No module named \S+)$",
    r"^(?:would reformat|Diff in) ",
    r"^Cannot find (?:module|package) ",
    r"\bSegmentation fault\b|\bcore dumped\b|^Killed$|^Aborted$",
    r"^thrown: ",
    r"^\S*sh: (?:line )?\d+: .+: not found$",
    r"^curl: \(\d+\)",
    r"^>> Issue: \[",
    r"^Plan: .* [1-9]\d* to destroy",
];

/// What stands below an error and says what was wanted and what came.
const DETAIL: &str = r"^(?:Expected|Received|expected|actual|left|right|want|got): *\S";

/// Lines that sum up what other lines tell: numbers of errors, exit codes.
const SUMMING_UP: [&str; 9] = [
    r"^FAIL(?:ED)?(?:\t.*| \(.*\)|\.)?$",
    r"^error: (?:could not compile|test failed|build failed|command `|Recipe `|aborting|process didn't exit|\d+ targets? failed)",
    r"^npm (?:error|ERR!)",
    r"^make(?:\[\d+\])?: \*\*\*",
    r"^[✗✕×✖●] \d+ problems?",
    r"^Error: Process completed with exit code",
    r"^ELIFECYCLE| ELIFECYCLE ",
    r"^error Command failed",
    r"^ERROR: (?:InvocationError|Job failed)",
];

/// The rules of a linter alone on their lines, with the place on the next.
const RULE: &str = r"^[A-Z]{1,6}\d{3,5} (?:\[\*\] )?\S";

static ANSI: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)").ok());
static TELLS: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(TELLING).ok());
static SUMS: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(SUMMING_UP).ok());
static DETAILS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(DETAIL).ok());
static RULES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(RULE).ok());

/// The lines of an output that tell of an error, as they were written, without
/// colours and without the marks of pytest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ErrorLines {
    /// Those that say what is wrong.
    pub(super) said: Vec<String>,
    /// Those that only sum it up.
    pub(super) summed_up: Vec<String>,
}

impl ErrorLines {
    /// The lines of both streams of a check.
    pub(super) fn of(printed: [&[u8]; 2]) -> Self {
        let mut found = Self::default();
        for bytes in printed {
            let text = plain(bytes);
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            found.read(&lines);
        }
        found
    }

    fn read(&mut self, lines: &[&str]) {
        let mut traceback = false;
        let mut above_is_marked = false;
        let mut window = 0_usize;
        for (number, line) in lines.iter().enumerate() {
            if self.said.len() + self.summed_up.len() >= LINES {
                return;
            }
            let line = line.get(..line.floor_char_boundary(LONGEST)).unwrap_or(line);
            let marked = line.strip_prefix("E  ");
            let is_first_marked = marked.is_some() && !above_is_marked;
            above_is_marked = marked.is_some();
            let said = marked.unwrap_or(line).trim_start();
            let ends_traceback = traceback && !line.is_empty() && !line.starts_with(char::is_whitespace);
            traceback =
                (traceback && !ends_traceback) || line.trim_start().starts_with("Traceback (most recent call last)");
            if sums_up(said) {
                self.summed_up.push(said.to_owned());
                continue;
            }
            let by_rule = is_rule(said)
                && lines
                    .get(number + 1)
                    .is_some_and(|next| next.trim_start().starts_with("--> "));
            let tells = TELLS.as_ref().is_some_and(|set| set.is_match(said));
            if is_first_marked || ends_traceback || by_rule || tells {
                window = DETAILED;
                self.said
                    .push(with_place(said, lines.get(number + 1..).unwrap_or_default()));
                continue;
            }
            let follows_panic = window == DETAILED && is_panic(self.said.last());
            if window > 0 && (follows_panic || DETAILS.as_ref().is_some_and(|detail| detail.is_match(said))) {
                self.said.push(said.to_owned());
            }
            window = window.saturating_sub(1);
        }
    }

    /// Whether nothing tells of an error.
    pub(super) fn is_empty(&self) -> bool {
        self.said.is_empty() && self.summed_up.is_empty()
    }

    /// What tells most: each line once, in the order of the alphabet, because
    /// tests that run side by side fail in any order.
    pub(super) fn telling(&self) -> BTreeSet<&str> {
        let lines = if self.said.is_empty() {
            &self.summed_up
        } else {
            &self.said
        };
        lines.iter().map(String::as_str).collect()
    }
}

fn is_panic(line: Option<&String>) -> bool {
    line.is_some_and(|line| line.contains(" panicked at ") && line.ends_with(':'))
}

fn sums_up(line: &str) -> bool {
    SUMS.as_ref().is_some_and(|set| set.is_match(line))
}

fn is_rule(line: &str) -> bool {
    RULES.as_ref().is_some_and(|rule| rule.is_match(line))
}

/// The message with what a compiler points at below it: messages alone are
/// alike for many errors.
fn with_place(said: &str, below: &[&str]) -> String {
    // pytest cuts what follows the name to the width of the terminal.
    if let Some((test, _)) = said.strip_prefix("FAILED ").and_then(|rest| rest.split_once(" - ")) {
        return format!("FAILED {test}");
    }
    let Some(place) = below.first().and_then(|line| line.trim_start().strip_prefix("--> ")) else {
        return said.to_owned();
    };
    let pointed = below.iter().take(POINTED).take_while(|line| !line.is_empty());
    let label = pointed
        .filter_map(|line| line.rsplit_once("^ "))
        .map(|(_, label)| label)
        .next();
    format!("{said} --> {place} {}", label.unwrap_or_default())
}

/// The end of an output as text, without colours.
pub(super) fn plain(bytes: &[u8]) -> String {
    let end = bytes.get(bytes.len().saturating_sub(MOST)..).unwrap_or_default();
    let text = String::from_utf8_lossy(end);
    match ANSI.as_ref() {
        Some(colours) => colours.replace_all(&text, "").into_owned(),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ANSI, DETAILS, ErrorLines, RULES, SUMS, TELLS};

    fn said(printed: &str) -> Vec<String> {
        ErrorLines::of([printed.as_bytes(), b""]).said
    }

    #[test]
    fn every_expression_is_one() {
        assert!(TELLS.is_some() && SUMS.is_some());
        assert!(ANSI.is_some() && DETAILS.is_some() && RULES.is_some());
    }

    #[test]
    fn a_message_is_taken_with_what_it_points_at() {
        let rust = "error[E0308]: mismatched types\n --> src/lib.rs:8:40\n  |\n8 | x\n  |   ^^^^^ expected `String`, found `i32`\n";
        assert_eq!(
            said(rust),
            ["error[E0308]: mismatched types --> src/lib.rs:8:40 expected `String`, found `i32`"]
        );
        let ruff = "F401 [*] `os` imported but unused\n  --> lint.py:8:8\n";
        assert_eq!(said(ruff), ["F401 [*] `os` imported but unused --> lint.py:8:8 "]);
        assert_eq!(said("F401 was here\nand nothing else"), [""; 0]);
    }

    #[test]
    fn of_a_traceback_the_last_line_is_taken_whatever_it_is_called() {
        let own = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\nshop.cart.Empty: nothing in it\n";
        assert_eq!(said(own), ["shop.cart.Empty: nothing in it"]);
    }

    #[test]
    fn what_is_green_tells_of_no_error() {
        for green in [
            "============ 3 passed in 0.02s ============",
            "test result: ok. 3 passed; 0 failed; 0 ignored",
            "ok  \tshop\t0.003s",
            "Found 0 errors. Watching for file changes.",
            "All checks passed!",
            " ✓ add.test.js (3 tests) 4ms\n Test Files  1 passed (1)",
            "0 errors, 2 warnings",
        ] {
            assert!(
                ErrorLines::of([green.as_bytes(), green.as_bytes()]).is_empty(),
                "{green}"
            );
        }
    }
}
