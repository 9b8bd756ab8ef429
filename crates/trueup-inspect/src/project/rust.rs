//! Rust, by its manifests.

use super::{
    folder::Folder,
    survey::{FoundCommand, Preparation, Purpose, Survey},
};
use toml::Table;

/// Looks for a crate or a workspace of crates.
pub(super) fn look(here: &Folder<'_>, survey: &mut Survey) {
    let Some(text) = here.read("Cargo.toml") else { return };
    let origin = here.path("Cargo.toml");
    let manifest: Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(_) => return survey.doubt(&origin, "cannot be read, so nothing is known of it"),
    };
    if !manifest.contains_key("workspace") && is_member(here) {
        return;
    }
    survey.tool("Rust", origin.clone());
    let lock = here.read("Cargo.lock");
    let mut flags = Vec::new();
    if manifest.contains_key("workspace") {
        flags.push("--workspace");
    }
    // Without a lock file cargo would ask the registry, which a check cannot reach.
    flags.push(if lock.is_some() { "--locked" } else { "--offline" });
    let path = here.path("Cargo.toml");
    let found = |purpose, verb: &[&str], rest: &[&str]| {
        let words = [&["cargo"], verb, &flags, rest].concat();
        FoundCommand {
            tool: "rust",
            purpose,
            words: here.pointed(&words, 2, &["--manifest-path", &path]),
            cache: vec![here.path("target")],
            origin: origin.clone(),
        }
    };
    survey.add(here, found(Purpose::Test, &["test"], &[]));
    let clippy = found(Purpose::Lint, &["clippy"], &["--all-targets", "--", "-D", "warnings"]);
    if lints_by_clippy(here, &manifest) {
        survey.add(here, clippy);
    } else {
        survey.maybe(here, clippy, "nothing here configures clippy");
    }
    survey.add(here, found(Purpose::Types, &["check"], &["--all-targets"]));
    let build = found(Purpose::Build, &["build"], &[]);
    survey.maybe(here, build, "`cargo test` builds all of it, too");
    prepare(here, lock, &manifest, survey);
}

/// Whether a workspace above holds this crate.
fn is_member(here: &Folder<'_>) -> bool {
    here.above().iter().any(|above| {
        let manifest = above
            .read("Cargo.toml")
            .and_then(|text| text.parse::<Table>().ok())
            .unwrap_or_default();
        let Some(workspace) = manifest.get("workspace") else {
            return false;
        };
        let inner = here.folder.strip_prefix(&above.path("")).unwrap_or(&here.folder);
        let excluded = workspace.get("exclude").and_then(toml::Value::as_array);
        let is_excluded = excluded
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_str)
            .any(|folder| inner == folder || inner.starts_with(&format!("{folder}/")));
        !is_excluded
    })
}

fn lints_by_clippy(here: &Folder<'_>, manifest: &Table) -> bool {
    let table = |of: Option<&toml::Value>| {
        let lints = of.and_then(|of| of.get("lints"));
        lints.is_some_and(|lints| lints.get("clippy").is_some())
    };
    here.first(&["clippy.toml", ".clippy.toml"]).is_some()
        || table(manifest.get("workspace"))
        || manifest.get("lints").is_some_and(|lints| lints.get("clippy").is_some())
}

/// What comes from elsewhere must be fetched while there is a network.
fn prepare(here: &Folder<'_>, lock: Option<String>, manifest: &Table, survey: &mut Survey) {
    let locked = lock.is_some();
    let lock = lock.unwrap_or_default();
    let from = |beginning: &str| lock.contains(&format!("source = \"{beginning}"));
    let needs = |table: &str| {
        manifest
            .get(table)
            .and_then(toml::Value::as_table)
            .is_some_and(|t| !t.is_empty())
    };
    let unlocked = !locked && (needs("dependencies") || needs("dev-dependencies") || needs("build-dependencies"));
    if unlocked {
        let what = "is not committed, so which versions are fetched may differ from day to day";
        survey.doubt(&here.path("Cargo.lock"), what);
    }
    let mut keep = Vec::new();
    if unlocked || from("registry+") || from("sparse+") {
        keep.push("~/.cargo/registry".to_owned());
    }
    if from("git+") {
        keep.push("~/.cargo/git".to_owned());
    }
    if keep.is_empty() {
        return;
    }
    let (words, key): (&[&str], _) = match locked {
        true => (&["cargo", "fetch", "--locked"], "Cargo.lock"),
        false => (&["cargo", "fetch"], "Cargo.toml"),
    };
    let path = here.path("Cargo.toml");
    survey.prepare(
        here,
        Preparation {
            name: "rust".into(),
            words: here.pointed(words, 2, &["--manifest-path", &path]),
            key: vec![here.path(key)],
            keep,
            origin: here.path(key),
            ..Preparation::default()
        },
    );
}
