//! Targets of a Makefile and recipes of a justfile that say by their names
//! what they are good for.

use super::{
    folder::Folder,
    survey::{FoundCommand, Purpose, Survey},
};

/// The names people give such targets, the most usual first.
const NAMES: [(Purpose, &[&str]); 5] = [
    (Purpose::Test, &["test", "tests", "check"]),
    (Purpose::Lint, &["lint"]),
    (Purpose::Types, &["typecheck", "type-check", "types"]),
    (Purpose::Build, &["build"]),
    (Purpose::Coverage, &["coverage", "cov"]),
];

/// Looks for a Makefile.
pub(super) fn make(here: &Folder<'_>, survey: &mut Survey) {
    let Some(name) = here.first(&["GNUmakefile", "makefile", "Makefile"]) else {
        return;
    };
    let text = here.read(name).unwrap_or_default();
    let targets: Vec<&str> = text.lines().flat_map(targets).collect();
    let called = |target: &str| here.pointed(&["make", target], 1, &["-C", &here.folder]);
    add(here, ("Make", "make", name), &targets, &called, survey);
}

/// The targets a line of a Makefile declares: plain names before a colon that
/// assigns nothing.
fn targets(line: &str) -> Vec<&str> {
    let Some((names, rest)) = line.split_once(':') else {
        return Vec::new();
    };
    let is_rule = !line.starts_with(['\t', ' ', '#', '.']) && !rest.starts_with('=') && !rest.starts_with(":=");
    let plain = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if is_rule {
        names.split_whitespace().filter(plain).collect()
    } else {
        Vec::new()
    }
}

/// Looks for a justfile.
pub(super) fn just(here: &Folder<'_>, survey: &mut Survey) {
    let Some(name) = here.first(&["justfile", "Justfile", ".justfile"]) else {
        return;
    };
    let text = here.read(name).unwrap_or_default();
    let recipes: Vec<&str> = text.lines().filter_map(recipe).collect();
    let path = here.path(name);
    let called = |recipe: &str| {
        let pointer = ["--justfile", &path, "--working-directory", &here.folder];
        here.pointed(&["just", recipe], 1, &pointer)
    };
    add(here, ("just", "just", name), &recipes, &called, survey);
}

/// The recipe a line of a justfile declares, if it can be called without arguments.
fn recipe(line: &str) -> Option<&str> {
    let (head, rest) = line.split_once(':')?;
    if line.starts_with([' ', '\t', '#']) || rest.starts_with('=') {
        return None;
    }
    let mut words = head.split_whitespace();
    let name = words.next()?.trim_start_matches('@');
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    // A parameter without a value of its own would have to be given.
    let free = words.all(|word| word.contains('=') || word.starts_with('*'));
    (plain && free && !name.is_empty()).then_some(name)
}

/// Adds those targets whose names say what they are good for. Where another
/// tool of the same folder has one already, the target most likely calls it.
fn add(
    here: &Folder<'_>,
    (title, tool, file): (&'static str, &str, &str),
    targets: &[&str],
    called: &dyn Fn(&str) -> Vec<String>,
    survey: &mut Survey,
) {
    let origin = here.path(file);
    let mut told = false;
    for (purpose, names) in NAMES {
        let Some(name) = names.iter().find(|name| targets.contains(name)) else {
            continue;
        };
        if !told {
            survey.tool(title, origin.clone());
            told = true;
        }
        let found = FoundCommand {
            tool,
            purpose,
            words: called(name),
            cache: Vec::new(),
            origin: format!("{origin}, target `{name}`"),
        };
        if survey.has(here, purpose) {
            survey.maybe(here, found, "most likely it calls what was found already");
        } else {
            survey.add(here, found);
        }
    }
}
