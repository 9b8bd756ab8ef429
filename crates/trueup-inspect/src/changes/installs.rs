//! What a change installs otherwise than the base does.

use super::Allowed;
use crate::rules::packages;
use trueup_core::objection::{Objection, ObjectionKind};

/// What a person must know of a file that says what is installed, if it asks
/// for something else than before. An edit that installs the same is none.
pub fn installs(path: &str, before: Option<&[u8]>, after: Option<&[u8]>, allowed: &Allowed<'_>) -> Option<Objection> {
    let asked = |bytes: Option<&[u8]>| bytes.map(|bytes| packages::request(path, bytes));
    let (old, new) = (asked(before), asked(after));
    if old == new {
        return None;
    }
    let which = match packages::change(path, before, after) {
        Some(which) => format!(": {which}"),
        None => ", and not by a package's name or version; look at the difference".to_owned(),
    };
    let done = match (before, after) {
        (None, _) => "it is new and decides what is installed",
        (_, None) => "it decided what is installed, and is gone",
        (Some(_), Some(_)) => "it changes what is installed",
    };
    let kind = ObjectionKind::Lockfile;
    let name = new.map(|new| new.digest());
    Some(Objection {
        kind,
        path: path.to_owned(),
        what: format!("{done}{which}"),
        digest: kind.digest(&[
            path.as_bytes(),
            name.as_ref().map_or(b"", |name| name.as_str().as_bytes()),
        ]),
        allowed: allowed.path(kind, path),
        rule: None,
    })
}
