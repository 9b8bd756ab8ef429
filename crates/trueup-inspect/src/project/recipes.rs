//! Targets of a Makefile and recipes of a justfile that say by their names
//! what they are good for.

use super::{
    place::Place,
    survey::{Found, Purpose, Survey},
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
pub(super) fn make(place: &Place<'_>, survey: &mut Survey) {
    let Some(name) = place.first(&["GNUmakefile", "makefile", "Makefile"]) else {
        return;
    };
    let text = place.read(name).unwrap_or_default();
    let targets: Vec<&str> = text.lines().flat_map(targets).collect();
    let called = |target: &str| place.pointed(&["make", target], 1, &["-C", &place.folder]);
    add(place, ("Make", "make", name), &targets, &called, survey);
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
pub(super) fn just(place: &Place<'_>, survey: &mut Survey) {
    let Some(name) = place.first(&["justfile", "Justfile", ".justfile"]) else {
        return;
    };
    let text = place.read(name).unwrap_or_default();
    let recipes: Vec<&str> = text.lines().filter_map(recipe).collect();
    let path = place.path(name);
    let called = |recipe: &str| {
        let pointer = ["--justfile", &path, "--working-directory", &place.folder];
        place.pointed(&["just", recipe], 1, &pointer)
    };
    add(place, ("just", "just", name), &recipes, &called, survey);
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
    place: &Place<'_>,
    (title, tool, file): (&'static str, &str, &str),
    targets: &[&str],
    called: &dyn Fn(&str) -> Vec<String>,
    survey: &mut Survey,
) {
    let origin = place.path(file);
    let mut told = false;
    for (purpose, names) in NAMES {
        let Some(name) = names.iter().find(|name| targets.contains(name)) else {
            continue;
        };
        if !told {
            survey.tool(title, origin.clone());
            told = true;
        }
        let found = Found {
            tool,
            purpose,
            words: called(name),
            cache: Vec::new(),
            origin: format!("{origin}, target `{name}`"),
        };
        if survey.has(place, purpose) {
            survey.maybe(place, found, "most likely it calls what was found already");
        } else {
            survey.add(place, found);
        }
    }
}
