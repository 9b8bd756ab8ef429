//! Paths at which another sort of thing stands than before.

use super::ruling::Ruling;
use crate::workspace::{EntryKind, KindChange};
use trueup_core::objection::{Objection, ObjectionKind};
use trueup_inspect::{
    changes::Allowed,
    code::{Language, is_test_path},
    rules::{self, Detector},
};

/// Links in the place of what is read or run, and rules that became programs,
/// or are none any more.
pub(super) fn resorted(all: &[KindChange], tasks: &str, allowed: &Allowed<'_>, ruling: Ruling<'_>) -> Vec<Objection> {
    let told = all.iter().filter_map(|one| {
        let is_task = || !rules::differences(ruling.rules, &one.path, Some(b"a"), None, tasks).is_empty();
        let sets_rules = rules::is_protected(ruling.rules, &one.path) || is_task();
        let is_code = Language::of(&one.path).is_some() || is_test_path(&one.path);
        let (detector, kind) = match (one.before, one.after) {
            (_, EntryKind::Link) if sets_rules => (Detector::LinkForRules, ObjectionKind::Protected),
            (_, EntryKind::Link) if is_code => (Detector::LinkForCode, ObjectionKind::Suspicious),
            (EntryKind::File, EntryKind::Program) | (EntryKind::Program, EntryKind::File) if sets_rules => {
                (Detector::ExecutableRules, ObjectionKind::Protected)
            }
            (_, _) => return None,
        };
        let rule = ruling.rules.detector(detector);
        let sort = format!("{:?}", one.after);
        Some(Objection {
            kind,
            path: one.path.clone(),
            what: rule.message.clone(),
            digest: kind.digest(&[one.path.as_bytes(), b"thing", sort.as_bytes()]),
            allowed: allowed.rule(kind, &rule.id, &one.path),
            rule: Some(ruling.levels.broken(rule.broken())),
        })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::{rule::Levels, task::Allow};
    use trueup_inspect::rules::catalogue;

    #[test]
    fn a_link_in_the_place_of_code_tests_or_rules_is_told() {
        let of = |path: &str, before, after| {
            let one = KindChange {
                path: path.to_owned(),
                before,
                after,
            };
            let ruling = Ruling {
                rules: catalogue(),
                levels: &Levels::default(),
            };
            let told = resorted(&[one], "todo", &Allowed(&Allow::default()), ruling);
            told.first().map(|objection| objection.kind)
        };
        let (file, program, link) = (EntryKind::File, EntryKind::Program, EntryKind::Link);
        assert_eq!(of("src/price.ts", file, link), Some(ObjectionKind::Suspicious));
        assert_eq!(of("tests/data.txt", file, link), Some(ObjectionKind::Suspicious));
        assert_eq!(
            of("src/new.ts", EntryKind::Nothing, link),
            Some(ObjectionKind::Suspicious)
        );
        assert_eq!(of("pytest.ini", file, link), Some(ObjectionKind::Protected));
        assert_eq!(of("go.mod", file, link), Some(ObjectionKind::Protected));
        assert_eq!(of("package.json", file, link), Some(ObjectionKind::Protected));
        assert_eq!(of("Makefile", file, program), Some(ObjectionKind::Protected));
        assert_eq!(of("todo/T-001.md", program, file), Some(ObjectionKind::Protected));
        assert_eq!(of("tasks/T-001.md", file, link), None);
        assert_eq!(of("src/price.ts", file, program), None);
        assert_eq!(of("README.md", file, link), None);
        assert_eq!(of("src/price.ts", link, file), None);
    }
}
