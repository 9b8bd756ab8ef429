//! The criteria as they are written: a checklist under one heading.
//!
//! Everything under that heading is either understood or refused. A line that
//! only looked like a check would be a criterion that nobody proves. An id and a
//! box that are missing are formalities, and are filled in.

use super::{
    blocks::{self, Block, Kind},
    front_matter::is_id,
    task_text::TaskText,
};
use crate::nearest;
use crate::problem::{Complaint, Position, Problem};
use std::{collections::BTreeMap, ops::Range};

/// The body of a task file, taken apart.
#[derive(Debug)]
pub(super) struct Body {
    /// Everything but the criteria.
    pub(super) text: String,
    /// The criteria, in order.
    pub(super) criteria: Vec<Listed>,
}

/// A criterion as it stands in the list.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) id: Option<String>,
    pub(super) ticked: bool,
    pub(super) text: String,
    pub(super) position: Position,
    pub(super) checks: Vec<CheckLine>,
}

/// A check line as it is written.
#[derive(Debug)]
pub(super) struct CheckLine {
    pub(super) label: Label,
    pub(super) source: String,
    pub(super) position: Position,
}

/// The word before the colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Verify,
    VerifyHidden,
    Guard,
}

const HEADING: &str = "acceptance criteria";
const EXAMPLE: &str = "write `- [ ] **AC-1** What must hold`, and under it `  - verify: `command``";
const LABELS: [(&str, Label); 3] = [
    ("verify", Label::Verify),
    ("verify hidden", Label::VerifyHidden),
    ("guard", Label::Guard),
];
/// After so many problems a person has enough to do.
pub(super) const MOST_PROBLEMS: usize = 100;

/// Reads the Markdown body.
pub(super) fn read(lines: &TaskText<'_>, problems: &mut Vec<Problem>) -> Body {
    let body = lines.body();
    let blocks = blocks::read(body);
    let mut reader = Reader {
        lines,
        problems,
        seen: BTreeMap::new(),
    };
    let said_before = reader.problems.len();
    let mut criteria = Vec::new();
    let mut text = Vec::new();
    let mut kept_from = Some(0);
    for block in &blocks {
        if let Kind::Heading(level @ 1..=2) = block.kind {
            let ours = level == 2 && reader.title(block) == HEADING;
            match (ours, kept_from) {
                (true, Some(from)) => {
                    text.push(reader.slice(&(from..block.range.start)).trim());
                    kept_from = None;
                }
                (false, None) => kept_from = Some(block.range.start),
                (true, None) | (false, Some(_)) => {}
            }
        } else if kept_from.is_none() {
            criteria.extend(reader.section_block(block));
        }
        if reader.problems.len() > MOST_PROBLEMS {
            break;
        }
    }
    let whole = kept_from == Some(0);
    if let Some(from) = kept_from {
        text.push(reader.slice(&(from..body.len())).trim());
    }
    if whole && reader.problems.len() <= MOST_PROBLEMS {
        reader.no_heading(&blocks);
    } else if criteria.is_empty() && reader.problems.len() == said_before {
        let complaint = Complaint::new("there is no criterion under `## Acceptance criteria`").hint(EXAMPLE);
        reader.problems.push(complaint.at(Position::START));
    }
    text.retain(|part| !part.is_empty());
    Body {
        text: text.join("\n\n"),
        criteria,
    }
}

struct Reader<'a, 'p> {
    lines: &'a TaskText<'a>,
    problems: &'p mut Vec<Problem>,
    /// On which line each criterion id stands.
    seen: BTreeMap<String, u32>,
}

impl<'a> Reader<'a, '_> {
    fn slice(&self, range: &Range<usize>) -> &'a str {
        self.lines.body().get(range.clone()).unwrap_or_default()
    }

    fn refuse(&mut self, offset: usize, complaint: Complaint) {
        self.problems.push(complaint.at(self.lines.position(offset)));
    }

    /// The text of a heading, without marks and letter case.
    fn title(&self, heading: &Block) -> String {
        let range = span(&heading.inside).unwrap_or(0..0);
        self.slice(&range).trim().to_lowercase()
    }

    fn no_heading(&mut self, blocks: &[Block]) {
        let complaint = Complaint::new("there is no heading `## Acceptance criteria`");
        let near = blocks
            .iter()
            .find(|block| matches!(block.kind, Kind::Heading(_)) && self.title(block) == HEADING);
        match near {
            Some(block) => {
                let complaint = Complaint::new("the criteria stand under a heading of the second level");
                self.refuse(block.range.start, complaint.hint("write `## Acceptance criteria`"));
            }
            None => self.problems.push(complaint.hint(EXAMPLE).at(Position::START)),
        }
    }

    /// One block under the heading: a list of criteria, or a mistake.
    fn section_block(&mut self, block: &Block) -> Vec<Listed> {
        match block.kind {
            Kind::List => block.inside.iter().filter_map(|item| self.criterion(item)).collect(),
            Kind::Heading(_) | Kind::Html => Vec::new(),
            Kind::Paragraph | Kind::Item | Kind::Other | Kind::Tick | Kind::Strong | Kind::Text => {
                let complaint = Complaint::new("this is no criterion, and no agent would read it here");
                self.refuse(
                    block.range.start,
                    complaint.hint("move it above the heading, or write it as `- [ ] **AC-1** text`"),
                );
                Vec::new()
            }
        }
    }

    fn criterion(&mut self, item: &Block) -> Option<Listed> {
        if self.problems.len() > MOST_PROBLEMS {
            return None;
        }
        let parts = Parts::of(item);
        let start = parts.head.first().map_or(item.range.start, |block| block.range.start);
        let position = self.lines.position(start);
        let head = self.head(&parts, start);
        let text = head
            .as_ref()
            .and_then(|head| self.text(head.text_from, &parts, position));
        let checks = self.checks(&parts);
        let Head { id, ticked, .. } = head?;
        if let Some(id) = &id
            && let Some(line) = self.seen.insert(id.clone(), position.line)
        {
            let complaint = Complaint::new(format!("`{id}` already stands on line {line}"));
            self.problems
                .push(complaint.hint("give each criterion its own id").at(position));
        }
        Some(Listed {
            id,
            ticked,
            text: text?,
            position,
            checks,
        })
    }

    /// What stands before a criterion's statement.
    fn head(&mut self, parts: &Parts<'_>, start: usize) -> Option<Head> {
        let ticked = parts.head.first().is_some_and(|block| block.kind == Kind::Tick);
        let mut rest = parts.head.iter().skip(usize::from(ticked));
        let first = rest.find(|block| !self.slice(&block.range).trim().is_empty());
        let Some(strong) = first.filter(|block| block.kind == Kind::Strong) else {
            let line = self.slice(&span(parts.head).unwrap_or(start..start));
            if label(line).is_some_and(|(name, _)| nearest::nearest(&name, known()).is_some()) {
                let complaint = Complaint::new("this check line belongs to no criterion");
                self.refuse(start, complaint.hint("indent it under its criterion"));
                return None;
            }
            return Some(Head {
                id: None,
                ticked,
                text_from: first.map_or(start, |block| block.range.start),
            });
        };
        let id = self.slice(&strong.range).trim_matches(['*', '_']).trim();
        if !is_id(id) {
            let complaint = Complaint::new(format!("`{id}` is no id of a criterion"));
            self.refuse(
                strong.range.start,
                complaint.hint("an id is a letter and then letters, digits, `-` or `_`: `- [ ] **AC-1** text`"),
            );
            return None;
        }
        if id.eq_ignore_ascii_case("scope") {
            let complaint = Complaint::new("`scope` is the id of the guard that keeps the task's scope");
            self.refuse(strong.range.start, complaint.hint(EXAMPLE));
            return None;
        }
        Some(Head {
            id: Some(id.to_owned()),
            ticked,
            text_from: strong.range.end,
        })
    }

    /// The statement: the rest of its line and every further line or paragraph
    /// before the checks.
    fn text(&mut self, after: usize, parts: &Parts<'_>, position: Position) -> Option<String> {
        let end = span(parts.head).map_or(after, |range| range.end.max(after));
        let further = parts.paragraphs.iter().filter_map(|block| span(&block.inside));
        let ranges: Vec<Range<usize>> = std::iter::once(after..end).chain(further).collect();
        for range in &ranges {
            self.no_check_in(range);
        }
        let pieces: Vec<String> = ranges.iter().map(|range| one_line(self.slice(range))).collect();
        let text = pieces.join(" ");
        let text = text.trim().trim_start_matches(':').trim_start();
        // A box with nothing behind it is no box to Markdown.
        if matches!(text, "" | "[]" | "[ ]" | "[x]" | "[X]") {
            self.problems
                .push(Complaint::new("this criterion says nothing").hint(EXAMPLE).at(position));
            return None;
        }
        Some(text.to_owned())
    }

    /// A check line that Markdown reads as part of the statement is a slip of
    /// indentation, and the criterion would lose a check by it.
    fn no_check_in(&mut self, range: &Range<usize>) {
        let text = self.slice(range);
        let mut offset = range.start;
        for (index, line) in text.split('\n').enumerate() {
            let bare = line.trim_start().trim_start_matches(['-', '*', '+', '>']).trim_start();
            if self.problems.len() > MOST_PROBLEMS {
                break;
            }
            if index > 0 && label(bare).is_some_and(|(name, _)| known().any(|known| known == name)) {
                let complaint = Complaint::new("Markdown reads this check line as part of the text above it");
                self.refuse(
                    offset + line.len() - line.trim_start().len(),
                    complaint.hint("write it as an item of its own, indented by two blanks: `  - verify: …`"),
                );
            }
            offset += line.len() + 1;
        }
    }

    fn checks(&mut self, parts: &Parts<'_>) -> Vec<CheckLine> {
        for block in &parts.strangers {
            let complaint = Complaint::new("this is neither the criterion's text nor a check");
            self.refuse(
                block.range.start,
                complaint.hint("remove it, or write it above the checks as plain text"),
            );
        }
        let items = parts.lists.iter().flat_map(|list| &list.inside);
        items.filter_map(|item| self.check(item)).collect()
    }

    fn check(&mut self, item: &Block) -> Option<CheckLine> {
        if self.problems.len() > MOST_PROBLEMS {
            return None;
        }
        let parts = Parts::of(item);
        let range = span(parts.head).unwrap_or(item.range.start..item.range.start);
        let position = self.lines.position(range.start);
        for block in parts.lists.iter().chain(&parts.paragraphs).chain(&parts.strangers) {
            let complaint = Complaint::new("nothing can stand under a check line");
            self.refuse(block.range.start, complaint.hint("one line is one check"));
        }
        let line = one_line(self.slice(&range));
        let Some((name, source)) = label(&line) else {
            let complaint = Complaint::new("this is part of no check");
            self.problems.push(
                complaint
                    .hint("a line under a criterion begins with `verify:`, `guard:` or `verify hidden:`")
                    .at(position),
            );
            return None;
        };
        let found = LABELS.iter().find(|(known, _)| *known == name);
        let Some((_, label)) = found else {
            let complaint = if name == "guard hidden" {
                Complaint::new("a guard cannot be hidden").hint("write `guard:`, or `verify hidden:` for a goal")
            } else {
                Complaint::new(format!("`{name}:` is unknown")).hint(nearest::hint(&name, known()))
            };
            self.problems.push(complaint.at(position));
            return None;
        };
        Some(CheckLine {
            label: *label,
            source: source.to_owned(),
            position,
        })
    }
}

/// What stands before a criterion's statement.
struct Head {
    id: Option<String>,
    ticked: bool,
    /// Where the statement begins.
    text_from: usize,
}

/// An item of a list, sorted by what its parts can mean.
struct Parts<'a> {
    /// The text of its first line or paragraph.
    head: &'a [Block],
    /// Further paragraphs before any list.
    paragraphs: Vec<&'a Block>,
    /// Lists in it.
    lists: Vec<&'a Block>,
    /// Everything that has no meaning there.
    strangers: Vec<&'a Block>,
}

impl<'a> Parts<'a> {
    fn of(item: &'a Block) -> Self {
        let (head, rest) = match item.inside.as_slice() {
            [first, rest @ ..] if first.kind == Kind::Paragraph => (first.inside.as_slice(), rest),
            all => {
                let inline = all.iter().take_while(|block| block.kind.is_inline()).count();
                all.split_at(inline)
            }
        };
        let mut parts = Self {
            head,
            paragraphs: Vec::new(),
            lists: Vec::new(),
            strangers: Vec::new(),
        };
        for block in rest {
            match block.kind {
                Kind::List => parts.lists.push(block),
                Kind::Paragraph if parts.lists.is_empty() => parts.paragraphs.push(block),
                Kind::Html => {}
                Kind::Paragraph
                | Kind::Heading(_)
                | Kind::Item
                | Kind::Other
                | Kind::Tick
                | Kind::Strong
                | Kind::Text => parts.strangers.push(block),
            }
        }
        parts
    }
}

fn known() -> impl Iterator<Item = &'static str> + Clone {
    LABELS.iter().map(|(name, _)| *name)
}

/// The words before a colon, if that is how the line begins.
fn label(line: &str) -> Option<(String, &str)> {
    let (name, rest) = line.split_once(':')?;
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_label = (1..=3).contains(&words.len())
        && words
            .iter()
            .all(|word| word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '_')));
    is_label.then(|| (words.join(" "), rest.trim()))
}

fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text
        .split('\n')
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join(" ")
}

fn span(blocks: &[Block]) -> Option<Range<usize>> {
    Some(blocks.first()?.range.start..blocks.last()?.range.end)
}
