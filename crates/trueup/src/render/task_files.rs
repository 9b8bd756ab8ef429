//! What is said of task files as such.

use super::{note, words};
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
