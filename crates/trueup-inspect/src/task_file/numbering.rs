//! Which id each criterion stands under.

use super::{
    criteria::{CheckLine, Listed},
    formality::Formality,
};
use crate::problem::Position;
use std::collections::BTreeSet;

/// A criterion with its id.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) position: Position,
    pub(super) checks: Vec<CheckLine>,
}

/// Gives each criterion the id it stands under: its own, or else the next
/// number of its place in the list that no other has.
pub(super) fn numbered(listed: Vec<Listed>, filled_in: &mut Vec<Formality>) -> Vec<Written> {
    let mut taken: BTreeSet<String> = listed.iter().filter_map(|item| item.id.clone()).collect();
    let mut written = Vec::new();
    for (index, item) in listed.into_iter().enumerate() {
        let is_whole = item.id.is_some() && item.ticked;
        let id = item.id.unwrap_or_else(|| free(index + 1, &taken));
        taken.insert(id.clone());
        if !is_whole {
            filled_in.push(Formality::new(item.position.line, format!("`- [ ] **{id}**`")));
        }
        written.push(Written {
            id,
            text: item.text,
            position: item.position,
            checks: item.checks,
        });
    }
    written
}

fn free(from: usize, taken: &BTreeSet<String>) -> String {
    let mut ids = (from..).map(|number| format!("AC-{number}"));
    ids.find(|id| !taken.contains(id)).unwrap_or_default()
}
