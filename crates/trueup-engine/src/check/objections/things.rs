//! Paths at which another sort of thing stands than before.

use crate::workspace::{EntryKind, KindChange};
use trueup_core::objection::{Objection, ObjectionKind};
use trueup_inspect::{
    changes::Allowed,
    code::{Language, is_test_path},
    rules,
};

/// Links in the place of what is read or run, and rules that became programs,
/// or are none any more.
pub(super) fn resorted(all: &[KindChange], tasks: &str, allowed: &Allowed<'_>) -> Vec<Objection> {
    let told = all.iter().filter_map(|one| {
        let sets_rules =
            rules::is_lock(&one.path) || !rules::differences(&one.path, Some(b"a"), None, tasks).is_empty();
        let is_code = Language::of(&one.path).is_some() || is_test_path(&one.path);
        let (kind, what) = match (one.before, one.after) {
            (_, EntryKind::Link) if sets_rules => (
                ObjectionKind::Protected,
                "a link stands in the place of a file that sets the rules: let the file itself stand there",
            ),
            (_, EntryKind::Link) if is_code => (
                ObjectionKind::Suspicious,
                "this is a link, and what it leads to is not what is read here: let the file itself stand there",
            ),
            (EntryKind::File, EntryKind::Program) | (EntryKind::Program, EntryKind::File) if sets_rules => (
                ObjectionKind::Protected,
                "whether this file, which sets the rules, can be executed was changed: put it back",
            ),
            (_, _) => return None,
        };
        let sort = format!("{:?}", one.after);
        Some(Objection {
            kind,
            path: one.path.clone(),
            what: what.to_owned(),
            digest: kind.digest(&[one.path.as_bytes(), b"thing", sort.as_bytes()]),
            allowed: allowed.path(kind, &one.path),
        })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::task::Allow;

    #[test]
    fn a_link_in_the_place_of_code_tests_or_rules_is_told() {
        let of = |path: &str, before, after| {
            let one = KindChange {
                path: path.to_owned(),
                before,
                after,
            };
            let told = resorted(&[one], "todo", &Allowed(&Allow::default()));
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
        assert_eq!(of("Makefile", file, program), Some(ObjectionKind::Protected));
        assert_eq!(of("todo/T-001.md", program, file), Some(ObjectionKind::Protected));
        assert_eq!(of("tasks/T-001.md", file, link), None);
        assert_eq!(of("src/price.ts", file, program), None);
        assert_eq!(of("README.md", file, link), None);
        assert_eq!(of("src/price.ts", link, file), None);
    }
}
