//! A task file: YAML front matter, prose, and criteria with their checks.

mod blocks;
mod criteria;
mod front_matter;
pub mod schema;
mod task_text;
mod yaml;

pub use crate::{
    check_line::Context,
    problem::{Complaint, Problem},
};

use crate::{check_line, problem::Position};
use criteria::{CheckLine, Label, Written};
use front_matter::FrontMatter;
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

/// Reads a task file, or says everything that is wrong with it.
pub fn read(bytes: &[u8], context: &Context<'_>) -> Result<Task, Vec<Problem>> {
    let text = text_of(bytes).map_err(|problem| vec![problem])?;
    let mut problems = Vec::new();
    let lines = TaskText::of(&text, &mut problems);
    let front = front_matter(&lines, &mut problems);
    if lines.front_matter().is_none() && lines.body().is_empty() {
        // Front matter that never ends has swallowed everything else.
        return Err(problems);
    }
    let body = criteria::read(&lines, &mut problems);
    let criteria = checked(body.criteria, front.id.as_ref(), context, &mut problems);
    problems.sort();
    problems.truncate(criteria::MOST_PROBLEMS);
    match (front.id, front.title) {
        (Some(id), Some(title)) if problems.is_empty() => Ok(Task {
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
        }),
        _ => Err(problems),
    }
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

fn front_matter(lines: &TaskText<'_>, problems: &mut Vec<Problem>) -> FrontMatter {
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
    node.map(|node| front_matter::read(&node, problems)).unwrap_or_default()
}

fn checked(
    written: Vec<Written>,
    task: Option<&TaskId>,
    context: &Context<'_>,
    problems: &mut Vec<Problem>,
) -> Vec<Criterion> {
    let mut hidden = Hidden { task, files: None };
    let mut criteria = Vec::new();
    for written in written {
        let mut checks = Vec::new();
        for (index, line) in written.checks.into_iter().enumerate() {
            let id = CheckId::new(format!("{}.{}", written.id, index + 1));
            match check(id, &line, &mut hidden, context) {
                Ok(check) => checks.extend(check),
                Err(complaint) => problems.push(complaint.at(line.position)),
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
fn check(
    id: CheckId,
    line: &CheckLine,
    hidden: &mut Hidden<'_>,
    context: &Context<'_>,
) -> Result<Option<Check>, Complaint> {
    let (role, sight, how) = match line.label {
        Label::Verify => (Role::Goal, Visibility::Open, check_line::open(&line.source, context)?),
        Label::Guard => (Role::Guard, Visibility::Open, check_line::open(&line.source, context)?),
        Label::VerifyHidden => {
            let Some((task, files)) = hidden.files(context)? else {
                return Ok(None);
            };
            let how = check_line::hidden(&line.source, task, &files, context)?;
            (Role::Goal, Visibility::Hidden(files), how)
        }
    };
    Ok(Some(Check {
        id,
        role,
        sight,
        line: line.position.line,
        source: line.source.clone(),
        how,
    }))
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
