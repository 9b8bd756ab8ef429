//! One check line of a task file: what stands after `verify:` or `guard:`.

mod kinds;

use crate::{
    argv,
    nearest::{self, nearest},
    task_file::{Complaint, Context},
};
use trueup_core::{
    criterion::{Execution, FileMode, HiddenFile, How},
    id::TaskId,
};

const FORMS: &str = "a check is a command in backticks, `file PATH exists`, `file PATH has /regex/`, \
                     `no /regex/ in GLOB`, `test NAME`, `coverage >= N%`, `coverage changed >= N%`, \
                     `http GET /path is 200`, `manual @who \"steps\"`, or the name of a `[checks.NAME]`";

/// Reads a check that the agent may know.
pub fn open(source: &str, context: &Context<'_>) -> Result<How, Complaint> {
    if source.is_empty() {
        return Err(Complaint::new("the check is empty").hint(FORMS));
    }
    if source.starts_with('`') {
        return command(source, context).map(How::Command);
    }
    if let Some(rest) = after_word(source, "file") {
        return file(rest);
    }
    if let Some(rest) = after_word(source, "no").filter(|rest| rest.starts_with(['/', '`'])) {
        return none_in(rest);
    }
    if let Some(rest) = after_word(source, "test") {
        return kinds::test(rest, context);
    }
    if let Some(rest) = after_word(source, "coverage") {
        return kinds::coverage(rest, context);
    }
    if let Some(rest) = after_word(source, "http") {
        return kinds::http(rest, context);
    }
    if let Some(rest) = after_word(source, "manual") {
        return kinds::manual(rest);
    }
    named(source, context)
}

/// Reads a check that no agent ever sees: a command, or a file of the task's
/// own hidden folder that is executed where clean rooms lay it.
pub fn hidden(source: &str, task: &TaskId, files: &[HiddenFile], context: &Context<'_>) -> Result<How, Complaint> {
    if source.starts_with('`') {
        return command(source, context).map(How::Command);
    }
    let is_name = !source.is_empty()
        && !source.starts_with('.')
        && source
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    if !is_name {
        return Err(Complaint::new(format!("`{source}` is no hidden check"))
            .hint("a hidden check is a command in backticks, or the name of a file in the task's hidden folder"));
    }
    let shared = context.hidden_folder.trim_matches('/');
    let path = format!("{shared}/{task}/{source}");
    let places = [path.clone(), format!("{shared}/{source}")];
    let Some(file) = places
        .iter()
        .find_map(|place| files.iter().find(|file| file.path == *place))
    else {
        let names = files.iter().filter_map(|file| file.path.rsplit('/').next());
        let hint = match nearest(source, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("put the file there, or write a command in backticks: `{source}`"),
        };
        return Err(Complaint::new(format!("there is no file `{path}`")).hint(hint));
    };
    if file.mode == FileMode::Plain {
        return Err(
            Complaint::new(format!("`{}` is not executable", file.path)).hint(format!("`chmod +x {}`", file.path))
        );
    }
    Ok(How::Command(execution(vec![format!("./{}", file.path)], context)))
}

fn command(source: &str, context: &Context<'_>) -> Result<Execution, Complaint> {
    let (line, rest) = code_span(source)?;
    if !rest.is_empty() {
        return Err(Complaint::new(format!("`{rest}` stands after the command"))
            .hint("a check line holds one command; write another line for another check"));
    }
    argv::words(&line)
        .map(|argv| execution(argv, context))
        .map_err(|problem| Complaint {
            what: problem.to_string(),
            hint: problem.hint(),
        })
}

fn execution(argv: Vec<String>, context: &Context<'_>) -> Execution {
    Execution::new(argv, context.command_timeout_ms, context.network)
}

fn file(rest: &str) -> Result<How, Complaint> {
    let (path, rest) = operand(rest)?;
    let path = relative(&path)?;
    if rest == "exists" {
        return Ok(How::FileExists { path });
    }
    let Some(rest) = after_word(rest, "has") else {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let what = if word.is_empty() {
            "the line does not say what the file must show".to_owned()
        } else {
            format!("`{rest}` is nothing a file can show")
        };
        return Err(Complaint::new(what).hint("write `file PATH exists` or `file PATH has /regex/`"));
    };
    let (pattern, rest) = regex(rest)?;
    nothing_after(rest)?;
    Ok(How::FileHas { path, pattern })
}

fn none_in(rest: &str) -> Result<How, Complaint> {
    let (pattern, rest) = regex(rest)?;
    let Some(rest) = after_word(rest, "in") else {
        return Err(Complaint::new("the line does not say where nothing may match").hint("write `no /regex/ in GLOB`"));
    };
    let (glob, rest) = operand(rest)?;
    let glob = relative(&glob)?;
    nothing_after(rest)?;
    Ok(How::NoneIn { pattern, glob })
}

fn named(source: &str, context: &Context<'_>) -> Result<How, Complaint> {
    if let Some(execution) = context.definitions.get(source) {
        return Ok(How::Named {
            name: source.to_owned(),
            execution: execution.clone(),
        });
    }
    let is_name = source
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if !is_name {
        return Err(Complaint::new(format!("`{source}` is no check")).hint(FORMS));
    }
    let known = context.definitions.keys().map(String::as_str);
    let hint = if context.definitions.is_empty() {
        format!("define `[checks.{source}]`, or write a command in backticks")
    } else {
        format!("{}; a command stands in backticks", nearest::hint(source, known))
    };
    Err(Complaint::new(format!("there is no `[checks.{source}]`")).hint(hint))
}

/// What follows a leading word, if the text begins with exactly that word.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

fn nothing_after(rest: &str) -> Result<(), Complaint> {
    if rest.is_empty() {
        Ok(())
    } else {
        Err(Complaint::new(format!("`{rest}` stands after the check")).hint("one line holds one check"))
    }
}

/// A path or glob: in backticks, or up to the next blank.
fn operand(text: &str) -> Result<(String, &str), Complaint> {
    if text.starts_with('`') {
        return code_span(text);
    }
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    let (operand, rest) = text.split_at(end);
    Ok((operand.to_owned(), rest.trim_start()))
}

/// A code span as Markdown reads it: as many backticks at its end as at its
/// beginning, and one blank on either side belongs to the backticks.
fn code_span(text: &str) -> Result<(String, &str), Complaint> {
    let fence = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = fence;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + found;
        let run = text.bytes().skip(start).take_while(|byte| *byte == b'`').count();
        if run == fence {
            let inside = text.get(fence..start).unwrap_or_default();
            let rest = text.get(start + run..).unwrap_or_default();
            return Ok((unpadded(inside).to_owned(), rest.trim()));
        }
        at = start + run;
    }
    Err(Complaint::new("the backtick is never closed"))
}

fn unpadded(inside: &str) -> &str {
    let padded = inside.strip_prefix(' ').and_then(|inside| inside.strip_suffix(' '));
    padded.filter(|inside| !inside.trim().is_empty()).unwrap_or(inside)
}

/// A regular expression between slashes, in backticks or not; `\/` is a slash.
fn regex(text: &str) -> Result<(String, &str), Complaint> {
    if text.starts_with('`') {
        let (inside, rest) = code_span(text)?;
        let (pattern, after) = slashed(&inside)?;
        nothing_after(after)?;
        return Ok((pattern, rest));
    }
    slashed(text)
}

fn slashed(text: &str) -> Result<(String, &str), Complaint> {
    let example = "write it as /regex/, and a slash inside it as \\/";
    let Some(body) = text.strip_prefix('/') else {
        return Err(Complaint::new("the regular expression does not stand between slashes").hint(example));
    };
    let mut pattern = String::new();
    let mut characters = body.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '/' if pattern.is_empty() => return Err(Complaint::new("the regular expression is empty").hint(example)),
            '/' => return Ok((pattern, body.get(at + 1..).unwrap_or_default().trim_start())),
            '\\' => match characters.next() {
                Some((_, '/')) => pattern.push('/'),
                Some((_, escaped)) => pattern.extend(['\\', escaped]),
                None => break,
            },
            _ => pattern.push(character),
        }
    }
    Err(Complaint::new("the regular expression never ends").hint(example))
}

/// A path or glob inside the tree, in the one spelling git uses.
pub(crate) fn relative(path: &str) -> Result<String, Complaint> {
    if path.starts_with('/') {
        return Err(Complaint::new(format!("`{path}` is absolute")).hint("paths are relative to the repository"));
    }
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if parts.contains(&"..") {
        return Err(Complaint::new(format!("`{path}` climbs out with `..`")).hint("paths stay inside the repository"));
    }
    if parts.is_empty() {
        return Err(Complaint::new("the path is empty").hint("paths are relative to the repository: src/lib.rs"));
    }
    if path.chars().any(char::is_control) {
        return Err(Complaint::new("the path holds a control character"));
    }
    Ok(parts.join("/"))
}
