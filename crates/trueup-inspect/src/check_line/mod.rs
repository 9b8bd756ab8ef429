//! One check line of a task file: what stands after `verify:` or `guard:`.

mod asked_reports;
mod asked_tests;
mod bare_command;
mod context;
mod kinds;
mod syntax;

pub(crate) use bare_command::bare_command;
pub use context::Context;
pub(crate) use syntax::relative;

use crate::{
    argv,
    nearest::{self, nearest},
    problem::Complaint,
};
use syntax::{after_word, code_span, nothing_after, operand, regex};
use trueup_core::{
    criterion::{CheckMethod, Execution, FileMode, HiddenFile},
    id::TaskId,
};

const FORMS: &str = "a check is a command in backticks, `file PATH exists`, `file PATH has /regex/`, \
                     `no /regex/ in GLOB`, `test NAME`, `test NAME of this run`, `tests of this run`, \
                     `coverage >= N%`, `coverage changed >= N%`, \
                     `http GET /path is 200`, `manual @who \"steps\"`, or the name of a `[checks.NAME]`";

const SOME_FORMS: &str =
    "a check is, for example, a command in backticks, `test NAME`, `file PATH exists` or the name of a `[checks.NAME]`";

/// Reads a check that the agent may know.
pub fn open(source: &str, context: &Context<'_>) -> Result<CheckMethod, Complaint> {
    if source.is_empty() {
        return Err(Complaint::new("the check is empty").hint(SOME_FORMS));
    }
    if source.starts_with('`') {
        return command(source, context).map(CheckMethod::Command);
    }
    if let Some(rest) = after_word(source, "file") {
        return file(rest);
    }
    if let Some(rest) = after_word(source, "no").filter(|rest| rest.starts_with(['/', '`'])) {
        return none_in(rest);
    }
    if let Some(rest) = after_word(source, "test") {
        return asked_tests::test(rest, context);
    }
    if let Some(rest) = after_word(source, "tests").filter(|rest| rest.starts_with("of ")) {
        return asked_tests::run_tests(rest, context);
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
pub fn hidden(
    source: &str,
    task: &TaskId,
    files: &[HiddenFile],
    context: &Context<'_>,
) -> Result<CheckMethod, Complaint> {
    if source.starts_with('`') {
        return command(source, context).map(CheckMethod::Command);
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
    Ok(CheckMethod::Command(execution(
        vec![format!("./{}", file.path)],
        context,
    )))
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

fn file(rest: &str) -> Result<CheckMethod, Complaint> {
    let (path, rest) = operand(rest)?;
    let path = relative(&path)?;
    if rest == "exists" {
        return Ok(CheckMethod::FileExists { path });
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
    Ok(CheckMethod::FileHas { path, pattern })
}

fn none_in(rest: &str) -> Result<CheckMethod, Complaint> {
    let (pattern, rest) = regex(rest)?;
    let Some(rest) = after_word(rest, "in") else {
        return Err(Complaint::new("the line does not say where nothing may match").hint("write `no /regex/ in GLOB`"));
    };
    let (glob, rest) = operand(rest)?;
    let glob = relative(&glob)?;
    nothing_after(rest)?;
    Ok(CheckMethod::NoneIn { pattern, glob })
}

fn named(source: &str, context: &Context<'_>) -> Result<CheckMethod, Complaint> {
    if let Some(execution) = context.definitions.get(source) {
        return Ok(CheckMethod::Named {
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
