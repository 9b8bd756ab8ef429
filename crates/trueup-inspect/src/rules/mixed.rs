//! Files of which only some keys decide how checks run.

use super::paths::fits;
use serde_json::Value;
use std::collections::BTreeMap;

/// Which values under a key count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// All of them.
    All,
    /// Packages that come from elsewhere than the registry: under the name of
    /// a runner, such a package can be anything.
    Elsewhere,
}

/// A reason, and the keys it holds for. A `*` stands for any part of a name;
/// a list of tables is entered as if each were meant.
type Row = (&'static str, Which, &'static [&'static str]);

const PACKAGE_JSON: &[Row] = &[
    ("it is what checks call", Which::All, &["scripts", "config", "wireit"]),
    (
        "it configures a runner or what it counts",
        Which::All,
        &["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "babel"],
    ),
    (
        "it configures a linter",
        Which::All,
        &[
            "eslintConfig",
            "eslintIgnore",
            "prettier",
            "stylelint",
            "xo",
            "standard",
        ],
    ),
    (
        "it decides which file is loaded under a name",
        Which::All,
        &["bin", "exports", "imports", "browser", "_moduleAliases"],
    ),
    (
        "it replaces packages by others",
        Which::All,
        &[
            "overrides",
            "resolutions",
            "pnpm",
            "packageManager",
            "volta",
            "dependenciesMeta",
        ],
    ),
    (
        "it installs something else under that name",
        Which::Elsewhere,
        &[
            "dependencies",
            "devDependencies",
            "optionalDependencies",
            "peerDependencies",
        ],
    ),
];

const PYPROJECT: &[Row] = &[
    (
        "it decides how tests are collected, run and counted",
        Which::All,
        &[
            "tool.pytest*",
            "tool.coverage*",
            "tool.tox",
            "tool.nox",
            "tool.hatch.envs",
            "tool.poe",
            "tool.taskipy",
            "tool.pdm.scripts",
        ],
    ),
    (
        "it decides what a linter or type checker looks at",
        Which::All,
        &[
            "tool.ruff*",
            "tool.mypy*",
            "tool.pyright",
            "tool.basedpyright",
            "tool.pylint*",
            "tool.flake8",
            "tool.black",
            "tool.isort",
            "tool.ty",
        ],
    ),
    (
        "it decides what is built and installed",
        Which::All,
        &["build-system", "tool.uv.sources", "tool.uv.override-dependencies"],
    ),
    (
        "it adds plugins to the runner",
        Which::All,
        &["project.entry-points", "tool.poetry.plugins"],
    ),
    (
        "it takes the name of a program that checks call",
        Which::All,
        &[
            "project.scripts.py*",
            "project.scripts.ruff",
            "project.scripts.mypy",
            "project.scripts.coverage",
            "project.scripts.tox",
        ],
    ),
];

const CARGO: &[Row] = &[
    (
        "it decides which tests cargo runs, and with which harness",
        Which::All,
        &[
            "test",
            "bench",
            "package.autotests",
            "package.autobenches",
            "lib.test",
            "lib.doctest",
            "lib.harness",
            "lib.path",
            "bin.test",
            "bin.harness",
            "example.test",
            "example.harness",
            "package.metadata.nextest",
        ],
    ),
    (
        "it decides how everything is compiled",
        Which::All,
        &["profile", "package.build", "cargo-features"],
    ),
    (
        "it decides which faults the compiler tells",
        Which::All,
        &["lints", "workspace.lints"],
    ),
    ("it replaces packages by others", Which::All, &["patch", "replace"]),
    (
        "it leaves packages out",
        Which::All,
        &["workspace.exclude", "workspace.default-members"],
    ),
];

const SETUP_CFG: &[Row] = &[
    (
        "it decides how tests are collected, run and counted",
        Which::All,
        &["tool:*", "coverage*", "aliases", "options.entry_points"],
    ),
    (
        "it decides what a linter or type checker looks at",
        Which::All,
        &["flake8*", "mypy*", "pylint*", "isort", "pycodestyle"],
    ),
];

const GO_MOD: &[Row] = &[(
    "it replaces modules or tools by others",
    Which::All,
    &["replace", "exclude", "toolchain", "godebug"],
)];

const VARIABLES: &[Row] = &[(
    "it changes the options tools are started with",
    Which::All,
    &[
        "NODE_OPTIONS",
        "NODE_PATH",
        "NODE_ENV",
        "PYTHON*",
        "PYTEST*",
        "COVERAGE*",
        "LD_*",
        "DYLD_*",
        "PATH",
        "RUSTFLAGS",
        "RUSTC*",
        "RUST_TEST*",
        "RUSTUP_*",
        "RUSTDOCFLAGS",
        "CARGO*",
        "NEXTEST*",
        "GOFLAGS",
        "GOROOT",
        "GOPATH",
        "GOTEST*",
        "GOTOOLCHAIN",
        "GOENV",
        "GODEBUG",
        "JEST*",
        "VITEST*",
        "MOCHA*",
        "CI",
        "BASH_ENV",
        "ENV",
        "SHELL",
        "MAKEFLAGS",
        "NPM_CONFIG*",
        "npm_config*",
        "TOX*",
        "INSTA_*",
        "TRUEUP*",
    ],
)];

const COMPOSER: &[Row] = &[("it is what checks call", Which::All, &["scripts"])];

const DENO: &[Row] = &[(
    "it decides how tests are run and what they import",
    Which::All,
    &["tasks", "test", "lint", "imports", "exclude"],
)];

/// Every mixed file with its keys. Keys of a file without sections lie in the
/// section without a name.
const FILES: [(&str, &[Row]); 8] = [
    ("package.json", PACKAGE_JSON),
    ("pyproject.toml", PYPROJECT),
    ("Cargo.toml", CARGO),
    ("setup.cfg", SETUP_CFG),
    ("go.mod", GO_MOD),
    (".env*", VARIABLES),
    ("composer.json", COMPOSER),
    ("deno.json*", DENO),
];

/// A key that counts, with its value and why it counts.
pub(super) type Keys = BTreeMap<String, (Value, &'static str)>;

/// Whether only some keys of a file count.
pub(super) fn is_mixed(path: &str) -> bool {
    FILES.iter().any(|(pattern, _)| fits(path, pattern))
}

/// The keys of a file that decide how checks run.
pub(super) fn keys(path: &str, meaning: &Value) -> Keys {
    let mut keys = Keys::new();
    let rows = FILES.iter().find(|(pattern, _)| fits(path, pattern));
    let unnamed = if fits(path, ".env*") { meaning.get("") } else { None };
    for (why, which, patterns) in rows.into_iter().flat_map(|(_, rows)| rows.iter()) {
        for pattern in *patterns {
            // A name of setup.cfg's sections may hold a dot itself.
            let segments: Vec<&str> = if fits(path, "setup.cfg") {
                vec![pattern]
            } else {
                pattern.split('.').collect()
            };
            let mut found = Vec::new();
            select(unnamed.unwrap_or(meaning), &segments, String::new(), &mut found);
            for (key, value) in found {
                apart(key, value, (why, *which), &mut keys);
            }
        }
    }
    keys
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
fn apart(key: String, value: &Value, (why, which): (&'static str, Which), keys: &mut Keys) {
    let counts = |value: &Value| match which {
        Which::All => true,
        Which::Elsewhere => value.as_str().is_some_and(is_elsewhere),
    };
    match value {
        Value::Object(table) => {
            let inner = table.iter().filter(|(_, value)| counts(value));
            keys.extend(inner.map(|(name, value)| (format!("{key}.{name}"), (value.clone(), why))));
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            let inner = list.iter().enumerate();
            keys.extend(inner.map(|(at, value)| (format!("{key}.{}", title(value, at)), (value.clone(), why))));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            if counts(value) {
                keys.insert(key, (value.clone(), why));
            }
        }
    }
}

/// Whether a version is no version but a place to install from.
fn is_elsewhere(version: &str) -> bool {
    let is_ours = version.starts_with("workspace:") || version.starts_with("catalog:");
    !is_ours && version.contains([':', '/'])
}
