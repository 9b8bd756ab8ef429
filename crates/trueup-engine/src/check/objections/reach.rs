//! Lines that were changed, and are reached by fewer tests than what they
//! replace.

use crate::{
    check::{checks::Checks, tally::in_tree},
    halt::Halt,
    workspace,
};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{
    effect::Verify,
    id::{CheckId, TreeId},
    objection::{Objection, ObjectionKind},
};
use trueup_inspect::{
    changes::Allowed,
    code::is_test_path,
    report::{Lines, Report},
};

/// Line numbers by file.
type Numbers = BTreeMap<String, BTreeSet<u32>>;

/// Reports by their checks.
type Reports<'a> = BTreeMap<&'a CheckId, Report>;

/// How many lines a report knows of, and how many of them were reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reach {
    known: usize,
    reached: usize,
}

impl Reach {
    fn of(hits: Option<&BTreeMap<u32, u64>>, numbers: &BTreeSet<u32>) -> Self {
        let hits: Vec<u64> = hits
            .into_iter()
            .flat_map(|hits| numbers.iter().filter_map(|number| hits.get(number).copied()))
            .collect();
        Self {
            known: hits.len(),
            reached: hits.iter().filter(|hits| **hits > 0).count(),
        }
    }

    /// Whether a smaller share is reached. Where there was nothing to reach,
    /// nothing can shrink.
    const fn is_less_than(self, before: Self) -> bool {
        before.known > 0 && self.known > 0 && self.reached * before.known < before.reached * self.known
    }
}

impl Checks {
    /// Files whose changed lines are reached less than those they replace, by
    /// each check that tells of lines on both trees.
    pub(super) fn less_reached(
        &self,
        wish: &Verify,
        before: &Reports<'_>,
        now: &Reports<'_>,
    ) -> Result<Vec<Objection>, Halt> {
        let mut found = Vec::new();
        for (check, after) in now {
            let Some(before) = before.get(check) else { continue };
            if !before.lines.0.is_empty() && !after.lines.0.is_empty() {
                found.extend(self.shrunk(wish, &before.lines, &after.lines)?);
            }
        }
        Ok(found)
    }

    fn shrunk(&self, wish: &Verify, before: &Lines, after: &Lines) -> Result<Vec<Objection>, workspace::Error> {
        let side = |from: &TreeId, to: &TreeId| -> Result<(Vec<String>, Numbers), workspace::Error> {
            Ok((self.workspaces.files(to)?, self.workspaces.changed_lines(from, to)?))
        };
        let (old_files, replaced) = side(&wish.tree, &wish.base)?;
        let (new_files, written) = side(&wish.base, &wish.tree)?;
        let (before, after) = (in_tree(before, &old_files), in_tree(after, &new_files));
        let allowed = Allowed(&wish.allow);
        let mut found = Vec::new();
        for (path, written) in written.iter().filter(|(path, _)| !is_test_path(path)) {
            let Some(replaced) = replaced.get(path) else { continue };
            let was = Reach::of(before.get(path.as_str()), replaced);
            let is = Reach::of(after.get(path.as_str()), written);
            if is.is_less_than(was) {
                found.push(objection(path, was, is, &allowed));
            }
        }
        Ok(found)
    }
}

fn objection(path: &str, was: Reach, is: Reach, allowed: &Allowed<'_>) -> Objection {
    let kind = ObjectionKind::LessReached;
    let what = format!(
        "tests reach {} of {} changed lines here, and reached {} of the {} that stood in their place",
        is.reached, is.known, was.reached, was.known
    );
    let numbers = format!("{}/{} {}/{}", is.reached, is.known, was.reached, was.known);
    Objection {
        kind,
        path: path.to_owned(),
        digest: kind.digest(&[path.as_bytes(), numbers.as_bytes()]),
        what,
        allowed: allowed.path(kind, path),
        rule: None,
    }
}

#[cfg(test)]
mod tests {
    use super::Reach;

    #[test]
    fn a_smaller_share_is_less_and_nothing_cannot_shrink() {
        let of = |reached, known| Reach { known, reached };
        assert!(of(1, 2).is_less_than(of(1, 1)));
        assert!(of(0, 1).is_less_than(of(1, 9)));
        assert!(!of(2, 2).is_less_than(of(1, 1)));
        assert!(!of(1, 3).is_less_than(of(1, 3)));
        assert!(!of(0, 3).is_less_than(of(0, 1)));
        assert!(!of(0, 3).is_less_than(of(0, 0)), "nothing stood there");
        assert!(!of(0, 0).is_less_than(of(1, 1)), "there is nothing to reach");
    }
}
