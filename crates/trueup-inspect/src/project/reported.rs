//! Commands that can also tell what became of each test.
//!
//! An exit code says that all is well; a report says of what. With one, a test
//! that was skipped, renamed or lost is seen, so a check has one wherever its
//! runner is known to write it.

use super::{Command, Purpose};

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
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let with = |more: &[String]| [self.words.as_slice(), more].concat();
        match words.as_slice() {
            [.., last] if *last == "pytest" || last.ends_with("/pytest") => {
                (with(&[format!("--junitxml={JUNIT}")]), Some("junit"))
            }
            ["cargo", "test", ..] => (self.words.clone(), Some("libtest")),
            ["go", .., "test", "./..."] => {
                let at = words.iter().position(|word| *word == "test").unwrap_or_default();
                let mut words = self.words.clone();
                words.insert(at + 1, "-json".to_owned());
                (words, Some("go"))
            }
            ["npm", ..] if self.runs_vitest => {
                let more = ["--", "--reporter=junit", &format!("--outputFile={JUNIT}")].map(str::to_owned);
                (with(&more), Some("junit"))
            }
            _ => plain(),
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
            runs_vitest: words.starts_with("npm"),
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
