//! `go test -json`: one event a line.
//!
//! A test that began and never ended has failed: the process died under it. A
//! package that never ended makes the whole report one that is cut off.

use super::{
    Report, Test, TestOutcome, Unreadable,
    bound::{Bounded, MOST_MESSAGE, MOST_MESSAGES, MOST_TESTS},
    gathered::{ReportBuilder, cut},
};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::BufRead,
};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Line {
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    test: Option<String>,
    #[serde(default)]
    output: String,
    #[serde(default)]
    import_path: String,
}

/// A package of which something was told.
#[derive(Default)]
struct Package {
    ended: Option<TestOutcome>,
    failures: usize,
    output: String,
    /// The tests that began and have not ended, with what they printed.
    running: BTreeMap<String, String>,
}

#[derive(Default)]
struct Packages {
    gathered: ReportBuilder,
    known: BTreeMap<String, Package>,
    /// Packages that did not compile, told in words or in events.
    unbuilt: BTreeSet<String>,
    build_output: String,
    running: usize,
    held: usize,
}

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let mut source = Bounded::of_pieces(source);
    let mut buffer = Vec::new();
    let mut packages = Packages::default();
    while let Some(line) = source.line(&mut buffer)? {
        if line.first() == Some(&b'{') {
            let line = serde_json::from_slice(line)
                .map_err(|error| Unreadable::because(format!("a line of it is no event of go test: {error}")))?;
            packages.event(line)?;
        } else {
            packages.words(&String::from_utf8_lossy(line))?;
        }
    }
    packages.done()
}

impl Packages {
    fn event(&mut self, line: Line) -> Result<(), Unreadable> {
        match (line.action.as_str(), line.test) {
            ("build-output", _) => {
                self.held += add(&mut self.build_output, &line.output, self.held);
                Ok(())
            }
            ("build-fail", _) => self.not_built(&line.import_path),
            (action, Some(test)) => self.test_event(action, &line.package, test, &line.output),
            (action, None) => self.package_event(action, &line.package, &line.output),
        }
    }

    fn package(&mut self, name: &str) -> Result<&mut Package, Unreadable> {
        if self.known.len() >= MOST_TESTS && !self.known.contains_key(name) {
            return Err(Unreadable::because("it tells of too many packages"));
        }
        Ok(self.known.entry(cut(name, MOST_MESSAGE).to_owned()).or_default())
    }

    fn package_event(&mut self, action: &str, name: &str, output: &str) -> Result<(), Unreadable> {
        let held = self.held;
        let package = self.package(name)?;
        match action {
            "pass" => package.ended = Some(TestOutcome::Passed),
            "skip" => package.ended = Some(TestOutcome::Skipped),
            "fail" => package.ended = Some(TestOutcome::Failed),
            "output" => {
                let more = add(&mut package.output, output, held);
                self.held += more;
            }
            _ => {}
        }
        Ok(())
    }

    fn test_event(&mut self, action: &str, name: &str, test: String, output: &str) -> Result<(), Unreadable> {
        let (held, running) = (self.held, self.running);
        let package = self.package(name)?;
        let outcome = match action {
            "run" => {
                if running >= MOST_TESTS {
                    return Err(Unreadable::because("too many tests run at once in it"));
                }
                self.running += usize::from(package.running.insert(test, String::new()).is_none());
                return Ok(());
            }
            "output" => {
                if let Some(said) = package.running.get_mut(&test) {
                    let more = add(said, output, held);
                    self.held += more;
                }
                return Ok(());
            }
            "pass" | "bench" => TestOutcome::Passed,
            "fail" => TestOutcome::Failed,
            "skip" => TestOutcome::Skipped,
            _ => return Ok(()),
        };
        let said = package.running.remove(&test);
        package.failures += usize::from(outcome == TestOutcome::Failed);
        if let Some(said) = &said {
            self.running = self.running.saturating_sub(1);
            self.held = self.held.saturating_sub(said.len());
        }
        self.gathered
            .test(ended(name, &test, outcome, &said.unwrap_or_default()))
    }

    /// What go prints beside its events: that something did not compile.
    fn words(&mut self, line: &str) -> Result<(), Unreadable> {
        let mut words = line.split_whitespace();
        let (Some("FAIL"), Some(package)) = (words.next(), words.next()) else {
            return Ok(());
        };
        if line.ends_with("[build failed]") || line.ends_with("[setup failed]") {
            self.not_built(package)?;
        }
        Ok(())
    }

    fn not_built(&mut self, import: &str) -> Result<(), Unreadable> {
        // `a [a.test]` is the package a, compiled for its test.
        let name = import.split_whitespace().next().unwrap_or(import);
        if self.unbuilt.len() >= MOST_TESTS {
            return Err(Unreadable::because("it tells of too many packages"));
        }
        self.unbuilt.insert(cut(name, MOST_MESSAGE).to_owned());
        Ok(())
    }

    fn done(mut self) -> Result<Report, Unreadable> {
        if self.known.is_empty() && self.unbuilt.is_empty() {
            return Err(Unreadable::because("it holds no event of go test"));
        }
        for (name, package) in std::mem::take(&mut self.known) {
            let Some(outcome) = package.ended else {
                return Err(Unreadable::because(format!(
                    "it is cut off: package {name} did not end"
                )));
            };
            let mut failures = package.failures;
            for (test, said) in package.running {
                failures += 1;
                let why = format!("it began and did not end\n{said}");
                self.gathered.test(ended(&name, &test, TestOutcome::Failed, &why))?;
            }
            if outcome == TestOutcome::Failed && failures == 0 && !self.unbuilt.contains(&name) {
                self.gathered.failed(&name, package.output)?;
            }
        }
        for name in std::mem::take(&mut self.unbuilt) {
            let why = format!("it did not compile\n{}", self.build_output);
            self.gathered.failed(&name, why)?;
        }
        Ok(self.gathered.done())
    }
}

/// Adds to what is held, as far as there is room; says how much it added.
fn add(said: &mut String, more: &str, held: usize) -> usize {
    if said.len() >= MOST_MESSAGE || held >= MOST_MESSAGES {
        return 0;
    }
    let more = cut(more, MOST_MESSAGE);
    said.push_str(more);
    more.len()
}

fn ended(package: &str, test: &str, outcome: TestOutcome, said: &str) -> Test {
    let (file, line) = place(said).unzip();
    let said = match outcome {
        TestOutcome::Passed => String::new(),
        TestOutcome::Failed | TestOutcome::Skipped => said
            .lines()
            .filter(|line| !line.trim_start().starts_with("=== "))
            .collect::<Vec<_>>()
            .join("\n"),
    };
    Test {
        id: format!("{package}::{test}"),
        outcome,
        file: file.filter(|_| outcome != TestOutcome::Passed),
        line: line.filter(|_| outcome != TestOutcome::Passed),
        message: said,
    }
}

/// The first `file_test.go:12:` of what a test printed.
fn place(said: &str) -> Option<(String, u32)> {
    said.lines().find_map(|line| {
        let (file, rest) = line.trim_start().split_once(".go:")?;
        let line = rest.split(':').next()?.parse().ok()?;
        (!file.contains(char::is_whitespace)).then(|| (format!("{file}.go"), line))
    })
}
