//! Files that decide how checks run.

use super::{
    catalogue::{Detector, Rule, catalogue},
    paths::{fits, name},
    shadows::is_shadow,
};

/// Files that say which packages are installed.
const LOCKS: [&str; 20] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "deno.lock",
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pylock.toml",
    "Cargo.lock",
    "go.sum",
    "go.work.sum",
    "Gemfile.lock",
    "composer.lock",
    "mix.lock",
    "flake.lock",
    "gradle.lockfile",
];

/// Why a file is protected as a whole, if it is.
pub(super) fn whole(path: &str) -> Option<&'static Rule> {
    let found = |detector: Detector| catalogue().detector(detector);
    let listed = catalogue().of_path(path);
    listed
        .or_else(|| is_shadow(path).then(|| found(Detector::ShadowsRunner)))
        .or_else(|| is_settings(path).then(|| found(Detector::VariablesForTests)))
}

/// Settings that nobody reads while testing: they show what there is to set,
/// or are for what is delivered.
const SHOWN: [&str; 8] = [
    "example",
    "sample",
    "template",
    "dist",
    "production",
    "prod",
    "staging",
    "preview",
];

/// Whether a file holds settings that tests are run with: `.env`, `.env.test`,
/// `.env.local`, and whatever else is called so.
fn is_settings(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    let rest = name.strip_prefix(".env");
    rest.is_some_and(|rest| {
        let mut parts = rest.split('.');
        parts.next() == Some("") && !parts.any(|part| SHOWN.contains(&part))
    })
}

/// Whether a file says which packages are installed. A copy of the packages
/// kept in the tree says it too.
pub fn is_lock(path: &str) -> bool {
    let installed = fits(path, "vendor/") && whole(path).is_none();
    installed || LOCKS.iter().any(|lock| fits(path, lock)) && !fits(path, "node_modules/")
}
