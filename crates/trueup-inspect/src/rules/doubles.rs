//! New files that take another's place because of how names are looked up.
//!
//! An import names a module, not a file: `./price` is `price.mjs` before it is
//! `price.ts`, and `price` is `price/__init__.py` before it is `price.py`. Who
//! lays the first beside the second has changed what is tested without a change
//! of what is there. A new file that loses against the other is no double.

use super::{
    catalogue::{Detector, catalogue},
    paths::name,
};
use trueup_core::rule::BrokenRule;

/// Endings of JavaScript's modules. Which comes first is decided by each tool
/// in its own way, so that each can take the place of each.
const SCRIPTS: [&str; 12] = [
    "mjs", "js", "cjs", "mts", "ts", "cts", "jsx", "tsx", "json", "node", "wasm", "vue",
];

/// What is compiled, and what it is compiled from: a program that is there
/// already need not be built.
const BUILT: [(&[&str], &[&str]); 4] = [
    (
        &["", "o", "obj", "lo", "a", "so", "dylib", "dll", "exe", "s", "S"],
        &["c", "cc", "cpp", "cxx", "m"],
    ),
    (&["gch", "pch"], &[""]),
    (&["class"], &["java", "kt"]),
    (&["syso"], &["go"]),
];

/// Folders of sources, whose modules are imported by their bare names.
const SOURCES: [&str; 4] = ["", "src/", "lib/", "python/"];

/// An added file that takes the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Double {
    /// The added file.
    pub path: String,
    /// The rule that it breaks, at its usual level.
    pub rule: BrokenRule,
    /// What it does.
    pub what: String,
}

/// Added files that take the place of a file that is there, with what they do.
/// `there` answers whether the tree that holds the added files holds a file: one
/// that was moved away is not there any more.
pub fn doubles(added: &[&str], there: &dyn Fn(&str) -> bool) -> Vec<Double> {
    let rule = catalogue().detector(Detector::TakesPlaceOfFile);
    let told = |path: &&str| {
        let other = script(path, there)
            .or_else(|| python(path, there))
            .or_else(|| built(path, there))?;
        Some(Double {
            path: (*path).to_owned(),
            rule: rule.broken(),
            what: format!("beside `{other}` it {}", rule.message),
        })
    };
    added.iter().filter_map(told).collect()
}

/// The folder of a path with its slash, the stem of its name, and its ending.
fn parts(path: &str) -> (&str, &str, &str) {
    let name = name(path);
    let folder = path.strip_suffix(name).unwrap_or_default();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    (folder, stem, ending)
}

fn first(paths: impl IntoIterator<Item = String>, there: &dyn Fn(&str) -> bool) -> Option<String> {
    paths.into_iter().find(|path| there(path))
}

/// `price.mjs` beside `price.ts`, or beside the folder `price/` with its index.
/// A folder never comes before a file, and no data before plain JavaScript.
fn script(path: &str, there: &dyn Fn(&str) -> bool) -> Option<String> {
    let (folder, stem, ending) = parts(path);
    // `price.d.ts` says what the types of something else are.
    if !SCRIPTS.contains(&ending) || stem.is_empty() || stem.ends_with(".d") {
        return None;
    }
    let loses = |other: &str| {
        matches!(
            (ending, other),
            ("json" | "node" | "wasm", "js") | ("vue", _) | (_, "vue")
        )
    };
    let others = SCRIPTS.iter().filter(|other| **other != ending && !loses(other));
    let beside = others.map(|other| format!("{folder}{stem}.{other}"));
    let inside = SCRIPTS.iter().map(|other| format!("{folder}{stem}/index.{other}"));
    first(beside.chain(inside), there)
}

/// `price/__init__.py` or a compiled `price` beside `price.py`; or the same
/// module in another folder that imports look into.
fn python(path: &str, there: &dyn Fn(&str) -> bool) -> Option<String> {
    let (folder, module, is_source) = python_module(path)?;
    let source = format!("{folder}{module}.py");
    if !is_source && there(&source) {
        return Some(source);
    }
    let of_tests = matches!(folder, "tests/" | "test/");
    // A folder of tests that is a package is none that imports look into.
    if !of_tests && !SOURCES.contains(&folder) || of_tests && there(&format!("{folder}__init__.py")) {
        return None;
    }
    let elsewhere = SOURCES.iter().filter(|source| **source != folder);
    let others = elsewhere.flat_map(|source| [format!("{source}{module}/__init__.py"), format!("{source}{module}.py")]);
    first(others, there)
}

/// The folder a module of Python is looked for in, its name, and whether it is
/// a plain file of source, which comes after all others.
fn python_module(path: &str) -> Option<(&str, &str, bool)> {
    let (folder, stem, ending) = parts(path);
    match (stem, ending) {
        ("__init__", "py" | "pyc") => {
            let package = folder.trim_end_matches('/');
            let module = name(package);
            (!module.is_empty()).then(|| (package.strip_suffix(module).unwrap_or_default(), module, false))
        }
        (_, "py") => Some((folder, stem, true)),
        // `price.cpython-312-x86_64-linux-gnu.so`
        (_, "so" | "pyd") => Some((folder, stem.split('.').next().unwrap_or(stem), false)),
        _ => None,
    }
}

/// What was built beside what it is built from.
fn built(path: &str, there: &dyn Fn(&str) -> bool) -> Option<String> {
    let (folder, stem, ending) = parts(path);
    let rows = BUILT.iter().filter(|(built, _)| built.contains(&ending));
    let sources = rows.flat_map(|(_, sources)| sources.iter());
    let beside = sources.map(|source| match *source {
        "" => format!("{folder}{stem}"),
        source => format!("{folder}{stem}.{source}"),
    });
    first(beside, there)
}
