//! Which files that decide how checks run were changed.

use super::{
    catalogue::{Detector, Rule, catalogue},
    meaning::meaning,
    mixed::{self, When},
    protected,
    readers::{Readers, readers},
};
use serde_json::Value;
use trueup_core::rule::BrokenRule;

/// A change of something that decides how checks run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The file.
    pub path: String,
    /// The key inside it, where only some of its keys decide anything.
    pub key: Option<String>,
    /// The rule that it breaks, at its usual level.
    pub rule: BrokenRule,
    /// What was done to it and why that matters, as an agent can act on it.
    pub what: String,
    /// The programs that alone read it, if they are known.
    pub readers: Option<Readers>,
}

/// What an agent can do about it.
const WAY_OUT: &str = "take that back unless the task asks for it";

/// How much of a value is shown.
const SHOWN: usize = 80;

/// What changed between two contents of a file, as far as it decides how
/// checks run. Another spelling of the same meaning is no difference.
pub fn differences(path: &str, before: Option<&[u8]>, after: Option<&[u8]>, tasks_folder: &str) -> Vec<Difference> {
    if before == after {
        return Vec::new();
    }
    let done = done(before, after);
    let whole = |rule: &Rule, readers| {
        vec![Difference {
            path: path.to_owned(),
            key: None,
            rule: rule.broken(),
            what: format!("`{path}` was {done}; {}: {WAY_OUT}", rule.message),
            readers,
        }]
    };
    if is_task(path, tasks_folder) {
        whole(catalogue().detector(Detector::Task), None)
    } else if protected::is_lock(path) {
        // What it installs is a question of its own.
        Vec::new()
    } else if let Some(rule) = protected::whole(path) {
        if is_same(path, before, after) {
            Vec::new()
        } else {
            whole(rule, readers(path, None, (before, after)))
        }
    } else if mixed::is_mixed(path) {
        let read = |bytes: Option<&[u8]>| match bytes {
            Some(bytes) => meaning(path, bytes),
            None => Some(Value::Null),
        };
        match (read(before), read(after)) {
            (Some(was), Some(is)) => {
                let of_key = |mut one: Difference| {
                    one.readers = readers(path, one.key.as_deref(), (before, after));
                    one
                };
                in_keys(path, &was, &is).into_iter().map(of_key).collect()
            }
            // The unreadable could say anything.
            (None, _) | (_, None) => whole(catalogue().detector(Detector::UnreadableSettings), None),
        }
    } else {
        Vec::new()
    }
}

/// Whether something in a file of this path can decide how checks run, or
/// with which packages.
pub fn is_protected(path: &str) -> bool {
    protected::is_lock(path) || protected::whole(path).is_some() || mixed::is_mixed(path)
}

/// What was done to a file.
const fn done(before: Option<&[u8]>, after: Option<&[u8]>) -> &'static str {
    match (before, after) {
        (None, _) => "added",
        (_, None) => "removed",
        (Some(_), Some(_)) => "changed",
    }
}

fn is_task(path: &str, folder: &str) -> bool {
    let folder = folder.trim_start_matches("./").trim_matches('/');
    let path = path.trim_start_matches("./");
    let head = path.get(..folder.len()).unwrap_or_default();
    let rest = path.get(folder.len()..).unwrap_or_default();
    // On some machines folders that differ only in letter case are one.
    !folder.is_empty()
        && folder != "."
        && head.eq_ignore_ascii_case(folder)
        && (rest.is_empty() || rest.starts_with('/'))
}

/// Whether both contents say the same, only spelled differently.
fn is_same(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    let before = meaning(path, before);
    before.is_some() && before == meaning(path, after)
}

fn in_keys(path: &str, before: &Value, after: &Value) -> Vec<Difference> {
    let (before, after) = (mixed::keys(path, before), mixed::keys(path, after));
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let differs = |key: &&String| match (before.get(*key), after.get(*key)) {
        (Some(old), Some(new)) => old.value != new.value,
        (None, Some(one)) | (Some(one), None) => one.when == When::Always,
        (None, None) => false,
    };
    let told = |key: &String| {
        let (old, new) = (before.get(key), after.get(key));
        let rule = new.or(old)?.rule;
        let done = match (old, new) {
            (Some(old), Some(new)) => format!("changed from {} to {}", shown(&old.value), shown(&new.value)),
            (None, Some(new)) => format!("added as {}", shown(&new.value)),
            (Some(old), None) => format!("removed, it was {}", shown(&old.value)),
            (None, None) => String::new(),
        };
        Some(Difference {
            path: path.to_owned(),
            key: Some(key.clone()),
            rule: rule.broken(),
            what: format!("`{key}` in `{path}` was {done}; {}: {WAY_OUT}", rule.message),
            readers: None,
        })
    };
    names.into_iter().filter(differs).filter_map(told).collect()
}

/// A value for people, not longer than they read.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN {
        return format!("`{text}`");
    }
    let head: String = text.chars().take(SHOWN).collect();
    format!("`{head}…`")
}
