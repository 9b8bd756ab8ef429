//! What is said of task files as such.

use super::{line, note, words};
use trueup_core::{
    criterion::{Role, Visibility},
    task::Task,
};
use trueup_inspect::task_file::Formality;

/// How many formalities are named one by one.
const MOST_FILLED_IN: usize = 6;

/// Says in one line what a task file left out, and what it was read as.
pub(crate) fn filled_in(file: &str, formalities: &[Formality]) {
    let (named, more) = formalities.split_at(formalities.len().min(MOST_FILLED_IN));
    let mut said: Vec<String> = named
        .iter()
        .map(|formality| format!("{} (line {})", words::harmless(&formality.read_as), formality.line))
        .collect();
    if !more.is_empty() {
        said.push(format!("{} more", more.len()));
    }
    if !said.is_empty() {
        note(&format!("{file}: filled in {}", said.join(", ")));
    }
}

/// A task as it was written, for the person who shall say yes to it.
pub(crate) fn draft(file: &str, task: &Task) {
    line(&format!("{file}: {}", words::harmless(&task.title)));
    for criterion in &task.criteria {
        line(&format!("  {}  {}", criterion.id, words::harmless(&criterion.text)));
        for check in &criterion.checks {
            let label = match (check.role, &check.sight) {
                (Role::Guard, _) => "guard",
                (Role::Goal, Visibility::Open) => "verify",
                (Role::Goal, Visibility::Hidden(_)) => "verify hidden",
            };
            line(&format!("      {label}: {}", words::harmless(&check.source)));
        }
    }
}
