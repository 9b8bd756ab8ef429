//! Scripts of a package, as npm and its kin call them.

use super::{Files, paths};
use serde_json::Value;

/// Flags that name the folder to work in.
const FOLDER: [&str; 6] = ["--prefix", "-C", "--dir", "--cwd", "-w", "--workspace"];

/// Other flags that are followed by a value.
const VALUED: [&str; 6] = [
    "--filter",
    "-F",
    "--loglevel",
    "--userconfig",
    "--registry",
    "--reporter",
];

/// What a call of a package manager comes down to.
pub(super) enum Called {
    /// Shell text of scripts, and the folder it runs in.
    Text(String, String),
    /// A program of the package, and the folder it runs in.
    Program(Vec<String>, String),
    /// Nothing that could be followed.
    Unknown,
}

/// Follows a call such as `npm test`, `pnpm run lint` or `yarn vitest`.
pub(super) fn called(folder: &str, words: &[String], files: Files<'_>) -> Called {
    let mut folder = folder.to_owned();
    let mut rest = Vec::new();
    // npm reads its own flags wherever they stand, the others only before the script.
    let is_npm = words.first().is_some_and(|program| program == "npm");
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let (flag, value) = word
            .split_once('=')
            .map_or((word.as_str(), None), |(f, v)| (f, Some(v)));
        if word == "--" {
            rest.extend(words.by_ref().cloned());
        } else if !is_npm && !rest.is_empty() && !is_run(&rest) {
            rest.push(word.clone());
        } else if FOLDER.contains(&flag) {
            let value = value.map(str::to_owned).or_else(|| words.next().cloned());
            folder = paths::join(&folder, &value.unwrap_or_default());
        } else if VALUED.contains(&flag) {
            if value.is_none() {
                words.next();
            }
        } else if !word.starts_with('-') {
            rest.push(word.clone());
        }
    }
    resolve(folder, &rest, files)
}

/// Whether only the verb was read so far, so that flags may still follow.
fn is_run(rest: &[String]) -> bool {
    rest.len() == 1
        && rest
            .first()
            .is_some_and(|word| matches!(word.as_str(), "run" | "run-script"))
}

fn resolve(folder: String, rest: &[String], files: Files<'_>) -> Called {
    let (script, arguments) = match rest {
        [run, name, more @ ..] if matches!(run.as_str(), "run" | "run-script") => (name.as_str(), more),
        [short, more @ ..] if matches!(short.as_str(), "t" | "tst") => ("test", more),
        [name, more @ ..] => (name.as_str(), more),
        [] => return Called::Unknown,
    };
    let package = files(&paths::join(&folder, "package.json")).unwrap_or_default();
    let package: Value = serde_json::from_slice(&package).unwrap_or_default();
    let text = |name: &str| package.get("scripts")?.get(name)?.as_str().map(str::to_owned);
    let Some(body) = text(script) else {
        let known = matches!(script, "test" | "run" | "install" | "ci" | "add" | "start");
        if known {
            return Called::Unknown;
        }
        let program = std::iter::once(script.to_owned()).chain(arguments.iter().cloned());
        return Called::Program(program.collect(), folder);
    };
    // What runs before and after a script by its name is part of the call.
    let around = [
        text(&format!("pre{script}")),
        Some(body),
        text(&format!("post{script}")),
    ];
    let text: Vec<String> = around.into_iter().flatten().collect();
    Called::Text(text.join("\n"), folder)
}
