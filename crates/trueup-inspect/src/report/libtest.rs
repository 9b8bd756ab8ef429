//! What `cargo test` prints.
//!
//! Anything may stand between its lines, so nothing is believed that does not
//! add up: every suite must end, and its last line must count what its other
//! lines list.

use super::{
    Report, Test, TestOutcome, Unreadable,
    bound::{Bounded, MOST_MESSAGE},
    gathered::{ReportBuilder, cut},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::BufRead,
};

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let mut source = Bounded::of_pieces(source);
    let mut buffer = Vec::new();
    let mut printed = Printed::default();
    while let Some(line) = source.line(&mut buffer)? {
        let line = String::from_utf8_lossy(line);
        printed.line(&plain(&line))?;
    }
    printed.done()
}

/// A suite that has begun: its tests, and what it has said of their failures.
struct Suite {
    announced: usize,
    file: Option<String>,
    seen: Counts,
    /// Where the failed ones stand in the report.
    failed: BTreeMap<String, usize>,
    /// The first blank line after the tests ends them: what follows is what
    /// failed tests printed, which may look like anything.
    telling: Option<Telling>,
    /// What looked like its end, and did not count what it lists.
    unlike: Option<Counts>,
}

/// Which failure is being told of.
#[derive(Default)]
struct Telling {
    about: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Counts {
    const fn sum(self) -> usize {
        self.passed.saturating_add(self.failed).saturating_add(self.ignored)
    }
}

impl Suite {
    fn does_not_add_up(&self, counted: Counts) -> Unreadable {
        Unreadable::because(format!(
            "a suite of {} tests counts {} and lists {} (with `-q` it lists none)",
            self.announced,
            counted.sum(),
            self.seen.sum()
        ))
    }
}

#[derive(Default)]
struct Printed {
    gathered: ReportBuilder,
    /// What the next suite was compiled from, if cargo has said so.
    header: Option<Option<String>>,
    /// Headers came without suites: the two streams were not kept in order.
    disordered: Option<()>,
    suite: Option<Suite>,
    suites: usize,
}

impl Printed {
    fn line(&mut self, line: &str) -> Result<(), Unreadable> {
        if let Some(file) = header(line) {
            if self.header.replace(file).is_some() {
                self.disordered = Some(());
            }
            return Ok(());
        }
        match &mut self.suite {
            None => match announced(line) {
                Some(announced) => self.begins(announced),
                None => Ok(()),
            },
            Some(suite) => {
                if let Some(words) = line.strip_prefix("test result: ") {
                    let counts = counts(words);
                    // What a failed test printed may look like an end and is none.
                    if suite.telling.is_none() || counts == Some(suite.seen) {
                        return self.ends(counts);
                    }
                    suite.unlike = counts.or(suite.unlike);
                }
                match &mut suite.telling {
                    None if line == "failures:" => suite.telling = Some(Telling::default()),
                    None => return self.test(line),
                    Some(_) => self.told(line),
                }
                Ok(())
            }
        }
    }

    fn begins(&mut self, announced: usize) -> Result<(), Unreadable> {
        self.suites += 1;
        self.suite = Some(Suite {
            announced,
            file: self.header.take().flatten(),
            seen: Counts::default(),
            failed: BTreeMap::new(),
            telling: None,
            unlike: None,
        });
        Ok(())
    }

    fn test(&mut self, line: &str) -> Result<(), Unreadable> {
        let Some(suite) = &mut self.suite else {
            return Ok(());
        };
        let Some((name, outcome, message)) = test(line) else {
            return Ok(());
        };
        match outcome {
            TestOutcome::Passed => suite.seen.passed += 1,
            TestOutcome::Failed => {
                suite.seen.failed += 1;
                suite.failed.insert(name.to_owned(), self.gathered.tests_mut().len());
            }
            TestOutcome::Skipped => suite.seen.ignored += 1,
        }
        let (outcome, message) = match outcome {
            // An example that nobody runs asserts nothing.
            TestOutcome::Passed if line.ends_with(" - compile ... ok") => {
                (TestOutcome::Skipped, "it is compiled and not run")
            }
            TestOutcome::Passed | TestOutcome::Failed | TestOutcome::Skipped => (outcome, message),
        };
        let (file, line) = match documented(name) {
            Some((of, line)) => (of.split(" -").next().map(str::to_owned), Some(line)),
            None => (suite.file.clone(), None),
        };
        self.gathered.test(Test {
            id: name.to_owned(),
            outcome,
            file,
            line,
            message: message.to_owned(),
        })
    }

    /// A line of what failed tests printed.
    fn told(&mut self, line: &str) {
        let Some(suite) = &mut self.suite else {
            return;
        };
        let Some(telling) = &mut suite.telling else {
            return;
        };
        let begins = line
            .strip_prefix("---- ")
            .and_then(|line| line.strip_suffix(" stdout ----"));
        if let Some(at) = begins.and_then(|name| suite.failed.get(without_note(name))) {
            telling.about = Some(*at);
            return;
        }
        if line == "failures:" {
            telling.about = None;
        }
        let Some(at) = telling.about else {
            return;
        };
        self.gathered.add_line(at, line);
        let test = self.gathered.tests_mut().get_mut(at);
        if let Some(Test {
            file: Some(file),
            line: place @ None,
            ..
        }) = test
        {
            *place = panicked_at(line, file);
        }
    }

    fn ends(&mut self, counted: Option<Counts>) -> Result<(), Unreadable> {
        let Some(suite) = self.suite.take() else {
            return Ok(());
        };
        let Some(counted) = counted else {
            return Err(Unreadable::because("a suite ends in words that are unknown"));
        };
        if counted != suite.seen || counted.sum() != suite.announced {
            return Err(suite.does_not_add_up(counted));
        }
        for at in suite.failed.into_values() {
            if let Some(test) = self.gathered.tests_mut().get_mut(at) {
                test.message.truncate(test.message.trim_end().len());
            }
        }
        Ok(())
    }

    fn done(mut self) -> Result<Report, Unreadable> {
        if let Some(suite) = self.suite {
            return Err(match suite.unlike {
                Some(counted) => suite.does_not_add_up(counted),
                None => Unreadable::because("it is cut off: a suite began and did not end"),
            });
        }
        if self.suites == 0 {
            return Err(Unreadable::because("no suite of tests began in it"));
        }
        for test in self.gathered.tests_mut() {
            match (&test.file, self.disordered, documented(&test.id)) {
                (Some(_), Some(()), None) => (test.file, test.line) = (None, None),
                (Some(file), None, None) => test.id = format!("{file}::{}", test.id),
                (_, _, _) => {}
            }
        }
        name_examples(self.gathered.tests_mut());
        Ok(self.gathered.done())
    }
}

/// The file that cargo says a suite was compiled from; documentation has none.
fn header(line: &str) -> Option<Option<String>> {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix("Running ") {
        let (file, binary) = rest.split_once(" (")?;
        let file = file.strip_prefix("unittests ").unwrap_or(file);
        return (binary.ends_with(')') && file.ends_with(".rs")).then(|| Some(cut(file, MOST_MESSAGE).to_owned()));
    }
    line.strip_prefix("Doc-tests ").map(|_| None)
}

fn announced(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("running ")?;
    let number = rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test"))?;
    number.parse().ok()
}

/// `test NAME ... ok`, with what is said of an ignored one.
fn test(line: &str) -> Option<(&str, TestOutcome, &str)> {
    let (name, ended) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let (outcome, message) = match ended {
        "ok" => (TestOutcome::Passed, ""),
        "FAILED" => (TestOutcome::Failed, ""),
        _ if ended.starts_with("bench:") => (TestOutcome::Passed, ""),
        _ => (
            TestOutcome::Skipped,
            ended.strip_prefix("ignored")?.trim_start_matches(", "),
        ),
    };
    Some((without_note(name), outcome, message))
}

fn without_note(name: &str) -> &str {
    [" - should panic", " - compile fail", " - compile"]
        .iter()
        .find_map(|note| name.strip_suffix(note))
        .unwrap_or(name)
}

/// `src/lib.rs - sum (line 3)`: what an example in the documentation is of, and
/// its line.
fn documented(name: &str) -> Option<(&str, u32)> {
    let (of, line) = name.rsplit_once(" (line ")?;
    // What stands above a whole file is of nothing that has a name.
    (of.contains(" - ") || of.ends_with(" -")).then_some(())?;
    Some((of, line.strip_suffix(')')?.parse().ok()?))
}

/// Calls examples after what they are of and which of its examples they are:
/// `src/lib.rs - sum`, `src/lib.rs - sum (2)`. Whatever is written above an
/// example moves its line, and the example is still the same.
fn name_examples(tests: &mut [Test]) {
    let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (of, line) in tests.iter().filter_map(|test| documented(&test.id)) {
        lines.entry(of.to_owned()).or_default().insert(line);
    }
    for test in tests {
        let Some((of, line)) = documented(&test.id) else {
            continue;
        };
        let earlier = lines.get(of).map_or(0, |lines| lines.range(..line).count());
        test.id = match earlier {
            0 if !of.ends_with(" -") => of.to_owned(),
            earlier => format!("{of} ({})", earlier + 1),
        };
    }
}

/// `ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; …`
fn counts(line: &str) -> Option<Counts> {
    let (said, rest) = line.split_once(". ")?;
    let number = |word: &str| -> Option<usize> {
        rest.split("; ")
            .find_map(|part| part.strip_suffix(word)?.trim_end().parse().ok())
    };
    let counts = Counts {
        passed: number("passed")?.checked_add(number("measured")?)?,
        failed: number("failed")?,
        ignored: number("ignored")?,
    };
    match (said, counts.failed) {
        ("ok", 0) => Some(counts),
        ("FAILED", _) => Some(counts),
        (_, _) => None,
    }
}

fn panicked_at(line: &str, file: &str) -> Option<u32> {
    let (_, place) = line.split_once("panicked at ")?;
    place
        .strip_prefix(file)?
        .strip_prefix(':')?
        .split(':')
        .next()?
        .parse()
        .ok()
}

/// A line without colours.
fn plain(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let at = part
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(part.len(), |at| at + 1);
        plain.push_str(part.get(at..).unwrap_or_default());
    }
    plain
}
