//! What a repository is built with, as far as its files tell: which checks
//! could be run, what must be prepared before them, and what is not sure.
//!
//! Only what is written down somewhere is found. A guess that may be wrong is
//! a doubt, and a doubt is told, never run.

mod folder;
mod go;
mod java;
mod node;
mod python;
mod reached;
mod recipes;
mod reported;
mod rust;
mod survey;

pub use folder::Listing;
pub use survey::{Command, Doubt, Preparation, Purpose, Reporting, ScriptRunner, Survey, Tool};

use folder::Folder;
use std::collections::BTreeSet;

/// How deep below the root a project is looked for.
const DEEPEST: usize = 3;

/// How many folders are looked at; a repository of more is told so.
const MOST_FOLDERS: usize = 12;

/// A folder that holds one of these may be a project of its own.
const MARKERS: [&str; 14] = [
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
];

/// What lies below these belongs to somebody else, or is there to be looked at,
/// measured or tried.
const NOT_OURS: [&str; 26] = [
    "node_modules",
    "vendor",
    "third_party",
    "target",
    "dist",
    "fixtures",
    "testdata",
    "test-data",
    "examples",
    "example",
    "templates",
    "tasks",
    "doc",
    "docs",
    "website",
    "fuzz",
    "fuzzer",
    "fuzzing",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "test",
    "tests",
    "__tests__",
    "e2e",
];

/// Who looks, in this order. Make and just mostly call the others, so they
/// come last and may be second.
const LOOKS: [fn(&Folder<'_>, &mut Survey); 7] = [
    rust::look,
    node::look,
    python::look,
    go::look,
    java::look,
    recipes::make,
    recipes::just,
];

/// Surveys a repository, the root first and then its folders by name.
pub fn survey(listing: &Listing<'_>) -> Survey {
    let mut survey = Survey::default();
    let mut folders = folders(listing);
    let more = folders.split_off(folders.len().min(MOST_FOLDERS));
    for folder in folders {
        let here = Folder::new(listing, &folder);
        for look in LOOKS {
            let before = survey.clone();
            look(&here, &mut survey);
            // A tool that offers nothing is not worth a word; below the root, one
            // that only installs is not worth what may go wrong.
            let only_installs =
                survey.preparations.len() > before.preparations.len() && !survey.offers_more_than(&before);
            if survey.size() == before.size() || (only_installs && !here.is_root()) {
                survey = before;
            }
        }
    }
    for folder in more {
        survey.doubt(
            &folder,
            "was not looked at: there are more projects here than are named by themselves",
        );
    }
    let doubted = survey.doubts.iter_mut().filter_map(|doubt| doubt.command.as_mut());
    for command in survey.commands.iter_mut().chain(doubted) {
        reached::ask(listing, command);
    }
    survey
}

/// Every folder that may be a project, the root first.
fn folders(listing: &Listing<'_>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for path in listing.paths() {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parts = || folder.split('/').filter(|part| !part.is_empty());
        let ours = parts().all(|part| !NOT_OURS.contains(&part) && !part.starts_with('.'));
        if MARKERS.contains(&name) && ours && parts().count() <= DEEPEST {
            found.insert(folder.to_owned());
        }
    }
    found.into_iter().collect()
}
