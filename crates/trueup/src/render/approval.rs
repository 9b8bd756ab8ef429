//! What a run asks about, item by item, each with its own difference.

use super::{json, line, next, patch, words};
use crate::{
    commands::views::{Item, Question},
    exit::Failure,
};
use owo_colors::OwoColorize;
use serde_json::{Value, json as object};

/// How much is shown of a difference.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lines {
    /// So many lines.
    First(usize),
    /// All of them.
    All,
}

/// One item: what it is about, and what of the change that is.
pub(crate) fn item(question: &Question, at: usize, lines: Lines) {
    let Some(Item { objection, patch: text }) = question.items.get(at) else {
        return;
    };
    let number = format!("{} of {}", at + 1, question.items.len());
    line(&format!(
        "{} {}: {}",
        number.bold(),
        words::harmless(&objection.path).bold(),
        words::harmless(&objection.what)
    ));
    let body: Vec<&str> = text.lines().skip_while(|text| !text.starts_with("@@")).collect();
    // A file that is no text, or that only another mode was given, has no such part.
    let body = if body.is_empty() { text.lines().collect() } else { body };
    let most = match lines {
        Lines::First(most) => most,
        Lines::All => body.len(),
    };
    for text in body.iter().take(most) {
        super::whole(&format!("    {}", patch::coloured(&words::harmless_lines(text))));
    }
    if body.len() > most {
        let left = words::count(body.len() - most, "line");
        line(&format!("    {}", format!("and {left} more").dimmed()));
    }
}

/// What `approve --plain` prints.
pub(crate) fn question_lines(question: &Question) {
    for at in 0..question.items.len() {
        item(question, at, Lines::All);
    }
    let task = &question.task;
    let mut commands = vec![format!("trueup approve {task} all")];
    commands.extend((question.items.len() > 1).then(|| format!("trueup approve {task} 1")));
    commands.push(format!("trueup reject {task} \"why not\""));
    super::note("");
    super::note("Nothing is answered yet. To answer, type one of these:");
    next(&commands.iter().map(String::as_str).collect::<Vec<_>>());
}

/// What `approve --plain --json` prints.
pub(crate) fn question_json(question: &Question) -> Result<(), Failure> {
    let items = question.items.iter().enumerate().map(|(at, item)| {
        object!({
            "item": at + 1,
            "about": item.objection.kind,
            "path": item.objection.path,
            "what": item.objection.what,
            "patch": item.patch,
        })
    });
    let items: Vec<Value> = items.collect();
    json(&object!({ "v": 1, "run": question.run, "items": items }))
}
