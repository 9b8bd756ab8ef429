//! Goals that pass only under circumstances that no user has, or whatever the
//! answer is.

use crate::{
    id::{CheckId, TreeId},
    objection::{Objection, ObjectionKind},
    test_results::listed,
};
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

/// That a goal passes only with these files as they were changed. It is about
/// the goal and not about the files, whoever allowed those.
pub fn only_with(kind: ObjectionKind, check: &CheckId, files: &[(&str, Option<&[u8]>)]) -> Objection {
    let names: Vec<String> = files.iter().map(|(path, _)| format!("`{path}`")).collect();
    let mut fields: Vec<&[u8]> = vec![check.as_str().as_bytes()];
    for (path, after) in files {
        fields.push(path.as_bytes());
        fields.push(after.unwrap_or(b"\0"));
    }
    let verb = match names.len() {
        1 => "as it was changed",
        _ => "as they were changed",
    };
    Objection {
        kind,
        path: check.to_string(),
        what: format!(
            "{check} passes only with {} {verb}: do the work in the code",
            listed(&names)
        ),
        digest: kind.digest(&fields),
        allowed: None,
    }
}

/// That a goal passes only in a build for debugging.
pub fn debug_only(check: &CheckId, tree: &TreeId) -> Objection {
    let kind = ObjectionKind::DebugOnly;
    Objection {
        kind,
        path: check.to_string(),
        what: format!(
            "{check} does not pass in a build without debug assertions and overflow checks, as users get it: \
             have the code do the work in every build"
        ),
        digest: kind.digest(&[check.as_str().as_bytes(), tree.as_str().as_bytes()]),
        allowed: None,
    }
}

/// That tests of a goal pass although the values they compare with were changed.
pub fn any_answer(check: &CheckId, tree: &TreeId, tests: &[&str]) -> Objection {
    let kind = ObjectionKind::AnyAnswer;
    let names: Vec<String> = tests.iter().map(|test| format!("`{test}`")).collect();
    let verb = match names.len() {
        1 => "still passes when the values it compares with are changed",
        _ => "still pass when the values they compare with are changed",
    };
    Objection {
        kind,
        path: check.to_string(),
        what: format!(
            "{} {verb}, so any answer would do: give plain values, and compare them where the test reaches it",
            listed(&names)
        ),
        digest: kind.digest(&[check.as_str().as_bytes(), tree.as_str().as_bytes()]),
        allowed: None,
    }
}

/// That tests of a goal fail where a time zone, a user and a terminal are others.
pub fn here_only(check: &CheckId, tree: &TreeId, tests: &[&str]) -> Objection {
    let how = "where variables that say who runs it, and where, have other values: \
               have the code and the test give the same answer everywhere";
    failing(ObjectionKind::HereOnly, check, tree, (tests, how))
}

/// That tests of a goal fail where they are run twice in one process.
pub fn once_only(check: &CheckId, tree: &TreeId, tests: &[&str]) -> Objection {
    let how = "where all tests are run twice in one process: \
               have the code and the test keep nothing from one call to the next";
    failing(ObjectionKind::OnceOnly, check, tree, (tests, how))
}

/// That tests of a goal fail in this way: these, or some that nobody may name.
fn failing(kind: ObjectionKind, check: &CheckId, tree: &TreeId, (tests, how): (&[&str], &str)) -> Objection {
    let names: Vec<String> = tests.iter().map(|test| format!("`{test}`")).collect();
    let fail = match names.len() {
        0 => format!("tests of {check} fail"),
        1 => format!("{} fails", listed(&names)),
        _ => format!("{} fail", listed(&names)),
    };
    Objection {
        kind,
        path: check.to_string(),
        what: format!("{fail} {how}"),
        digest: kind.digest(&[check.as_str().as_bytes(), tree.as_str().as_bytes()]),
        allowed: None,
    }
}
