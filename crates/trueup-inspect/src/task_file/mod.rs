//! A task file: YAML front matter, prose, and criteria with their checks.

mod blocks;
mod criteria;
mod formality;
mod front_matter;
mod numbering;
pub mod schema;
mod task_text;
mod yaml;

pub use crate::{
    check_line::Context,
    problem::{Complaint, Problem},
};
pub use formality::Formality;
pub use front_matter::is_id;

use crate::{
    check_line,
    problem::Position,
    rules::{Catalogue, catalogue},
};
use criteria::{CheckLine, Label};
use front_matter::FrontMatter;
use numbering::Written;
use task_text::TaskText;
use trueup_core::{
    criterion::{Check, Criterion, HiddenFile, Role, Visibility},
    digest::Digest,
    ground::Ground,
    id::{CheckId, CriterionId, TaskId},
    task::{DOUBT, STEADY, Size, Task},
};

/// The largest task file that is read.
pub const FILE_LIMIT: usize = 1024 * 1024;

/// A task file that was understood.
#[derive(Debug)]
pub struct Understood {
    /// The task.
    pub task: Task,
    /// What the file left out, and what it was read as; in the order of the file.
    pub filled_in: Vec<Formality>,
}

/// Reads a task file, or says everything that is wrong with it.
pub fn read(bytes: &[u8], context: &Context<'_>) -> Result<Understood, Vec<Problem>> {
    let text = text_of(bytes).map_err(|problem| vec![problem])?;
    let mut problems = Vec::new();
    let lines = TaskText::of(&text, &mut problems);
    let mut front = front_matter(&lines, (context.named, context.rules), &mut problems);
    if lines.front_matter().is_none() && lines.body().is_empty() {
        // Front matter that never ends has swallowed everything else.
        return Err(problems);
    }
    let body = criteria::read(&lines, &mut problems);
    let mut filled_in = std::mem::take(&mut front.filled_in);
    let written = numbering::numbered(body.criteria, &mut filled_in);
    let criteria = Checking {
        hidden: Hidden {
            task: front.id.as_ref(),
            files: None,
        },
        context,
        problems: &mut problems,
        filled_in: &mut filled_in,
    }
    .criteria(written);
    filled_in.sort();
    problems.sort();
    problems.truncate(criteria::MOST_PROBLEMS);
    match (front.id, front.title) {
        (Some(id), Some(title)) if problems.is_empty() => {
            let task = Task {
                id,
                title,
                size: front.size.unwrap_or(Size::Small),
                priority: front.priority,
                needs: front.needs,
                base: front.base,
                agent: front.agent,
                scope: front.scope,
                budget: front.budget,
                allow: front.allow,
                text: body.text,
                criteria,
                digest: Digest::of(bytes),
                ground: Ground::default(),
                steady: STEADY,
                doubt: DOUBT,
            };
            Ok(Understood { task, filled_in })
        }
        _ => Err(problems),
    }
}

/// The title of a task file, whatever else may be wrong with it.
pub fn title(bytes: &[u8]) -> Option<String> {
    let text = text_of(bytes).ok()?;
    let mut problems = Vec::new();
    front_matter(&TaskText::of(&text, &mut problems), (None, catalogue()), &mut problems).title
}

/// The file as text with plain line breaks and without a byte order mark.
fn text_of(bytes: &[u8]) -> Result<String, Problem> {
    if bytes.len() > FILE_LIMIT {
        let complaint = Complaint::new(format!("the file has {} bytes", bytes.len()));
        return Err(complaint
            .hint(format!("a task file has at most {FILE_LIMIT}"))
            .at(Position::START));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let position = Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: 1,
        };
        Complaint::new("the line is not UTF-8 text").at(position)
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let stranger = text
        .char_indices()
        .find(|(_, c)| c.is_control() && !matches!(c, '\n' | '\t'));
    match stranger {
        None => Ok(text),
        Some((at, character)) => {
            let line = text.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
            let position = Position {
                line: u32::try_from(line).unwrap_or(u32::MAX),
                column: 1,
            };
            let complaint = Complaint::new(format!(
                "the line holds a control character, {}",
                character.escape_unicode()
            ));
            Err(complaint.hint("remove it").at(position))
        }
    }
}

fn front_matter(
    lines: &TaskText<'_>,
    (named, rules): (Option<&str>, &Catalogue),
    problems: &mut Vec<Problem>,
) -> FrontMatter {
    let Some((text, first_line)) = lines.front_matter() else {
        return FrontMatter::default();
    };
    // YAML would end the document here and the rest would silently be nothing.
    let cut = text
        .lines()
        .position(|line| line.trim_end() == "..." || line.starts_with("... "));
    if let Some(index) = cut {
        let line = first_line.saturating_add(u32::try_from(index).unwrap_or(u32::MAX));
        let complaint = Complaint::new("`...` would end the front matter").hint("end it with `---`");
        problems.push(complaint.at(Position { line, column: 1 }));
        return FrontMatter::default();
    }
    let (node, mut found) = yaml::read(text, first_line);
    problems.append(&mut found);
    node.map(|node| front_matter::read(&node, (named, rules), problems))
        .unwrap_or_default()
}

/// Reads the checks of criteria.
struct Checking<'a> {
    hidden: Hidden<'a>,
    context: &'a Context<'a>,
    problems: &'a mut Vec<Problem>,
    filled_in: &'a mut Vec<Formality>,
}

impl Checking<'_> {
    fn criteria(mut self, written: Vec<Written>) -> Vec<Criterion> {
        let mut criteria = Vec::new();
        for written in written {
            let mut checks = Vec::new();
            for (index, line) in written.checks.into_iter().enumerate() {
                let id = CheckId::new(format!("{}.{}", written.id, index + 1));
                match self.check(id, &line) {
                    Ok(check) => checks.extend(check),
                    Err(complaint) => self.problems.push(complaint.at(line.position)),
                }
            }
            criteria.push(Criterion {
                id: CriterionId::new(written.id),
                text: written.text,
                line: written.position.line,
                checks,
            });
        }
        criteria
    }

    /// One check; none where the task's own id is wrong, which was said already.
    fn check(&mut self, id: CheckId, line: &CheckLine) -> Result<Option<Check>, Complaint> {
        let mut source = line.source.clone();
        let (role, sight, how) = match line.label {
            Label::Verify | Label::Guard => {
                if let Some(command) = check_line::bare_command(&source, self.context) {
                    let read_as = format!("the command {command}");
                    self.filled_in.push(Formality::new(line.position.line, read_as));
                    source = command;
                }
                let role = match line.label {
                    Label::Guard => Role::Guard,
                    Label::Verify | Label::VerifyHidden => Role::Goal,
                };
                (role, Visibility::Open, check_line::open(&source, self.context)?)
            }
            Label::VerifyHidden => {
                let Some((task, files)) = self.hidden.files(self.context)? else {
                    return Ok(None);
                };
                let how = check_line::hidden(&source, task, &files, self.context)?;
                (Role::Goal, Visibility::Hidden(files), how)
            }
        };
        Ok(Some(Check {
            id,
            role,
            sight,
            line: line.position.line,
            source,
            how,
        }))
    }
}

/// The hidden files of the task, asked for once and only if a line needs them.
struct Hidden<'a> {
    task: Option<&'a TaskId>,
    files: Option<Result<Vec<HiddenFile>, String>>,
}

impl<'a> Hidden<'a> {
    fn files(&mut self, context: &Context<'_>) -> Result<Option<(&'a TaskId, Vec<HiddenFile>)>, Complaint> {
        let Some(task) = self.task else {
            return Ok(None);
        };
        let files = self.files.get_or_insert_with(|| (context.hidden)(task));
        match files {
            Ok(files) => Ok(Some((task, files.clone()))),
            Err(why) => Err(Complaint::new(format!("the hidden files cannot be read: {why}"))),
        }
    }
}
