//! The packages that a file names, each with its versions.

use super::request::toml;
use crate::rules::{meaning::meaning, paths::fits};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The versions of a package as they are written, each with every place that it
/// comes from as far as the file says it.
pub(super) type Versions = BTreeMap<String, BTreeSet<String>>;

/// Packages by name.
pub(super) type PackageVersions = BTreeMap<String, Versions>;

/// The packages that a file names, if such files are known and it can be read.
pub(super) fn listed(path: &str, bytes: &[u8]) -> Option<PackageVersions> {
    let text = || std::str::from_utf8(bytes).ok();
    let entries = if ["Cargo.lock", "uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"]
        .iter()
        .any(|lock| fits(path, lock))
    {
        tables(&toml(bytes)?)
    } else if fits(path, "package-lock.json") || fits(path, "npm-shrinkwrap.json") {
        installed(&meaning(path, bytes)?)
    } else if fits(path, "pnpm-lock.yaml") {
        addressed(&meaning(path, bytes)?)
    } else if fits(path, "package.json") {
        let tables = [
            "dependencies",
            "devDependencies",
            "optionalDependencies",
            "peerDependencies",
        ];
        named(&meaning(path, bytes)?, &tables)
    } else if fits(path, "Cargo.toml") {
        let meaning = meaning(path, bytes)?;
        let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
        let shared = meaning.get("workspace").map(|own| named(own, &tables));
        named(&meaning, &tables)
            .into_iter()
            .chain(shared.into_iter().flatten())
            .collect()
    } else if fits(path, "pyproject.toml") {
        required(&meaning(path, bytes)?)
    } else if fits(path, "requirements*.txt") {
        text()?.lines().filter_map(requirement).collect()
    } else if fits(path, "go.mod") {
        let meaning = meaning(path, bytes)?;
        let lines = meaning.get("require").and_then(Value::as_object).into_iter().flatten();
        lines.filter_map(|(line, _)| words(line)).collect()
    } else if fits(path, "go.sum") {
        let whole = text()?.lines().filter(|line| !line.contains("/go.mod "));
        whole.filter_map(words).collect()
    } else {
        return None;
    };
    let mut packages = PackageVersions::new();
    for (name, version, origin) in entries {
        let versions = packages.entry(name).or_default();
        versions.entry(version).or_default().insert(origin);
    }
    Some(packages)
}

/// A name, a version, and where it comes from.
type Entry = (String, String, String);

/// What of an entry says where a package comes from, and what it must be.
fn origin(package: &Value) -> String {
    let keys = [
        "source",
        "checksum",
        "resolved",
        "integrity",
        "link",
        "git",
        "url",
        "path",
        "registry",
    ];
    let said = keys.into_iter().filter_map(|key| Some((key, package.get(key)?)));
    let said = said.map(|(key, value)| match value.as_str() {
        Some(text) => format!("{key} {text}"),
        None => format!("{key} {value}"),
    });
    said.collect::<Vec<_>>().join(", ")
}

/// Of a lock file with one table for each package.
fn tables(meaning: &Value) -> Vec<Entry> {
    let lists = ["package", "packages"]
        .into_iter()
        .filter_map(|key| meaning.get(key)?.as_array());
    let entry = |package: &Value| {
        let text = |key| package.get(key).and_then(Value::as_str);
        let version = text("version").unwrap_or_default().to_owned();
        Some((text("name")?.to_owned(), version, origin(package)))
    };
    lists.flatten().filter_map(entry).collect()
}

/// Of npm's: the last name of each place.
fn installed(meaning: &Value) -> Vec<Entry> {
    let places = meaning.get("packages").and_then(Value::as_object).into_iter().flatten();
    let entry = |(place, package): (&String, &Value)| {
        let (_, name) = place.rsplit_once("node_modules/")?;
        let version = package.get("version").and_then(Value::as_str).unwrap_or_default();
        Some((name.to_owned(), version.to_owned(), origin(package)))
    };
    places.filter_map(entry).collect()
}

/// Of pnpm's: `name@version`, with a slash before it in older ones.
fn addressed(meaning: &Value) -> Vec<Entry> {
    let places = meaning.get("packages").and_then(Value::as_object).into_iter().flatten();
    let entry = |(place, package): (&String, &Value)| {
        let place = place.trim_start_matches('/').split('(').next()?;
        let (name, version) = place.rsplit_once('@').filter(|(name, _)| !name.is_empty())?;
        let origin = package.get("resolution").map(Value::to_string).unwrap_or_default();
        Some((name.to_owned(), version.to_owned(), origin))
    };
    places.filter_map(entry).collect()
}

/// Of tables that hold a version, or a table with one, under each name.
fn named(meaning: &Value, keys: &[&str]) -> Vec<Entry> {
    let found = keys.iter().filter_map(|key| meaning.get(*key)?.as_object());
    let entry = |(name, value): (&String, &Value)| {
        let version = value.as_str().or_else(|| value.get("version")?.as_str());
        let version = version.map_or_else(|| value.to_string(), str::to_owned);
        (name.clone(), version, origin(value))
    };
    found.flatten().map(entry).collect()
}

/// Of a `pyproject.toml`, by its standard keys and by Poetry's.
fn required(meaning: &Value) -> Vec<Entry> {
    let mut lists: Vec<&Value> = Vec::new();
    lists.extend(meaning.pointer("/project/dependencies"));
    lists.extend(meaning.pointer("/build-system/requires"));
    for table in ["/project/optional-dependencies", "/dependency-groups"] {
        lists.extend(
            meaning
                .pointer(table)
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|table| table.values()),
        );
    }
    let texts = lists
        .into_iter()
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str);
    let mut entries: Vec<Entry> = texts.filter_map(requirement).collect();
    let poetry = meaning.pointer("/tool/poetry");
    entries.extend(
        poetry
            .map(|own| named(own, &["dependencies", "dev-dependencies"]))
            .unwrap_or_default(),
    );
    let groups = poetry
        .and_then(|own| own.get("group")?.as_object())
        .into_iter()
        .flatten();
    entries.extend(groups.flat_map(|(_, group)| named(group, &["dependencies"])));
    entries
}

/// A requirement of Python's: a name, and what is asked of it.
fn requirement(line: &str) -> Option<Entry> {
    let line = line.split(" #").next()?.trim();
    let end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && !"._-".contains(letter));
    let (name, rest) = line.split_at(end.unwrap_or(line.len()));
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    is_name.then(|| (name.to_owned(), rest.trim().to_owned(), String::new()))
}

/// A line of a name and a version.
fn words(line: &str) -> Option<Entry> {
    let mut words = line.split_whitespace();
    Some((
        words.next()?.to_owned(),
        words.next()?.to_owned(),
        words.collect::<Vec<_>>().join(" "),
    ))
}
