//! Which files that decide how checks run were changed.

use super::{
    catalogue::{Catalogue, Detector, Rule, catalogue},
    meaning::meaning,
    mixed::{self, Keys, When},
    protected,
    readers::{Readers, readers, script},
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
    /// What was done to it and why that matters, for an agent and a person.
    pub what: String,
    /// The programs that alone read it, if they are known.
    pub readers: Option<Readers>,
    /// The script of a package that it is: only who calls it by its name runs it.
    pub script: Option<String>,
}

/// How much of a value is shown.
const SHOWN: usize = 80;

/// What changed between two contents of a file, as far as it decides how
/// checks run. Another spelling of the same meaning is no difference.
pub fn differences(
    rules: &Catalogue,
    path: &str,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    tasks_folder: &str,
) -> Vec<Difference> {
    if before == after {
        return Vec::new();
    }
    let mut found = by_program(path, before, after, tasks_folder);
    found.extend(by_packs(rules, path, before, after));
    found
}

/// By the rules that come with the program.
fn by_program(path: &str, before: Option<&[u8]>, after: Option<&[u8]>, tasks_folder: &str) -> Vec<Difference> {
    let whole = |rule: &Rule, readers| vec![whole(path, (before, after), rule, readers)];
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
        match (read(path, before), read(path, after)) {
            (Some(was), Some(is)) => {
                let of_key = |mut one: Difference| {
                    one.readers = readers(path, one.key.as_deref(), (before, after));
                    one.script = one.key.as_deref().and_then(|key| script(path, key)).map(str::to_owned);
                    one
                };
                let (was, is) = (mixed::keys(path, &was), mixed::keys(path, &is));
                in_keys(path, &was, &is).into_iter().map(of_key).collect()
            }
            // The unreadable could say anything.
            (None, _) | (_, None) => whole(catalogue().detector(Detector::UnreadableSettings), None),
        }
    } else {
        Vec::new()
    }
}

/// By the packs of a repository, whoever reads the file: who wrote such a rule
/// wants to hear of it. The packs themselves tell trueup how work is checked.
fn by_packs(rules: &Catalogue, path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Vec<Difference> {
    let settings = rules.is_pack(path).then(|| rules.settings());
    let mut found: Vec<Difference> = Vec::new();
    if !is_same(path, before, after) {
        let of_files = settings.into_iter().chain(rules.own_of_path(path));
        found.extend(of_files.map(|rule| whole(path, (before, after), rule, None)));
    }
    for one in rules.own_keys(path) {
        match (read(path, before), read(path, after)) {
            (Some(was), Some(is)) => {
                let [was, is] = [was, is].map(|meaning| mixed::sought(&[one], path, &meaning));
                found.extend(in_keys(path, &was, &is));
            }
            // The unreadable could say anything.
            (None, _) | (_, None) => found.push(whole(path, (before, after), one.0, None)),
        }
    }
    found
}

/// Whether something in a file of this path can decide how checks run, or
/// with which packages, or a pack of the repository asks about it.
pub fn is_protected(rules: &Catalogue, path: &str) -> bool {
    let by_program = protected::is_lock(path) || protected::whole(path).is_some() || mixed::is_mixed(path);
    let mut of_packs = rules.own_of_path(path);
    by_program || rules.is_pack(path) || of_packs.next().is_some() || !rules.own_keys(path).is_empty()
}

/// A file that a rule is about as a whole.
fn whole(
    path: &str,
    (before, after): (Option<&[u8]>, Option<&[u8]>),
    rule: &Rule,
    readers: Option<Readers>,
) -> Difference {
    Difference {
        path: path.to_owned(),
        key: None,
        rule: rule.broken(),
        what: format!("{}; {}", done(before, after), rule.message),
        readers,
        script: None,
    }
}

/// What a file says, which is nothing where it is not there.
fn read(path: &str, bytes: Option<&[u8]>) -> Option<Value> {
    match bytes {
        Some(bytes) => meaning(path, bytes),
        None => Some(Value::Null),
    }
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

fn in_keys(path: &str, before: &Keys<'_>, after: &Keys<'_>) -> Vec<Difference> {
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
            what: format!("`{key}` was {done}; {}", rule.message),
            readers: None,
            script: None,
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
