//! Commands that can also tell what became of each test.
//!
//! An exit code says that all is well; a report says of what. With one, a test
//! that was skipped, renamed or lost is seen, so a check has one wherever its
//! runner is known to write it.

use super::{Command, Purpose, Reporting, ScriptRunner, folder::owned};
use crate::argv;

/// Where a report is written.
const JUNIT: &str = "{{out}}/junit.xml";

impl Command {
    /// Its words, asking for a report where the runner can be asked, and what the
    /// report is read as.
    pub fn reported(&self) -> (Vec<String>, Option<&'static str>) {
        let plain = || (self.words.clone(), None);
        if self.purpose != Purpose::Test {
            return plain();
        }
        if let Some(Reporting { words, parse }) = &self.reporting {
            return (words.clone(), Some(parse));
        }
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let with = |more: &[String]| [self.words.as_slice(), more].concat();
        match words.as_slice() {
            [.., last] if *last == "pytest" || last.ends_with("/pytest") => {
                (with(&[format!("--junitxml={JUNIT}")]), Some("junit"))
            }
            ["sh", "-c", line] => match self.reported_line(line) {
                Some((line, parse)) => (owned(&["sh", "-c", &line]), Some(parse)),
                None => plain(),
            },
            ["cargo", "test", ..] => (self.words.clone(), Some("libtest")),
            ["go", .., "test", "./..."] => {
                let at = words.iter().position(|word| *word == "test").unwrap_or_default();
                let mut words = self.words.clone();
                words.insert(at + 1, "-json".to_owned());
                (words, Some("go"))
            }
            [installer, ..] => match self.script {
                Some(runner) => {
                    let (flags, parse) = runner.reports();
                    // npm alone keeps flags to itself that no dashes stand before.
                    let dashes = (*installer == "npm").then(|| "--".to_owned());
                    let more: Vec<String> = dashes.into_iter().chain(flags).collect();
                    (with(&more), Some(parse))
                }
                None => plain(),
            },
            [] => plain(),
        }
    }
}

impl Command {
    /// The same of a line for a shell, whose last command is the one that tests.
    fn reported_line(&self, line: &str) -> Option<(String, &'static str)> {
        if let Some(runner) = self.script {
            let (flags, parse) = runner.reports();
            return Some((format!("{line} {}", argv::line(&flags)), parse));
        }
        if line.ends_with(" pytest") {
            return Some((format!("{line} '--junitxml={JUNIT}'"), "junit"));
        }
        let before = line.strip_suffix(" go test ./...")?;
        Some((format!("{before} go test -json ./..."), "go"))
    }
}

impl ScriptRunner {
    /// The flags that ask for a report, and what it is read as.
    pub(super) fn reports(self) -> (Vec<String>, &'static str) {
        match self {
            Self::Vitest => (
                vec!["--reporter=junit".into(), format!("--outputFile={JUNIT}")],
                "junit",
            ),
            Self::Jest => (vec!["--json".into(), "--outputFile={{out}}/jest.json".into()], "jest"),
            Self::Mocha => {
                let flags = ["--reporter=xunit", &format!("--reporter-option=output={JUNIT}")];
                (flags.map(str::to_owned).to_vec(), "junit")
            }
            Self::Bun => {
                let flags = ["--reporter=junit", &format!("--reporter-outfile={JUNIT}")];
                (flags.map(str::to_owned).to_vec(), "junit")
            }
            // A person still wants to read what it prints.
            Self::Node => {
                let flags = [
                    "--test-reporter=spec",
                    "--test-reporter-destination=stdout",
                    "--test-reporter=junit",
                    &format!("--test-reporter-destination={JUNIT}"),
                ];
                (flags.map(str::to_owned).to_vec(), "junit")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(words: &str, purpose: Purpose) -> (String, Option<&'static str>) {
        let command = Command {
            name: "test".to_owned(),
            purpose,
            words: words.split(' ').map(str::to_owned).collect(),
            cache: Vec::new(),
            origin: String::new(),
            script: match words.split(' ').next() {
                Some("npm") => Some(ScriptRunner::Vitest),
                Some("pnpm") => Some(ScriptRunner::Jest),
                Some("bun") => Some(ScriptRunner::Node),
                Some(_) | None => None,
            },
            reporting: None,
        };
        let (words, parse) = command.reported();
        (words.join(" "), parse)
    }

    #[test]
    fn a_runner_that_can_is_asked_for_a_report() {
        for (words, asked, parse) in [
            ("pytest", "pytest --junitxml={{out}}/junit.xml", "junit"),
            (
                ".venv/bin/python -m pytest",
                ".venv/bin/python -m pytest --junitxml={{out}}/junit.xml",
                "junit",
            ),
            ("uv run pytest", "uv run pytest --junitxml={{out}}/junit.xml", "junit"),
            (
                "cargo test --manifest-path a/Cargo.toml",
                "cargo test --manifest-path a/Cargo.toml",
                "libtest",
            ),
            ("go test ./...", "go test -json ./...", "go"),
            ("go -C server test ./...", "go -C server test -json ./...", "go"),
            (
                "npm test",
                "npm test -- --reporter=junit --outputFile={{out}}/junit.xml",
                "junit",
            ),
            (
                "pnpm run test",
                "pnpm run test --json --outputFile={{out}}/jest.json",
                "jest",
            ),
            (
                "bun run test",
                "bun run test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit \
                 --test-reporter-destination={{out}}/junit.xml",
                "junit",
            ),
        ] {
            assert_eq!(
                reported(words, Purpose::Test),
                (asked.to_owned(), Some(parse)),
                "{words}"
            );
        }
    }

    #[test]
    fn what_is_not_known_is_typed_as_it_is() {
        assert_eq!(reported("make test", Purpose::Test), ("make test".to_owned(), None));
        assert_eq!(reported("cargo test", Purpose::Build), ("cargo test".to_owned(), None));
    }
}
