//! Facts the engine reads off a tree itself, straight from git's objects: no
//! program runs, so nothing in the tree can interfere.

use super::observation::Observation;
use crate::workspace::{Error, Workspaces};
use regex::bytes::Regex;
use trueup_core::{criterion::CheckMethod, evidence::CheckOutcome, id::TreeId, scope::Scope};
use trueup_inspect::changes::globs;

pub(super) fn see(workspaces: &Workspaces, tree: &TreeId, how: &CheckMethod) -> Result<Observation, Error> {
    match how {
        CheckMethod::FileExists { path } => file_exists(workspaces, tree, path),
        CheckMethod::FileHas { path, pattern } => file_has(workspaces, tree, path, pattern),
        CheckMethod::NoneIn { pattern, glob } => none_in(workspaces, tree, pattern, glob),
        CheckMethod::InScope { base, scope } => in_scope(workspaces, tree, base, scope),
        CheckMethod::Command(_)
        | CheckMethod::Named { .. }
        | CheckMethod::Test { .. }
        | CheckMethod::RunTests { .. }
        | CheckMethod::Coverage { .. }
        | CheckMethod::Http { .. }
        | CheckMethod::Manual { .. } => Ok(Observation::cannot_run("this is no fact about a tree")),
    }
}

fn file_exists(workspaces: &Workspaces, tree: &TreeId, path: &str) -> Result<Observation, Error> {
    Ok(match workspaces.read(tree, path)? {
        Some(bytes) => passed(format!("{path} holds {} bytes\n", bytes.len())),
        None => failed(format!("{path} is not a file of the tree\n")),
    })
}

fn file_has(workspaces: &Workspaces, tree: &TreeId, path: &str, pattern: &str) -> Result<Observation, Error> {
    let regex = match Regex::new(pattern) {
        Ok(regex) => regex,
        Err(error) => return Ok(Observation::cannot_run(error.to_string())),
    };
    Ok(match workspaces.read(tree, path)? {
        None => failed(format!("{path} is not a file of the tree\n")),
        Some(bytes) => match first_match(&regex, &bytes) {
            Some(line) => passed(format!("{path}:{line} matches\n")),
            None => failed(format!("no text of {path} matches /{pattern}/\n")),
        },
    })
}

fn none_in(workspaces: &Workspaces, tree: &TreeId, pattern: &str, glob: &str) -> Result<Observation, Error> {
    let (regex, glob_set) = match (Regex::new(pattern), globs(&[glob.to_owned()])) {
        (Ok(regex), Ok(globs)) => (regex, globs),
        (Err(error), _) => return Ok(Observation::cannot_run(error.to_string())),
        (_, Err(error)) => return Ok(Observation::cannot_run(error.to_string())),
    };
    let mut paths = workspaces.files(tree)?;
    paths.retain(|path| glob_set.is_match(path));
    if paths.is_empty() {
        // Nothing looked at is nothing seen; a mistyped glob must not pass.
        return Ok(Observation::cannot_run(format!(
            "the glob `{glob}` selects no file of the tree"
        )));
    }
    let matches: Vec<String> = workspaces
        .read_many(tree, &paths)?
        .iter()
        .filter_map(|(path, bytes)| Some(format!("{path}:{} matches\n", first_match(&regex, bytes)?)))
        .collect();
    Ok(if matches.is_empty() {
        passed(format!("none of {} files matches\n", paths.len()))
    } else {
        failed(matches.concat())
    })
}

fn in_scope(workspaces: &Workspaces, tree: &TreeId, base: &TreeId, scope: &Scope) -> Result<Observation, Error> {
    let (touch, never) = match (globs(&scope.touch), globs(&scope.never)) {
        (Ok(touch), Ok(never)) => (touch, never),
        (Err(error), _) | (_, Err(error)) => return Ok(Observation::cannot_run(error.to_string())),
    };
    let changes = workspaces.changes(base, tree)?;
    let mut faults: Vec<String> = Vec::new();
    for change in &changes {
        if !scope.touch.is_empty() && !touch.is_match(&change.path) {
            faults.push(format!("{} is outside what the task may touch\n", change.path));
        }
        if never.is_match(&change.path) {
            faults.push(format!("{} is among what the task must never touch\n", change.path));
        }
    }
    let added: u64 = changes.iter().map(|change| u64::from(change.added)).sum();
    if let Some(most) = scope.max_new_lines
        && added > u64::from(most)
    {
        faults.push(format!("{added} lines were added, {most} are allowed\n"));
    }
    Ok(if faults.is_empty() {
        passed(format!("{} changed files, {added} new lines\n", changes.len()))
    } else {
        failed(faults.concat())
    })
}

/// The line of the first match, counted from 1.
fn first_match(regex: &Regex, bytes: &[u8]) -> Option<usize> {
    let found = regex.find(bytes)?;
    let before = bytes.get(..found.start())?;
    Some(before.iter().filter(|byte| **byte == b'\n').count() + 1)
}

fn passed(text: String) -> Observation {
    Observation::told(CheckOutcome::Passed, text)
}

fn failed(text: String) -> Observation {
    Observation::told(CheckOutcome::red(None), text)
}
