//! Files that a test is about: those it is named after, and those it imports.

use super::clue_words::captured;
use crate::code::Language;
use regex::Regex;
use std::sync::LazyLock;

static PYTHON: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*(?:from\s+([\w.]+)\s+import\b|import\s+([\w.]+))").ok());
static PYTHON_NAMES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*from\s+([\w.]+)\s+import\s+\(?\s*(\w+)").ok());
static SCRIPT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:from\s*|import\s*\(?\s*|require\(\s*|mock\(\s*)["']([^"'\n]+)["']"#).ok());
static RUST: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?m)\b(?:crate|super|\w+)((?:::\w+)+)").ok());

/// The name of a file without folders and endings, and without what marks tests.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// What a test is named after.
fn subject(test: &str) -> &str {
    let stem = stem(test);
    let stem = stem.strip_prefix("test_").unwrap_or(stem);
    stem.strip_suffix("_test")
        .or_else(|| stem.strip_suffix("_tests"))
        .unwrap_or(stem)
}

/// The files of code that are called as the test is.
pub(super) fn neighbours<'a>(test: &str, code: &[&'a str]) -> Vec<&'a str> {
    let subject = plain(subject(test));
    let is_alike = |path: &&&str| {
        !subject.is_empty()
            && plain(stem(path)) == subject
            && Language::of(path).map(family) == Language::of(test).map(family)
    };
    code.iter().filter(is_alike).copied().collect()
}

/// Without what tells nothing: `_private`, `kebab-case`, capitals.
fn plain(stem: &str) -> String {
    let letters = stem.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Languages that import each other.
const fn family(language: Language) -> u8 {
    match language {
        Language::Python => 0,
        Language::JavaScript | Language::TypeScript | Language::Tsx => 1,
        Language::Rust => 2,
        Language::Go => 3,
    }
}

/// The files of code that a test imports.
pub(super) fn imported<'a>(test: &str, text: &str, code: &[&'a str]) -> Vec<&'a str> {
    let mut found: Vec<&'a str> = match Language::of(test) {
        Some(Language::Python) => python(text, code),
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => script(test, text, code),
        Some(Language::Rust) => rust(text, code),
        Some(Language::Go) => beside(test, code),
        None => Vec::new(),
    };
    found.sort_unstable();
    found.dedup();
    found
}

fn python<'a>(text: &str, code: &[&'a str]) -> Vec<&'a str> {
    let mut modules: Vec<String> = captured(PYTHON.as_ref(), text);
    let joined = PYTHON_NAMES.iter().flat_map(|names| names.captures_iter(text));
    modules.extend(joined.filter_map(|found| Some(format!("{}.{}", found.get(1)?.as_str(), found.get(2)?.as_str()))));
    let ends: Vec<String> = modules
        .iter()
        .map(|module| module.trim_matches('.').replace('.', "/"))
        .filter(|path| !path.is_empty())
        .collect();
    let is_meant = |path: &&&str| {
        let module = path.strip_suffix("/__init__.py").or_else(|| path.strip_suffix(".py"));
        module.is_some_and(|module| {
            ends.iter()
                .any(|end| module == end || module.ends_with(&format!("/{end}")))
        })
    };
    code.iter().filter(is_meant).copied().collect()
}

fn script<'a>(test: &str, text: &str, code: &[&'a str]) -> Vec<&'a str> {
    let from: Vec<&str> = test.split('/').collect();
    let folder = from.get(..from.len().saturating_sub(1)).unwrap_or_default();
    let mut found = Vec::new();
    for wanted in captured(SCRIPT.as_ref(), text)
        .iter()
        .filter(|wanted| wanted.starts_with('.'))
    {
        let mut parts: Vec<&str> = folder.to_vec();
        for part in wanted.split('/') {
            match part {
                "." | "" => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let place = parts.join("/");
        let bare = place
            .strip_suffix(".js")
            .or_else(|| place.strip_suffix(".mjs"))
            .unwrap_or(&place)
            .to_owned();
        let index = if bare.is_empty() {
            "index".to_owned()
        } else {
            format!("{bare}/index")
        };
        let is_meant = |path: &&&str| {
            let without = path.rsplit_once('.').map_or("", |(before, _)| before);
            **path == place || without == bare || without == place || without == index
        };
        found.extend(code.iter().filter(is_meant).copied());
    }
    found
}

/// The modules on the paths that a test names, and what a crate begins with.
fn rust<'a>(text: &str, code: &[&'a str]) -> Vec<&'a str> {
    let paths = captured(RUST.as_ref(), text);
    let names: Vec<&str> = paths
        .iter()
        .flat_map(|path| path.split("::"))
        .filter(|name| !name.is_empty())
        .collect();
    let is_meant = |path: &&&str| match path.rsplit_once('/') {
        Some((folder, "mod.rs")) => names.contains(&stem(folder)),
        Some((_, "lib.rs")) => true,
        Some(_) | None => path.ends_with(".rs") && names.contains(&stem(path)),
    };
    code.iter().filter(is_meant).copied().collect()
}

/// The files of the same package.
fn beside<'a>(test: &str, code: &[&'a str]) -> Vec<&'a str> {
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(folder, _)| folder.to_owned())
    };
    let here = folder(test);
    code.iter()
        .filter(|path| path.ends_with(".go") && folder(path) == here)
        .copied()
        .collect()
}
