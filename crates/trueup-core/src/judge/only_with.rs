//! Goals that pass only under circumstances that no user has, or whatever the
//! answer is.

use crate::{
    id::{CheckId, TreeId},
    objection::{Objection, ObjectionKind},
    test_results::listed,
};
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec, vec::Vec};

/// That a goal passes only with these files as they were changed. It is about
/// the goal and not about the files, whoever allowed those.
pub fn only_with(kind: ObjectionKind, check: &CheckId, files: &[(&str, Option<&[u8]>)]) -> Objection {
    let names: Vec<String> = files.iter().map(|(path, _)| format!("`{path}`")).collect();
    let mut fields: Vec<&[u8]> = vec![check.as_str().as_bytes()];
    for (path, after) in files {
        fields.push(path.as_bytes());
        fields.push(after.unwrap_or(b"\0"));
    }
    Objection {
        kind,
        path: check.to_string(),
        what: format!("fails without the change of {}", listed(&names)),
        digest: kind.digest(&fields),
        allowed: None,
        rule: None,
    }
}

/// That a goal passes only in a build for debugging.
pub fn debug_only(check: &CheckId, tree: &TreeId) -> Objection {
    let kind = ObjectionKind::DebugOnly;
    Objection {
        kind,
        path: check.to_string(),
        what: "does not pass in an optimised build without debug assertions and overflow checks, as users get it"
            .to_owned(),
        digest: kind.digest(&[check.as_str().as_bytes(), tree.as_str().as_bytes()]),
        allowed: None,
        rule: None,
    }
}

/// That tests of a goal pass although the values they compare with were changed.
pub fn any_answer(check: &CheckId, tree: &TreeId, tests: &[&str]) -> Objection {
    let how = "when the values that are compared are changed, so any answer would do";
    told(
        ObjectionKind::AnyAnswer,
        (check, tree),
        tests,
        (["still passes", "still pass"], how),
    )
}

/// That tests of a goal cannot tell the work from the base's code where they ask
/// for values near those that the new code names.
pub fn visible_only(check: &CheckId, tree: &TreeId, tests: &[&str]) -> Objection {
    let how = "with the work and without it when values that stand in the test and in the new code are changed a \
               little";
    told(
        ObjectionKind::VisibleOnly,
        (check, tree),
        tests,
        (["says the same", "say the same"], how),
    )
}

/// That tests of a goal fail where a time zone, a user and a terminal are others.
pub fn here_only(check: &CheckId, tree: &TreeId, tests: &[&str]) -> Objection {
    let how = "where variables that say who runs it, and where, have other values";
    told(ObjectionKind::HereOnly, (check, tree), tests, (["fails", "fail"], how))
}

/// That tests of a goal fail where they are run twice in one process.
pub fn once_only(check: &CheckId, tree: &TreeId, tests: &[&str]) -> Objection {
    let how = "where all tests are run twice in one process";
    told(ObjectionKind::OnceOnly, (check, tree), tests, (["fails", "fail"], how))
}

/// What tests of a goal do, and when: these, or some that nobody may name.
fn told(
    kind: ObjectionKind,
    (check, tree): (&CheckId, &TreeId),
    tests: &[&str],
    ([one_does, many_do], how): ([&str; 2], &str),
) -> Objection {
    let names: Vec<String> = tests.iter().map(|test| format!("`{test}`")).collect();
    let who = match names.as_slice() {
        [] => format!("its tests {many_do}"),
        [one] => format!("{one} {one_does}"),
        names => format!("{} {many_do}", listed(names)),
    };
    Objection {
        kind,
        path: check.to_string(),
        what: format!("{who} {how}"),
        digest: kind.digest(&[check.as_str().as_bytes(), tree.as_str().as_bytes()]),
        allowed: None,
        rule: None,
    }
}
