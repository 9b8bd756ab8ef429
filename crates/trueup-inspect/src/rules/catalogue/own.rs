//! What a rule of a pack that somebody brought must not be.

use super::rule::{Rule, Seeks, SoughtMarker};
use crate::rules::meaning;
use trueup_core::rule::RuleId;

/// Whether a rule can stand beside those that are known; else what is wrong
/// with it. What would never find anything is refused, lest somebody rely on it.
pub(super) fn fits(rule: &Rule, known: &[&Rule]) -> Result<(), String> {
    let id = &rule.id;
    if let Some(other) = known.iter().find(|other| other.id == *id) {
        return Err(match &other.file {
            Some(file) => format!("there is a rule `{id}` in {file} already; give this one another id"),
            None => format!("`{id}` is the id of a rule that comes with trueup; give this one another"),
        });
    }
    if *id == RuleId::unreadable_pack() {
        return Err(format!(
            "`{id}` is an id that trueup keeps for itself; give this rule another"
        ));
    }
    if let Some(expression) = rule.unsound() {
        return Err(format!(
            "`{id}` looks for `{expression}`, which is no regular expression over ASCII"
        ));
    }
    match &rule.seeks {
        Seeks::Code => Err(format!(
            "`{id}` has a `detector`, which only rules that come with trueup have; give it `code`, `text`, `comment`, `paths` or `keys`"
        )),
        Seeks::Marker(marker) => match taken(marker, known) {
            Some(other) => Err(format!(
                "`{id}` counts the marker `{}`, which `{other}` counts already; give it another name",
                marker.name
            )),
            None => Ok(()),
        },
        Seeks::Keys(keys) if !meaning::is_read(&keys.file.named()) => Err(format!(
            "`{id}` looks for keys of a file that is neither JSON, TOML, YAML nor INI by its name; use `paths`"
        )),
        Seeks::Keys(_) | Seeks::Lines(_) | Seeks::Paths(_) => Ok(()),
    }
}

/// The rule that counts a marker of this name in one of its languages: two
/// counts under one name would hide each other.
fn taken<'k>(marker: &SoughtMarker, known: &[&'k Rule]) -> Option<&'k RuleId> {
    let is_taken = |rule: &&&Rule| match &rule.seeks {
        Seeks::Marker(other) => {
            let mut families = marker.families.iter();
            other.name == marker.name && families.any(|family| other.families.contains(family))
        }
        Seeks::Lines(_) | Seeks::Paths(_) | Seeks::Keys(_) | Seeks::Code => false,
    };
    known.iter().find(is_taken).map(|rule| &rule.id)
}
