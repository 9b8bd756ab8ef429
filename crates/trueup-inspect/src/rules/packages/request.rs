//! What of a file decides what is installed.

use crate::rules::{meaning::meaning, paths::fits};
use serde_json::{Map, Value};
use trueup_core::digest::Digest;

/// What a file asks to be installed: two equal ones install the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Request(Value);

impl Request {
    /// The name of exactly this request.
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.to_string().as_bytes())
    }
}

/// What people and tools read of a project, and no installer does.
const DESCRIBING: [&str; 13] = [
    "project.version",
    "project.description",
    "project.readme",
    "project.keywords",
    "project.classifiers",
    "project.urls",
    "project.authors",
    "project.maintainers",
    "project.license",
    "project.license-files",
    "tool.poetry.version",
    "tool.poetry.description",
    "tool.poetry.readme",
];

/// Tools whose settings in a `pyproject.toml` install nothing.
const TOOLS: [&str; 26] = [
    "pytest",
    "pytest-enabler",
    "coverage",
    "ruff",
    "black",
    "isort",
    "mypy",
    "pyright",
    "basedpyright",
    "ty",
    "pyrefly",
    "pylint",
    "flake8",
    "bandit",
    "codespell",
    "typos",
    "interrogate",
    "vulture",
    "towncrier",
    "semantic_release",
    "bumpversion",
    "commitizen",
    "tox",
    "nox",
    "mutmut",
    "cibuildwheel",
];

/// Tables of a `package.json` that say what is installed.
const NODE: [&str; 17] = [
    "name",
    "dependencies",
    "devDependencies",
    "optionalDependencies",
    "peerDependencies",
    "peerDependenciesMeta",
    "bundleDependencies",
    "bundledDependencies",
    "dependenciesMeta",
    "overrides",
    "resolutions",
    "workspaces",
    "pnpm",
    "packageManager",
    "engines",
    "os",
    "cpu",
];

/// Scripts that an installation runs.
pub(in crate::rules) const HOOKS: [&str; 9] = [
    "pnpm:devPreinstall",
    "preinstall",
    "install",
    "postinstall",
    "prepublish",
    "preprepare",
    "prepare",
    "postprepare",
    "dependencies",
];

/// Tables of a `Cargo.toml` that say which packages are fetched.
const CARGO: [&str; 8] = [
    "dependencies",
    "dev-dependencies",
    "build-dependencies",
    "dev_dependencies",
    "build_dependencies",
    "target",
    "patch",
    "replace",
];

/// Directives of a `go.mod` that say which modules are taken from where, and by
/// which toolchain.
const GO: [&str; 5] = ["require", "replace", "exclude", "toolchain", "tool"];

/// What a file asks to be installed. Of a file that is not known, or cannot be
/// read, everything counts.
pub fn request(path: &str, bytes: &[u8]) -> Request {
    let read = if fits(path, "pyproject.toml") {
        meaning(path, bytes).map(python)
    } else if fits(path, "package.json") {
        meaning(path, bytes).map(|meaning| node(&meaning))
    } else if fits(path, "Cargo.toml") {
        meaning(path, bytes).map(|meaning| cargo(&meaning))
    } else if fits(path, "go.mod") {
        meaning(path, bytes).map(|meaning| Value::Object(some(&meaning, &GO)))
    } else if fits(path, "Cargo.lock") {
        toml(bytes).and_then(|meaning| cargo_lock(&meaning))
    } else if fits(path, "uv.lock") {
        toml(bytes).map(uv_lock)
    } else if fits(path, "package-lock.json") {
        meaning(path, bytes).map(npm_lock)
    } else {
        None
    };
    Request(read.unwrap_or_else(|| Value::String(Digest::of(bytes).as_str().to_owned())))
}

/// Everything but what is known to install nothing: a build can read the rest.
fn python(mut meaning: Value) -> Value {
    for key in DESCRIBING {
        remove(&mut meaning, &key.split('.').collect::<Vec<_>>());
    }
    for tool in TOOLS {
        remove(&mut meaning, &["tool", tool]);
    }
    meaning
}

/// Takes a key out of tables within tables, and a table that holds nothing then.
fn remove(value: &mut Value, path: &[&str]) {
    let (Value::Object(table), Some((first, rest))) = (value, path.split_first()) else {
        return;
    };
    if rest.is_empty() {
        table.remove(*first);
    } else if let Some(inner) = table.get_mut(*first) {
        remove(inner, rest);
        if inner.as_object().is_some_and(Map::is_empty) {
            table.remove(*first);
        }
    }
}

fn node(meaning: &Value) -> Value {
    let mut asked = some(meaning, &NODE);
    let hooks = meaning.get("scripts").map(|scripts| some(scripts, &HOOKS));
    asked.extend(
        hooks
            .into_iter()
            .flatten()
            .map(|(name, hook)| (format!("scripts.{name}"), hook)),
    );
    Value::Object(asked)
}

fn cargo(meaning: &Value) -> Value {
    let mut asked = some(meaning, &CARGO);
    let workspace = meaning
        .get("workspace")
        .map(|own| some(own, &["members", "exclude", "dependencies"]));
    asked.extend(
        workspace
            .into_iter()
            .flatten()
            .map(|(name, value)| (format!("workspace.{name}"), value)),
    );
    Value::Object(asked)
}

fn some(meaning: &Value, keys: &[&str]) -> Map<String, Value> {
    let found = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), meaning.get(*key)?.clone())));
    found.collect()
}

/// The packages that come from somewhere else: the tree's own are not fetched.
fn cargo_lock(meaning: &Value) -> Option<Value> {
    let packages = meaning.get("package")?.as_array()?;
    let fetched = packages.iter().filter(|package| package.get("source").is_some());
    Some(Value::Array(fetched.cloned().collect()))
}

/// Everything but the versions of the tree's own packages.
fn uv_lock(mut meaning: Value) -> Value {
    let packages = meaning.get_mut("package").and_then(Value::as_array_mut);
    for package in packages.into_iter().flatten() {
        let source = package.get("source");
        let is_own = source.is_some_and(|source| source.get("editable").is_some() || source.get("virtual").is_some());
        if is_own {
            remove(package, &["version"]);
        }
    }
    meaning
}

/// Everything but what the tree's own package is called, and its version.
fn npm_lock(mut meaning: Value) -> Value {
    for path in [
        &["name"][..],
        &["version"],
        &["packages", "", "name"],
        &["packages", "", "version"],
    ] {
        remove(&mut meaning, path);
    }
    meaning
}

/// What a lock file says that is spelled as TOML.
pub(super) fn toml(bytes: &[u8]) -> Option<Value> {
    toml::from_str(std::str::from_utf8(bytes).ok()?).ok()
}
