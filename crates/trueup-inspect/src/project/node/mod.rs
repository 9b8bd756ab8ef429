//! Node, by `package.json`: with npm, pnpm, yarn or bun, whichever locked it.

mod scripts;

use super::{
    folder::{Folder, shell},
    survey::{FoundCommand, Preparation, Purpose, Reporting, ScriptRunner, Survey},
};
use crate::argv;
use scripts::{asks_network, chain, runner, steps};
use serde_json::Value;

/// Who installs packages and calls scripts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Installer {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

/// The names under which projects keep scripts of each purpose.
const SCRIPTS: [(Purpose, &[&str]); 5] = [
    (
        Purpose::Test,
        &["test", "test:unit", "unit", "test:ci", "ci:test", "check:test"],
    ),
    (
        Purpose::Lint,
        &[
            "lint",
            "check:lint",
            "lint:check",
            "lint:ci",
            "ci:lint",
            "lint:js",
            "eslint",
        ],
    ),
    (
        Purpose::Types,
        &[
            "typecheck",
            "type-check",
            "types",
            "check-types",
            "check:types",
            "types:check",
            "check:type",
            "type:check",
            "lint:types",
            "check:tsc",
            "tsc",
        ],
    ),
    (Purpose::Build, &["build"]),
    (
        Purpose::Coverage,
        &["coverage", "test:coverage", "test:cov", "coverage:ci", "cover"],
    ),
];

/// What `npm init` writes where nobody wrote a test.
const NO_TEST: &str = "no test specified";

/// Where pnpm puts what it downloads, and how it takes it from there: links
/// would lead out of what is kept.
const STORE: &str = "--store-dir=/tmp/pnpm-store";
const COPY: &str = "--package-import-method=copy";

/// Where corepack keeps the yarn that a package asks for; no room could fetch it.
const COREPACK: &str = "~/.cache/node/corepack";

/// A build script that nobody approved is left out, as before pnpm 11.
const UNBUILT: &str = "--config.strict-dep-builds=false";

/// Has pnpm run in the version that is installed, whichever a package asks for.
const ANY_PNPM: &str = "npm_config_manage_package_manager_versions=false";

/// Looks for a package.
pub(super) fn look(here: &Folder<'_>, survey: &mut Survey) {
    let Some(text) = here.read("package.json") else { return };
    let origin = here.path("package.json");
    let package: Value = match serde_json::from_str(&text) {
        Ok(package) => package,
        Err(_) => return survey.doubt(&origin, "cannot be read, so nothing is known of it"),
    };
    let lock = lock(here);
    if lock.is_none() && is_member(here) {
        return;
    }
    let installer = lock.map_or_else(|| declared(&package), |(installer, _)| installer);
    survey.tool(
        installer.title(),
        lock.map_or(origin.clone(), |(_, lock)| here.path(lock)),
    );
    for (purpose, names) in SCRIPTS {
        script(here, installer, &package, (purpose, names), survey);
    }
    uncalled(here, &package, survey);
    prepare(here, installer, &package, survey);
}

/// Tells of tools that are installed and configured, but called by no script.
fn uncalled(here: &Folder<'_>, package: &Value, survey: &mut Survey) {
    let eslint = [
        "eslint.config.js",
        "eslint.config.mjs",
        ".eslintrc.json",
        ".eslintrc.js",
    ];
    let types: (_, _, &[&str], &[&str]) = (
        Purpose::Types,
        "typescript",
        &["tsconfig.json"],
        &["node_modules/.bin/tsc", "--noEmit"],
    );
    let lint: (_, _, &[&str], &[&str]) = (Purpose::Lint, "eslint", &eslint, &["node_modules/.bin/eslint", "."]);
    for (purpose, dependency, files, words) in [types, lint] {
        let is_there = depends_on(package, dependency) && files.iter().any(|file| here.has(file));
        if is_there && !survey.has(here, purpose) {
            let found = FoundCommand {
                tool: "node",
                purpose,
                words: here.inside(words),
                cache: Vec::new(),
                origin: here.path("package.json"),
            };
            survey.maybe(
                here,
                found,
                &format!("{dependency} is installed, but no script calls it"),
            );
        }
    }
}

/// The lock file that is there, and whose it is.
fn lock(here: &Folder<'_>) -> Option<(Installer, &'static str)> {
    [
        (Installer::Pnpm, "pnpm-lock.yaml"),
        (Installer::Yarn, "yarn.lock"),
        (Installer::Bun, "bun.lock"),
        (Installer::Bun, "bun.lockb"),
        (Installer::Npm, "package-lock.json"),
        (Installer::Npm, "npm-shrinkwrap.json"),
    ]
    .into_iter()
    .find(|(_, name)| here.has(name))
}

/// The installer a package asks for by itself.
fn declared(package: &Value) -> Installer {
    let declared = package
        .get("packageManager")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match declared.split('@').next() {
        Some("pnpm") => Installer::Pnpm,
        Some("yarn") => Installer::Yarn,
        Some("bun") => Installer::Bun,
        Some(_) | None => Installer::Npm,
    }
}

/// Whether a workspace above holds this package.
fn is_member(here: &Folder<'_>) -> bool {
    here.above().iter().any(|above| {
        let package = parsed(above.read("package.json"));
        package.get("workspaces").is_some() || above.has("pnpm-workspace.yaml")
    })
}

/// Adds the first script of a purpose.
fn script(
    here: &Folder<'_>,
    installer: Installer,
    package: &Value,
    (purpose, names): (Purpose, &[&str]),
    survey: &mut Survey,
) {
    let scripts = package.get("scripts");
    let called = names.iter().find_map(|name| {
        let text = scripts?.get(name)?.as_str()?;
        Some((*name, text))
    });
    let Some((name, text)) = called else { return };
    let alone = without_network(package, name);
    let (words, called) = match &alone {
        Some(line) => (here.line(&format!("{BY_NAME} && {line}")), line.as_str()),
        None => (installer.calls(here, package, name), text),
    };
    let found = FoundCommand {
        tool: "node",
        purpose,
        words,
        cache: Vec::new(),
        origin: format!("{}, script `{name}`", here.path("package.json")),
    };
    let watches = text.contains("--watch") && !text.contains("--watch=false") && !text.contains("--watchAll=false");
    if text.contains(NO_TEST) {
        survey.doubt(
            &here.path("package.json"),
            "its script `test` only says that there is no test",
        );
    } else if watches {
        survey.maybe(here, found, "the script watches files and would never end");
    } else {
        survey.add(here, found);
        if let Some(added) = survey.commands.last_mut() {
            added.script = runner(called);
            if added.script.is_none() && alone.is_none() {
                added.reporting = spelled_out(here, installer, package, name);
            }
        }
    }
}

/// A script of several programs, typed without its name, so that the one which
/// tests can be given flags. Node's own runner is asked by a variable, and the
/// script stays what it is.
fn spelled_out(here: &Folder<'_>, installer: Installer, package: &Value, name: &str) -> Option<Reporting> {
    // Yarn may keep packages where only yarn finds their programs.
    if here.has(".yarnrc.yml") {
        return None;
    }
    let chain = chain(package.get("scripts")?, name, installer.program())?;
    if chain.runner == ScriptRunner::Node {
        return None;
    }
    let (flags, parse) = chain.runner.reports();
    let line = chain.line(&argv::line(&flags));
    let asks = installer == Installer::Pnpm && package.get("packageManager").is_some();
    let version = if asks {
        format!("export {ANY_PNPM} && ")
    } else {
        String::new()
    };
    Some(Reporting {
        words: here.line(&format!("{version}{BY_NAME} && {line}")),
        parse,
    })
}

/// Programs of packages are called by their names, as in a script.
const BY_NAME: &str = "export PATH=\"$PWD/node_modules/.bin:$PATH\"";

/// The steps of a script before one that installs something, if they test
/// something: nobody downloads anything where a check runs.
fn without_network(package: &Value, name: &str) -> Option<String> {
    let steps = steps(package.get("scripts")?, name)?;
    let asking = steps.iter().position(|step| asks_network(step))?;
    let before = steps.get(..asking)?;
    let tests = before.iter().any(|step| runner(step).is_some());
    tests.then(|| before.join(" && "))
}

fn depends_on(package: &Value, name: &str) -> bool {
    ["dependencies", "devDependencies"]
        .iter()
        .any(|table| package.get(table).is_some_and(|table| table.get(name).is_some()))
}

fn has_packages(package: &Value) -> bool {
    let tables = ["dependencies", "devDependencies", "optionalDependencies"].into_iter();
    let mut tables = tables.filter_map(|table| package.get(table)?.as_object());
    tables.any(|table| !table.is_empty())
}

fn parsed(text: Option<String>) -> Value {
    serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default()
}

/// Packages must be installed while there is a network.
fn prepare(here: &Folder<'_>, installer: Installer, package: &Value, survey: &mut Survey) {
    let lock = lock(here);
    let is_workspace = package.get("workspaces").is_some() || here.has("pnpm-workspace.yaml");
    let needs = is_workspace || has_packages(package);
    if !needs {
        return;
    }
    if lock.is_none() {
        let what = "has packages to install but no lock file, so what is installed may differ from day to day";
        survey.doubt(&here.path("package.json"), what);
    }
    let mut key: Vec<String> = lock.iter().map(|(_, lock)| here.path(lock)).collect();
    if key.is_empty() {
        key.push(here.path("package.json"));
    }
    // Patches and installer settings change what is installed.
    let settings = [".npmrc", ".yarnrc.yml", "pnpm-workspace.yaml"];
    key.extend(here.present(&settings));
    let mut keep = kept(here, installer);
    if installer == Installer::Yarn && package.get("packageManager").is_some() {
        keep.push(COREPACK.to_owned());
    }
    survey.prepare(
        here,
        Preparation {
            name: "node".into(),
            words: installer.installs(here, package),
            origin: key.first().cloned().unwrap_or_default(),
            key,
            keep,
            ..Preparation::default()
        },
    );
}

/// Where packages land: in the root, and in those members that get their own.
fn kept(here: &Folder<'_>, installer: Installer) -> Vec<String> {
    let mut folders = vec![here.path("node_modules")];
    let lock = parsed(here.read("package-lock.json"));
    let locked = lock.get("packages").and_then(Value::as_object);
    let is_workspace = here.has("pnpm-workspace.yaml");
    for path in here.below().filter(|path| path.ends_with("/package.json")) {
        let member = path.trim_end_matches("/package.json");
        let own = format!("{member}/node_modules");
        let has_own = match installer {
            Installer::Pnpm => is_workspace && has_packages(&parsed(here.read(path))),
            Installer::Npm => locked.is_some_and(|locked| locked.keys().any(|key| key.starts_with(&format!("{own}/")))),
            Installer::Yarn | Installer::Bun => false,
        };
        if has_own && !member.contains("node_modules") {
            folders.push(here.path(&own));
        }
    }
    folders
}

impl Installer {
    const fn title(self) -> &'static str {
        match self {
            Self::Npm => "Node with npm",
            Self::Pnpm => "Node with pnpm",
            Self::Yarn => "Node with yarn",
            Self::Bun => "Node with bun",
        }
    }

    const fn program(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pnpm => "pnpm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }

    /// The words that call a script of this package.
    fn calls(self, here: &Folder<'_>, package: &Value, script: &str) -> Vec<String> {
        let folder = here.folder.as_str();
        match (self, script) {
            (Self::Npm, "test") => here.pointed(&["npm", "test"], 1, &["--prefix", folder]),
            (Self::Npm, _) => here.pointed(&["npm", "run", script], 1, &["--prefix", folder]),
            // pnpm would download itself in the version that is asked for, where
            // there is no network.
            (Self::Pnpm, _) if package.get("packageManager").is_some() => {
                let words = ["env", ANY_PNPM, "pnpm", "run", script];
                here.pointed(&words, 3, &["--dir", folder])
            }
            (Self::Pnpm, _) => here.pointed(&["pnpm", "run", script], 1, &["--dir", folder]),
            (Self::Yarn, _) => here.pointed(&["yarn", "run", script], 1, &["--cwd", folder]),
            (Self::Bun, _) => here.pointed(&["bun", "run", script], 2, &["--cwd", folder]),
        }
    }

    /// The words that install exactly what the lock file says.
    fn installs(self, here: &Folder<'_>, package: &Value) -> Vec<String> {
        let folder = here.folder.as_str();
        let locked = lock(here).is_some();
        let berry = here.has(".yarnrc.yml");
        match (self, locked) {
            (Self::Npm, true) => here.pointed(&["npm", "ci", "--no-audit", "--no-fund"], 1, &["--prefix", folder]),
            (Self::Npm, false) => here.pointed(
                &["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"],
                1,
                &["--prefix", folder],
            ),
            (Self::Pnpm, _) => {
                let lock = if locked { "--frozen-lockfile" } else { "--no-lockfile" };
                let words = ["pnpm", "install", lock, STORE, COPY, UNBUILT];
                let words = here.pointed(&words, 1, &["--dir", folder]);
                match package.get("packageManager") {
                    // The version that is asked for, or else the one that is there.
                    Some(_) => {
                        let line = argv::line(&words);
                        shell(&format!("{line} || {ANY_PNPM} {line}"))
                    }
                    None => words,
                }
            }
            (Self::Yarn, _) => {
                let words: &[&str] = match (locked, berry) {
                    (true, true) => &["yarn", "install", "--immutable"],
                    (true, false) => &["yarn", "install", "--frozen-lockfile"],
                    (false, _) => &["yarn", "install"],
                };
                let words = here.pointed(words, 1, &["--cwd", folder]);
                match package.get("packageManager") {
                    // Somebody else's yarn may come by other ways.
                    Some(_) => shell(&format!("mkdir -p {COREPACK} && {}", argv::line(&words))),
                    None => words,
                }
            }
            (Self::Bun, true) => here.pointed(&["bun", "install", "--frozen-lockfile"], 2, &["--cwd", folder]),
            (Self::Bun, false) => here.pointed(&["bun", "install", "--no-save"], 2, &["--cwd", folder]),
        }
    }
}
