//! How much a person wants to be asked, and the rules they brought themselves.

use super::{
    is_inside,
    layer::{RawRules, text_of},
};
use crate::exit::{Exit, Failure};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use trueup_core::rule::{Level, Levels, RuleId, Strictness};
use trueup_inspect::{nearest, rules::Catalogue};

/// The key beside the ids of rules.
const PROFILE: &str = "profile";

/// The rules that hold, and the levels that `[rules]` chooses for them.
pub(super) fn rules(raw: RawRules, checkout: &Path) -> Result<(Arc<Catalogue>, Levels), Failure> {
    let catalogue = match raw.packs.as_slice() {
        [] => Catalogue::default(),
        packs => brought(packs, checkout)?,
    };
    let levels = levels(raw.chosen, &catalogue)?;
    Ok((Arc::new(catalogue), levels))
}

/// The rules with those of these packs. A pack that cannot be read is never
/// passed over: whoever named it relies on its rules.
fn brought(packs: &[PathBuf], checkout: &Path) -> Result<Catalogue, Failure> {
    let mut texts = BTreeMap::new();
    for pack in packs {
        let shown = pack.display();
        if pack.is_relative() && !is_inside(&shown.to_string()) {
            return Err(wrong(&format!("packs: `{shown}` is not a file inside the repository")));
        }
        let path = checkout.join(pack);
        let text = text_of(&path)?.ok_or_else(|| {
            let what = format!("packs: there is no file `{shown}`; write it, or take it out of `[rules] packs`");
            wrong(&what).next("trueup config show --origin")
        })?;
        let name = path.strip_prefix(checkout).unwrap_or(&path).display().to_string();
        texts.insert(name, text);
    }
    Catalogue::with(texts).map_err(|error| {
        let what = format!("{error}. A pack that `[rules] packs` names is never passed over: mend it");
        Failure::new(Exit::Usage, what).next("trueup rules")
    })
}

/// The levels that are chosen by name.
fn levels(chosen: BTreeMap<String, String>, catalogue: &Catalogue) -> Result<Levels, Failure> {
    let mut levels = Levels::default();
    for (key, word) in chosen {
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
        levels.chosen.insert(known(&key, catalogue)?, level);
    }
    Ok(levels)
}

/// The rule of this id.
fn known(id: &str, catalogue: &Catalogue) -> Result<RuleId, Failure> {
    let found = RuleId::of(id).filter(|id| catalogue.find(id).is_some());
    found.ok_or_else(|| {
        let ids = catalogue.rules().map(|rule| rule.id.as_str());
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
