//! By which rules a change is looked at, and at which levels they count.

use crate::check::checks::Checks;
use std::collections::{BTreeMap, btree_map::Entry};
use trueup_core::{
    objection::{Objection, ObjectionKind},
    rule::Levels,
};
use trueup_inspect::rules::Catalogue;

/// What a run was opened with.
#[derive(Clone, Copy)]
pub(super) struct Ruling<'a> {
    pub(super) rules: &'a Catalogue,
    pub(super) levels: &'a Levels,
}

impl Checks {
    /// What this run was opened with.
    pub(super) fn ruling(&self) -> Ruling<'_> {
        Ruling {
            rules: &self.rules,
            levels: &self.levels,
        }
    }
}

/// How little an objection counts beside others about the same: one that asks
/// counts before one that notes, and one that nobody allowed before others.
pub(super) fn counts_least(one: &Objection) -> (bool, bool) {
    (!one.asks(), one.allowed.is_some())
}

/// Of several rules that know one file or key, the one that asks for most: an
/// answer is for these bytes, and holds for all of them.
pub(super) fn most_asking(all: impl Iterator<Item = Objection>) -> Vec<Objection> {
    let mut places = BTreeMap::new();
    let mut kept: Vec<Objection> = Vec::new();
    for one in all {
        if one.kind != ObjectionKind::Protected {
            kept.push(one);
            continue;
        }
        match places.entry(one.digest.clone()) {
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push(one);
            }
            Entry::Occupied(place) => {
                if let Some(known) = kept.get_mut(*place.get())
                    && counts_least(&one) < counts_least(known)
                {
                    *known = one;
                }
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::rule::{BrokenRule, Level, RuleId};

    fn objection(kind: ObjectionKind, path: &str, (rule, level): (&str, Level)) -> Objection {
        Objection {
            kind,
            path: path.to_owned(),
            what: "changed".to_owned(),
            digest: kind.digest(&[path.as_bytes()]),
            allowed: None,
            rule: RuleId::of(rule).map(|id| BrokenRule { id, level }),
        }
    }

    #[test]
    fn a_file_that_several_rules_know_counts_as_the_one_that_asks_for_most() {
        let (built_in, own) = (("any/ci", Level::Note), ("shop/ci", Level::Ask));
        let protected = ObjectionKind::Protected;
        for rules in [[built_in, own], [own, built_in]] {
            let all = rules.map(|rule| objection(protected, "ci.yml", rule));
            assert_eq!(most_asking(all.into_iter()), [objection(protected, "ci.yml", own)]);
        }
        let allowed = Objection {
            allowed: Some("shop/ci".to_owned()),
            ..objection(protected, "ci.yml", own)
        };
        let open = objection(protected, "ci.yml", ("any/ci", Level::Ask));
        assert_eq!(most_asking([allowed, open.clone()].into_iter()), [open]);
        let apart = ["ci.yml", "cd.yml"].map(|path| objection(protected, path, own));
        assert_eq!(most_asking(apart.clone().into_iter()), apart);
        let lines = [built_in, own].map(|rule| objection(ObjectionKind::Suspicious, "a.py", rule));
        assert_eq!(
            most_asking(lines.clone().into_iter()),
            lines,
            "lines are told one by one"
        );
    }
}
