//! The packages that a file names, each with its versions.

use super::request::toml;
use crate::rules::{meaning::meaning, paths::fits};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// PackageVersions by name, each with its versions as they are written.
pub(super) type PackageVersions = BTreeMap<String, BTreeSet<String>>;

/// The packages that a file names, if such files are known and it can be read.
pub(super) fn listed(path: &str, bytes: &[u8]) -> Option<PackageVersions> {
    let text = || std::str::from_utf8(bytes).ok();
    let pairs = if ["Cargo.lock", "uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"]
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
    for (name, version) in pairs {
        packages.entry(name).or_default().insert(version);
    }
    Some(packages)
}

/// A name and a version.
type Pair = (String, String);

/// Of a lock file with one table for each package.
fn tables(meaning: &Value) -> Vec<Pair> {
    let lists = ["package", "packages"]
        .into_iter()
        .filter_map(|key| meaning.get(key)?.as_array());
    let pair = |package: &Value| {
        let text = |key| package.get(key).and_then(Value::as_str);
        Some((text("name")?.to_owned(), text("version").unwrap_or_default().to_owned()))
    };
    lists.flatten().filter_map(pair).collect()
}

/// Of npm's: the last name of each place.
fn installed(meaning: &Value) -> Vec<Pair> {
    let places = meaning.get("packages").and_then(Value::as_object).into_iter().flatten();
    let pair = |(place, package): (&String, &Value)| {
        let (_, name) = place.rsplit_once("node_modules/")?;
        let version = package.get("version").and_then(Value::as_str).unwrap_or_default();
        Some((name.to_owned(), version.to_owned()))
    };
    places.filter_map(pair).collect()
}

/// Of pnpm's: `name@version`, with a slash before it in older ones.
fn addressed(meaning: &Value) -> Vec<Pair> {
    let places = meaning.get("packages").and_then(Value::as_object).into_iter().flatten();
    let pair = |(place, _): (&String, &Value)| {
        let place = place.trim_start_matches('/').split('(').next()?;
        let (name, version) = place.rsplit_once('@').filter(|(name, _)| !name.is_empty())?;
        Some((name.to_owned(), version.to_owned()))
    };
    places.filter_map(pair).collect()
}

/// Of tables that hold a version, or a table with one, under each name.
fn named(meaning: &Value, keys: &[&str]) -> Vec<Pair> {
    let found = keys.iter().filter_map(|key| meaning.get(*key)?.as_object());
    let pair = |(name, value): (&String, &Value)| {
        let version = value.as_str().or_else(|| value.get("version")?.as_str());
        (name.clone(), version.map_or_else(|| value.to_string(), str::to_owned))
    };
    found.flatten().map(pair).collect()
}

/// Of a `pyproject.toml`, by its standard keys and by Poetry's.
fn required(meaning: &Value) -> Vec<Pair> {
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
    let mut pairs: Vec<Pair> = texts.filter_map(requirement).collect();
    let poetry = meaning.pointer("/tool/poetry");
    pairs.extend(
        poetry
            .map(|own| named(own, &["dependencies", "dev-dependencies"]))
            .unwrap_or_default(),
    );
    let groups = poetry
        .and_then(|own| own.get("group")?.as_object())
        .into_iter()
        .flatten();
    pairs.extend(groups.flat_map(|(_, group)| named(group, &["dependencies"])));
    pairs
}

/// A requirement of Python's: a name, and what is asked of it.
fn requirement(line: &str) -> Option<Pair> {
    let line = line.split(" #").next()?.trim();
    let end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && !"._-".contains(letter));
    let (name, rest) = line.split_at(end.unwrap_or(line.len()));
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    is_name.then(|| (name.to_owned(), rest.trim().to_owned()))
}

/// A line of a name and a version.
fn words(line: &str) -> Option<Pair> {
    let mut words = line.split_whitespace();
    Some((words.next()?.to_owned(), words.next()?.to_owned()))
}
