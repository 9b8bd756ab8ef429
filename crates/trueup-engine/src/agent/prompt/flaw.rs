//! What is wrong with a template, and where.

use super::sample;
use minijinja::ErrorKind;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Something wrong with a template of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {what}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Flaw {
    /// The file.
    pub file: PathBuf,
    /// The line, if it is known.
    pub line: Option<usize>,
    /// What is wrong, in a sentence.
    pub what: String,
}

impl Flaw {
    /// A file or folder that cannot be read.
    pub(super) fn of_file(file: &Path, error: &io::Error) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            what: format!("cannot be read: {error}"),
        }
    }

    /// A file whose name no template has.
    pub(super) fn unknown_template<'a>(file: &Path, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Self {
        let names: Vec<&str> = known.collect();
        Self {
            file: file.to_owned(),
            line: None,
            what: format!(
                "there is no template of this name; {}",
                suggestion(name, &names).unwrap_or_else(|| format!("there are {}", names.join(", ")))
            ),
        }
    }

    /// A name that no template knows.
    pub(super) fn unknown_name(file: &Path, text: &str, name: &str, known: &[&str]) -> Self {
        let suggestion = suggestion(name, known).unwrap_or_else(|| "see docs/prompts.md for those there are".into());
        Self {
            file: file.to_owned(),
            line: line_of(text, name),
            what: format!("there is no variable `{name}`; {suggestion}"),
        }
    }

    /// What the template's language says is wrong.
    pub(super) fn of_template(file: &Path, text: &str, error: &minijinja::Error) -> Self {
        let line = error.line();
        let said = error
            .detail()
            .map_or_else(|| error.kind().to_string(), ToOwned::to_owned);
        let undefined = error.kind() == ErrorKind::UndefinedError;
        let unknown = line.filter(|_| undefined).and_then(|line| unknown_field(text, line));
        let what = match unknown {
            Some(field) => {
                let suggestion = suggestion(field, &sample::FIELDS);
                let suggestion = suggestion.unwrap_or_else(|| "see docs/prompts.md for those there are".into());
                format!("there is no field `{field}`; {suggestion}")
            }
            None if error.kind() == ErrorKind::OutOfFuel => "it does too much; a loop in it does not end".into(),
            None => said,
        };
        Self {
            file: file.to_owned(),
            line,
            what,
        }
    }
}

/// The nearest known name, if one is near at all.
fn suggestion(name: &str, known: &[&str]) -> Option<String> {
    let likeness = |known: &str| strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase());
    let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(nearest) > 0.7).then(|| format!("did you mean `{nearest}`?"))
}

/// The first line of a template that uses a name as a whole word.
fn line_of(text: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let uses = |line: &str| line.split(|c| !is_part(c)).any(|word| word == name);
    let inside = |line: &&str| line.contains("{{") || line.contains("{%");
    let lines = || text.lines().enumerate();
    let found = lines().find(|(_, line)| inside(line) && uses(line));
    // A tag may reach over several lines.
    let found = found.or_else(|| lines().find(|(_, line)| uses(line)));
    found.map(|(index, _)| index + 1)
}

/// A field that a line asks for and nothing has.
fn unknown_field(text: &str, line: usize) -> Option<&str> {
    let line = text.lines().nth(line.checked_sub(1)?)?;
    let mut after_dots = line.split('.').skip(1);
    after_dots.find_map(|rest| {
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let field = rest.get(..end)?;
        (!field.is_empty() && !sample::FIELDS.contains(&field)).then_some(field)
    })
}
