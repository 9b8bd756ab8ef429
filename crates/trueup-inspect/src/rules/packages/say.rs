//! Which files of a tree can have a say in what a preparation leaves.

use super::request::HOOKS;
use crate::{
    code::Language,
    rules::{Files, calls::calls, meaning::meaning, paths::fits, protected},
};
use serde_json::Value;
use trueup_core::{digest::Digest, ground::Preparation};

/// How files end that are prose or pictures.
const PROSE: [&str; 12] = [
    ".md", ".rst", ".adoc", ".html", ".css", ".scss", ".svg", ".png", ".jpg", ".gif", ".ico", ".snap",
];

/// Programs that leave what the tree names, and execute nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetcher {
    /// `cargo fetch`, `go mod download`, `go build std`: they read manifests alone.
    Manifests,
    /// `npm ci`, which executes what manifests and settings name.
    Npm,
}

impl Fetcher {
    /// The fetcher that a preparation comes down to, if it is one.
    pub fn of(preparation: &Preparation) -> Option<Self> {
        let called = calls(&preparation.argv, &|_| None);
        let [call] = called.as_slice() else {
            return None;
        };
        // A variable can have any program load a file of the tree.
        let is_plain = preparation.env.is_empty() && preparation.secret_env.is_empty();
        match (call.program(), call.verb()) {
            ("cargo", "fetch") if is_plain => Some(Self::Manifests),
            ("go", "mod") if is_plain && (call.says("download") || call.says("verify")) => Some(Self::Manifests),
            // An option could name a program of the tree that takes part, and so could a variable.
            ("go", "build") if is_plain && call.arguments() == ["build", "std"] && !steers_go(preparation) => {
                Some(Self::Manifests)
            }
            ("npm", "ci") if is_plain && !preparation.pass_env.iter().any(|name| name == "NODE_OPTIONS") => {
                Some(Self::Npm)
            }
            _ => None,
        }
    }

    /// Everything of a tree that can have a say in what it fetches: two trees
    /// that agree on it are prepared alike. `objects` names the content of each
    /// path. Code and prose may differ, unless a manifest has code executed.
    pub fn say(self, objects: &[(String, String)], files: Files<'_>) -> Digest {
        let executes = self == Self::Npm && executes_code(objects, files);
        let counts = |(path, _): &&(String, String)| executes || !is_mute(path);
        let counted = objects.iter().filter(counts);
        let fields = counted.flat_map(|(path, object)| [path.as_bytes(), object.as_bytes()]);
        Digest::of_fields(fields)
    }
}

/// Whether variables are handed on that tell Go which programs to call.
fn steers_go(preparation: &Preparation) -> bool {
    let mut names = preparation.pass_env.iter();
    names.any(|name| name.starts_with("GO") || name.starts_with("CGO") || matches!(name.as_str(), "CC" | "CXX"))
}

/// Whether a file says what npm executes.
pub fn is_manifest(path: &str) -> bool {
    fits(path, "package.json")
}

/// Whether npm executes code of the tree while it installs.
fn executes_code(objects: &[(String, String)], files: Files<'_>) -> bool {
    let mut paths = objects.iter().map(|(path, _)| path.as_str());
    paths.any(|path| {
        let is_said = || {
            let read = files(path).and_then(|bytes| meaning(path, &bytes));
            read.is_none_or(|manifest| has_hook(&manifest) || manifest.to_string().contains("file:"))
        };
        fits(path, "binding.gyp") || fits(path, ".npmrc") || is_manifest(path) && is_said()
    })
}

fn has_hook(manifest: &Value) -> bool {
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    scripts.is_some_and(|scripts| HOOKS.iter().any(|hook| scripts.contains_key(*hook)))
}

/// Whether a file is code or prose, which fetchers do not look at.
fn is_mute(path: &str) -> bool {
    let is_code = Language::of(path).is_some() && protected::whole(path).is_none();
    is_code || PROSE.iter().any(|ending| path.ends_with(ending))
}
