//! Files of which only some keys decide how checks run.

mod describing;

use self::describing::DESCRIBING;
use super::{
    catalogue::{Detector, Rule, SoughtKeys, Which, catalogue},
    paths::fits,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// A key that counts.
#[derive(Clone, Debug)]
pub(super) struct Counted<'r> {
    /// Its value, as far as it counts.
    pub(super) value: Value,
    /// Why it counts.
    pub(super) rule: &'r Rule,
    /// When a difference of it is told.
    pub(super) when: When,
}

/// When a difference is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Always.
    Always,
    /// Where there was another value before.
    Replaced,
}

/// The keys of a file that count, by name.
pub(super) type Keys<'r> = BTreeMap<String, Counted<'r>>;

/// Whether only some keys of a file count.
pub(super) fn is_mixed(path: &str) -> bool {
    !catalogue().keys(path).is_empty()
}

/// The keys of a file that decide how checks run.
pub(super) fn keys(path: &str, meaning: &Value) -> Keys<'static> {
    let mut keys = sought(&catalogue().keys(path), path, meaning);
    others(path, meaning, &mut keys);
    keys
}

/// The keys of a file that these rules look for.
pub(super) fn sought<'r>(rules: &[(&'r Rule, &SoughtKeys)], path: &str, meaning: &Value) -> Keys<'r> {
    let mut keys = Keys::new();
    let unnamed = if fits(path, ".env*") { meaning.get("") } else { None };
    for &(rule, sought) in rules {
        for pattern in &sought.keys {
            // A name of setup.cfg's sections may hold a dot itself.
            let between = if fits(path, "setup.cfg") { '/' } else { '.' };
            let segments: Vec<&str> = pattern.split(between).collect();
            let mut found = Vec::new();
            select(unnamed.unwrap_or(meaning), &segments, String::new(), &mut found);
            for (key, value) in found {
                apart(key, value, (rule, sought.which), &mut keys);
            }
        }
    }
    keys
}

/// Where everything counts but what describes: the keys that no rule names.
fn others(path: &str, meaning: &Value, keys: &mut Keys<'_>) {
    let describing = DESCRIBING.iter().find(|(pattern, _)| fits(path, pattern));
    let (Some((_, describing)), Value::Object(table)) = (describing, meaning) else {
        return;
    };
    let rules = catalogue().keys(path);
    let named: Vec<&String> = rules.iter().flat_map(|(_, sought)| &sought.keys).collect();
    let is_named = |name: &str| named.iter().any(|key| *key == name);
    let rule = catalogue().detector(Detector::PackageOtherKeys);
    for (name, value) in table {
        if !describing.contains(&name.as_str()) && !is_named(name) {
            apart(name.clone(), value, (rule, Which::All), keys);
        }
    }
}

/// Collects what lies under a path of keys.
fn select<'a>(value: &'a Value, segments: &[&str], key: String, found: &mut Vec<(String, &'a Value)>) {
    let Some((first, rest)) = segments.split_first() else {
        found.push((key, value));
        return;
    };
    let below = |name: &str| {
        if key.is_empty() {
            name.to_owned()
        } else {
            format!("{key}.{name}")
        }
    };
    match value {
        Value::Object(table) => {
            for (name, inner) in table.iter().filter(|(name, _)| is_named(name, first)) {
                select(inner, rest, below(name), found);
            }
        }
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                select(inner, segments, below(&title(inner, at)), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_named(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(head) => name.starts_with(head),
        None => name == pattern,
    }
}

/// A table's own name where it stands in a list, so that the order of the
/// list means nothing.
fn title(value: &Value, at: usize) -> String {
    let name = value.get("name").and_then(Value::as_str);
    name.map_or_else(|| at.to_string(), str::to_owned)
}

/// Takes a table apart once, so that a difference names the one line that changed.
fn apart<'r>(key: String, value: &Value, (rule, which): (&'r Rule, Which), keys: &mut Keys<'r>) {
    let mut keep = |key: String, value: &Value| {
        if let Some((value, when)) = counted(which, value) {
            keys.insert(key, Counted { value, rule, when });
        }
    };
    match value {
        Value::Object(table) => {
            for (name, value) in table {
                keep(format!("{key}.{name}"), value);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (at, value) in list.iter().enumerate() {
                keep(format!("{key}.{}", title(value, at)), value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => keep(key, value),
    }
}

/// What of a value counts, and when; nothing where none of it does.
fn counted(which: Which, value: &Value) -> Option<(Value, When)> {
    match which {
        Which::All => Some((value.clone(), When::Always)),
        Which::Replaced => Some((value.clone(), When::Replaced)),
        Which::Elsewhere => elsewhere(value).map(|value| (value, When::Always)),
        Which::Crates | Which::CratesOfTests => Some(of_crate(which, value)),
    }
}

/// What of a requirement comes from elsewhere than the registry.
fn elsewhere(value: &Value) -> Option<Value> {
    match value {
        Value::String(version) => is_elsewhere(version).then(|| value.clone()),
        Value::Object(table) => {
            let places = ["path", "git", "url", "file"];
            let is_place = places.into_iter().any(|name| table.contains_key(name));
            is_place.then(|| value.clone())
        }
        Value::Array(list) => {
            let found: Vec<Value> = list.iter().filter_map(elsewhere).collect();
            (!found.is_empty()).then_some(Value::Array(found))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// How a dependency of cargo's counts. A new package of this tree is code like
/// any other, unless tests alone have it or features are chosen for it; one in
/// the place of another is told whatever it is.
fn of_crate(which: Which, value: &Value) -> (Value, When) {
    let has = |name: &str| value.get(name).is_some();
    let is_ours = has("path") || has("workspace");
    let is_chosen = is_ours && (has("features") || has("default-features") || has("default_features"));
    let is_elsewhere = ["git", "package", "registry", "registry-index"].into_iter().any(has);
    let of_tests = which == Which::CratesOfTests;
    let is_told = is_elsewhere || has("path") && (of_tests || is_chosen) || of_tests && is_chosen;
    if is_told {
        return (value.clone(), When::Always);
    }
    let path = value.get("path").cloned();
    let from = path.unwrap_or_else(|| {
        Value::from(if has("workspace") {
            "the workspace"
        } else {
            "the registry"
        })
    });
    (from, When::Replaced)
}

/// Whether a version is no version but a place to install from.
fn is_elsewhere(version: &str) -> bool {
    let is_ours = version.starts_with("workspace:") || version.starts_with("catalog:");
    !is_ours && version.contains([':', '/'])
}
