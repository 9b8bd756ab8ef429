//! How much a person wants to be asked.

use crate::exit::{Exit, Failure};
use std::collections::BTreeMap;
use trueup_core::rule::{Level, Levels, RuleId, Strictness};
use trueup_inspect::{nearest, rules::catalogue};

/// The key beside the ids of rules.
const PROFILE: &str = "profile";

/// The levels that `[rules]` chooses.
pub(super) fn levels(raw: BTreeMap<String, String>) -> Result<Levels, Failure> {
    let mut levels = Levels::default();
    for (key, word) in raw {
        if key == PROFILE {
            levels.profile = match word.as_str() {
                "standard" => Strictness::Standard,
                "strict" => Strictness::Strict,
                _ => return Err(wrong(&format!("profile: `{word}` is neither `standard` nor `strict`"))),
            };
            continue;
        }
        let level = match word.as_str() {
            "ask" => Level::Ask,
            "note" => Level::Note,
            _ => return Err(wrong(&format!("\"{key}\": `{word}` is neither `ask` nor `note`"))),
        };
        levels.chosen.insert(known(&key)?, level);
    }
    Ok(levels)
}

/// The rule of this id.
fn known(id: &str) -> Result<RuleId, Failure> {
    let found = RuleId::of(id).filter(|id| catalogue().find(id).is_some());
    found.ok_or_else(|| {
        let ids = catalogue().rules().iter().map(|rule| rule.id.as_str());
        let meant = match nearest::nearest(id, ids) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        wrong(&format!("there is no rule `{id}`{meant}")).next("trueup rules")
    })
}

fn wrong(what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("[rules] {what}"))
}
