//! A report while it is being read: nothing enters it uncut or unclean.

use super::{
    Finding, Report, Test, TestOutcome, Unreadable,
    bound::{MOST_FINDINGS, MOST_ID, MOST_IDS, MOST_LINES, MOST_MESSAGE, MOST_MESSAGES, MOST_TESTS},
};
use trueup_core::digest::Digest;

/// What has been read so far.
#[derive(Default)]
pub(super) struct ReportBuilder {
    report: Report,
    ids: usize,
    messages: usize,
    lines: usize,
}

impl ReportBuilder {
    /// Keeps a test.
    pub(super) fn test(&mut self, test: Test) -> Result<(), Unreadable> {
        if self.report.tests.len() >= MOST_TESTS {
            return Err(Unreadable::because(format!("it tells of more than {MOST_TESTS} tests")));
        }
        let id = self.id(test.id)?;
        let file = test.file.map(|file| self.id(file)).transpose()?;
        let message = self.message(&test.message);
        self.report.tests.push(Test {
            id,
            file,
            message,
            ..test
        });
        Ok(())
    }

    /// Keeps a test that is known only by having failed.
    pub(super) fn failed(&mut self, id: &str, message: impl Into<String>) -> Result<(), Unreadable> {
        self.test(Test {
            id: id.to_owned(),
            outcome: TestOutcome::Failed,
            file: None,
            line: None,
            message: message.into(),
        })
    }

    /// Keeps a finding.
    pub(super) fn finding(&mut self, finding: Finding) -> Result<(), Unreadable> {
        if self.report.findings.len() >= MOST_FINDINGS {
            return Err(Unreadable::because(format!(
                "it tells of more than {MOST_FINDINGS} findings"
            )));
        }
        let path = self.id(finding.path)?;
        let rule = self.id(finding.rule)?;
        let message = self.message(&finding.message);
        self.report.findings.push(Finding {
            path,
            rule,
            message,
            ..finding
        });
        Ok(())
    }

    /// Keeps how often a line was reached.
    pub(super) fn line(&mut self, file: &str, line: u32, hits: u64) -> Result<(), Unreadable> {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Err(Unreadable::because(format!("it tells of more than {MOST_LINES} lines")));
        }
        if let Some(lines) = self.report.lines.0.get_mut(file) {
            let sum = lines.entry(line).or_default();
            *sum = sum.saturating_add(hits);
        }
        Ok(())
    }

    /// From here on lines of this file are told of; the name under which it is kept.
    pub(super) fn file(&mut self, file: &str) -> Result<String, Unreadable> {
        let file = self.id(file.to_owned())?;
        self.report.lines.0.entry(file.clone()).or_default();
        Ok(file)
    }

    /// The tests kept so far.
    pub(super) fn tests_mut(&mut self) -> &mut [Test] {
        &mut self.report.tests
    }

    /// The whole report.
    pub(super) fn done(self) -> Report {
        self.report
    }

    /// Adds a line to what is told of a test, as far as there is room.
    pub(super) fn add_line(&mut self, at: usize, line: &str) {
        let Some(test) = self.report.tests.get_mut(at) else {
            return;
        };
        let begins = test.message.is_empty();
        if self.messages >= MOST_MESSAGES || (begins && line.is_empty()) {
            return;
        }
        let line = readable(line);
        let more = line.len() + usize::from(!begins);
        if test.message.len() + more > MOST_MESSAGE {
            return;
        }
        if !begins {
            test.message.push('\n');
        }
        test.message.push_str(&line);
        self.messages += more;
    }

    /// A text as a message, or as nothing once there are too many.
    fn message(&mut self, text: &str) -> String {
        if self.messages >= MOST_MESSAGES {
            return String::new();
        }
        let message = readable(text);
        self.messages += message.len();
        message
    }

    fn id(&mut self, text: String) -> Result<String, Unreadable> {
        let text = one_line(text);
        self.ids += text.len();
        if self.ids > MOST_IDS {
            return Err(Unreadable::because("the names in it are longer than 64 MiB"));
        }
        Ok(text)
    }
}

/// The beginning of a text, cut between two characters.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let end = text.floor_char_boundary(most.min(text.len()));
    text.get(..end).unwrap_or_default()
}

/// A text in one line: what would move a terminal's cursor is replaced, and
/// what is too long ends in a digest of the whole.
fn one_line(text: String) -> String {
    let text = if !is_plain(&text) && text.chars().any(is_unclean) {
        text.chars()
            .map(|c| if is_unclean(c) { replaced(c) } else { c })
            .collect()
    } else {
        text
    };
    if text.len() <= MOST_ID {
        return text;
    }
    let digest = Digest::of(text.as_bytes()).to_string();
    let tail = cut(&digest, 16);
    format!("{}…{tail}", cut(&text, MOST_ID - tail.len() - '…'.len_utf8()))
}

/// A text that people read: lines stay, colours go.
fn readable(text: &str) -> String {
    let begins = cut(text, MOST_MESSAGE);
    if begins.split('\n').all(is_plain) {
        return begins.trim_end().to_owned();
    }
    let mut clean = String::new();
    let mut left = cut(text, MOST_MESSAGE * 4).trim_end().chars();
    while let Some(c) = left.next() {
        match c {
            '\n' | '\t' => clean.push(c),
            '\r' => {}
            '\u{1b}' if left.as_str().starts_with('[') => {
                left.next();
                left.find(|c| matches!(c, '\u{40}'..='\u{7e}'));
            }
            _ if is_unclean(c) => clean.push(replaced(c)),
            _ => clean.push(c),
        }
        if clean.len() > MOST_MESSAGE {
            break;
        }
    }
    let end = cut(&clean, MOST_MESSAGE).len();
    clean.truncate(end);
    clean.shrink_to_fit();
    clean
}

/// Whether it holds nothing but what ASCII prints: a check that costs little,
/// and spares most texts the one that costs more.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Control characters, and those that turn the direction of writing.
fn is_unclean(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

const fn replaced(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' => ' ',
        _ => '\u{fffd}',
    }
}
