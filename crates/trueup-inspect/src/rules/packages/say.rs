//! Which files of a tree can have a say in what a preparation leaves.

use super::request::HOOKS;
use crate::{
    code::Language,
    rules::{
        Files,
        calls::{Call, calls},
        meaning::meaning,
        paths::fits,
    },
};
use serde_json::Value;
use std::collections::BTreeSet;
use trueup_core::digest::Digest;

/// Programs that execute no file of the tree, whatever lies in it.
const READERS: [(&str, &[&str]); 4] = [
    ("cargo", &["fetch", "vendor"]),
    ("go", &["mod"]),
    ("venv", &[]),
    ("virtualenv", &[]),
];

/// Installers that execute files of the tree where a manifest says so.
const NODE: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
const PYTHON: [&str; 5] = ["pip", "pip3", "uv", "poetry", "pdm"];

/// Words of prose and pictures.
const PROSE: [&str; 12] = [
    ".md", ".rst", ".adoc", ".html", ".css", ".scss", ".svg", ".png", ".jpg", ".gif", ".ico", ".snap",
];

/// Everything of a tree that can have a say in what a command installs: two
/// trees that agree on it are prepared alike. `objects` names the content of
/// each path. Installers that are known execute no code of the tree unless a
/// manifest says so, so code may change; of a command that is not known every
/// file counts.
pub fn say(argv: &[String], objects: &[(String, String)], files: Files<'_>) -> Digest {
    let executes = |installer: KnownInstaller| installer.executes(objects, files);
    let only_copies = installers(argv).is_some_and(|found| !found.into_iter().any(executes));
    let mut fields: Vec<&str> = Vec::new();
    let mut folders = BTreeSet::new();
    for (path, object) in objects {
        match only_copies && is_mute(path) {
            // Where code lies can decide how a project is linked into what is installed.
            true => drop(folders.insert(path.rsplit_once('/').map_or("", |(folder, _)| folder))),
            false => fields.extend([path.as_str(), object.as_str()]),
        }
    }
    fields.push("");
    fields.extend(folders);
    Digest::of_fields(fields.into_iter().map(str::as_bytes))
}

/// Whether a file can say what an installer executes.
pub fn is_manifest(path: &str) -> bool {
    fits(path, "package.json") || fits(path, "pyproject.toml")
}

/// A known program that installs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownInstaller {
    Reader,
    Node,
    Python,
}

impl KnownInstaller {
    /// Whether it executes code of the tree.
    fn executes(self, objects: &[(String, String)], files: Files<'_>) -> bool {
        let paths = objects.iter().map(|(path, _)| path.as_str());
        let says = |name: &'static str, executes: fn(&Value) -> bool| {
            let mut manifests = paths.clone().filter(move |path| fits(path, name));
            manifests.any(|path| {
                let read = files(path).and_then(|bytes| meaning(path, &bytes));
                read.is_none_or(|meaning| executes(&meaning))
            })
        };
        match self {
            Self::Reader => false,
            Self::Node => says("package.json", has_hook),
            Self::Python => {
                paths.clone().any(|path| fits(path, "setup.py")) || says("pyproject.toml", builds_from_code)
            }
        }
    }
}

/// The installers that a command comes down to; nothing where it calls
/// something else, or copies code of the tree into what it installs.
fn installers(argv: &[String]) -> Option<Vec<KnownInstaller>> {
    let called = calls(argv, &|_| None);
    let found: Option<Vec<KnownInstaller>> = called.iter().map(installer).collect();
    found.filter(|found| !found.is_empty())
}

fn installer(call: &Call) -> Option<KnownInstaller> {
    let (program, verb) = (call.program(), call.verb());
    let is_reader = |(name, verbs): &(&str, &[&str])| *name == program && (verbs.is_empty() || verbs.contains(&verb));
    if READERS.iter().any(is_reader) {
        Some(KnownInstaller::Reader)
    } else if NODE.contains(&program) && matches!(verb, "ci" | "install" | "i") {
        Some(KnownInstaller::Node)
    } else if PYTHON.contains(&program) && matches!(verb, "install" | "sync" | "pip") && !copies(call) {
        Some(KnownInstaller::Python)
    } else {
        None
    }
}

/// Whether a project of the tree is installed as a copy instead of a link.
fn copies(call: &Call) -> bool {
    let arguments = call.arguments();
    let mut before = "";
    let mut is_copied = call.says("--no-editable");
    for argument in arguments {
        let is_place = argument.starts_with(['.', '/']) || argument.contains("file:");
        is_copied |= is_place
            && !matches!(
                before,
                "-e" | "--editable" | "-r" | "--requirement" | "-c" | "--directory"
            );
        before = argument;
    }
    is_copied
}

fn has_hook(manifest: &Value) -> bool {
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    scripts.is_some_and(|scripts| HOOKS.iter().any(|hook| scripts.contains_key(*hook)))
}

/// Whether a build of the project executes or reads its code: to learn its
/// version, or because the program that builds it lies in the tree.
fn builds_from_code(manifest: &Value) -> bool {
    let has = |pointer| manifest.pointer(pointer).is_some();
    has("/project/dynamic")
        || has("/build-system/backend-path")
        || has("/tool/poetry/build")
        || has("/tool/hatch/build/hooks")
}

/// Whether a file is code or prose, which known installers only copy.
fn is_mute(path: &str) -> bool {
    Language::of(path).is_some() && !fits(path, "build.rs") || PROSE.iter().any(|ending| path.ends_with(ending))
}
