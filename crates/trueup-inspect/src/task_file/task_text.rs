//! Where the bytes of a file stand, for people.

use crate::problem::{Complaint, Position, Problem};

/// A text with its lines. Line breaks are `\n` here, whatever the file uses.
#[derive(Debug)]
pub(super) struct TaskText<'a> {
    text: &'a str,
    /// Where each line begins.
    starts: Vec<usize>,
    /// Where the front matter's lines begin and end, if there is any.
    front: Option<(usize, usize)>,
    /// Where the Markdown begins.
    body: usize,
}

const EXAMPLE: &str = "begin the file with\n---\nv: 1\nid: T-001\ntitle: What shall be true\n---";

impl<'a> TaskText<'a> {
    /// Finds the lines, and the front matter between the first two `---`.
    pub(super) fn of(text: &'a str, problems: &mut Vec<Problem>) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let mut lines = Self {
            text,
            starts,
            front: None,
            body: 0,
        };
        if lines.line(0) != "---" {
            problems.push(
                Complaint::new("the file has no front matter")
                    .hint(EXAMPLE)
                    .at(Position::START),
            );
            return lines;
        }
        match (1..lines.starts.len()).find(|index| lines.line(*index) == "---") {
            Some(close) => {
                lines.front = Some((1, close));
                lines.body = lines.start(close + 1);
            }
            None => {
                let complaint = Complaint::new("the front matter never ends").hint("close it with a line `---`");
                problems.push(complaint.at(Position::START));
                lines.body = text.len();
            }
        }
        lines
    }

    /// The front matter, and the line of the file on which it begins.
    pub(super) fn front_matter(&self) -> Option<(&'a str, u32)> {
        let (first, close) = self.front?;
        let text = self.text.get(self.start(first)..self.start(close))?;
        Some((text, 2))
    }

    /// The Markdown.
    pub(super) fn body(&self) -> &'a str {
        self.text.get(self.body..).unwrap_or_default()
    }

    /// The position of a byte of the body.
    pub(super) fn position(&self, offset: usize) -> Position {
        let at = self.body + offset;
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.start(line.saturating_sub(1));
        let column = self.text.get(start..at).map_or(0, |before| before.chars().count()) + 1;
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    fn start(&self, index: usize) -> usize {
        self.starts.get(index).copied().unwrap_or(self.text.len())
    }

    fn line(&self, index: usize) -> &'a str {
        let line = self.text.get(self.start(index)..self.start(index + 1));
        line.unwrap_or_default().trim_end()
    }
}
