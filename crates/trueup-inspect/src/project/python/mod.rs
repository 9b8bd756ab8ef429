//! Python, by what declares its packages: with uv, poetry, pdm or pip.

mod groups;
mod packages;
mod versions;

use super::{
    folder::{Folder, owned},
    survey::{FoundCommand, Preparation, Purpose, Survey},
};
use crate::argv;
use packages::Packages;
use std::collections::BTreeMap;
use versions::{Versioned, number};

/// Who installs packages and runs programs with them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Installer {
    Uv,
    Poetry,
    /// Into a virtual environment of the tree, as pip does.
    Pdm,
    /// Plain pip, into a virtual environment of its own.
    Pip,
    /// Nothing is to be installed.
    None,
}

/// Looks for a Python project.
pub(super) fn look(here: &Folder<'_>, survey: &mut Survey) {
    let files = ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg"];
    let Some(file) = here.first(&files) else { return };
    if here.above().iter().any(|above| above.has("uv.lock")) && !here.has("uv.lock") {
        return;
    }
    let packages = match Packages::read(here) {
        Ok(packages) => packages,
        Err(path) => return survey.doubt(&path, "cannot be read, so nothing is known of it"),
    };
    let tests = first_test(here);
    if file == "pyproject.toml" && !packages.is_project() && tests.is_none() {
        // Many repositories keep settings of single tools in such a file.
        return;
    }
    let installer = installer(here, &packages);
    let (title, origin) = match installer {
        Installer::Uv => ("Python with uv", if here.has("uv.lock") { "uv.lock" } else { file }),
        Installer::Poetry => (
            "Python with poetry",
            if here.has("poetry.lock") { "poetry.lock" } else { file },
        ),
        Installer::Pdm => ("Python with pdm", if here.has("pdm.lock") { "pdm.lock" } else { file }),
        Installer::Pip => ("Python with pip", file),
        Installer::None => ("Python", file),
    };
    survey.tool(title, here.path(origin));
    test(here, installer, &packages, tests, survey);
    check(here, installer, &packages, survey);
    prepare(here, installer, &packages, survey);
}

fn installer(here: &Folder<'_>, packages: &Packages) -> Installer {
    if here.has("uv.lock") || packages.has_table("uv") {
        Installer::Uv
    } else if here.has("poetry.lock") || packages.has_table("poetry") {
        Installer::Poetry
    } else if here.has("pdm.lock") || packages.is_installed_by_pdm() {
        Installer::Pdm
    } else if packages.installs_something() {
        Installer::Pip
    } else {
        Installer::None
    }
}

/// Adds whoever lints and checks types.
fn check(here: &Folder<'_>, installer: Installer, packages: &Packages, survey: &mut Survey) {
    let mypy: &[&str] = if packages.mypy_knows_its_files() {
        &["mypy"]
    } else {
        &["mypy", "."]
    };
    let tools: [(Purpose, &str, &[&str], &[&str]); 4] = [
        (
            Purpose::Lint,
            "ruff",
            &["ruff.toml", ".ruff.toml"],
            &["ruff", "check", "."],
        ),
        (Purpose::Lint, "flake8", &[".flake8"], &["flake8"]),
        (Purpose::Types, "mypy", &["mypy.ini", ".mypy.ini"], mypy),
        (Purpose::Types, "pyright", &["pyrightconfig.json"], &["pyright"]),
    ];
    for (purpose, tool, files, words) in tools {
        let settings = files.iter().find(|file| here.has(file)).map(|file| here.path(file));
        let Some(origin) = settings.or_else(|| packages.origin_of(tool)) else {
            continue;
        };
        if survey.has(here, purpose) {
            continue;
        }
        let by = if packages.lists(tool) {
            installer
        } else {
            Installer::None
        };
        let words = match by {
            // A program of the machine's, not of the project's.
            Installer::None => here.inside(words),
            Installer::Uv | Installer::Poetry | Installer::Pdm | Installer::Pip => by.runs(here, packages, words),
        };
        survey.add(here, found(purpose, words, origin));
    }
}

/// Adds whoever runs the tests.
fn test(here: &Folder<'_>, installer: Installer, packages: &Packages, tests: Option<TestFile>, survey: &mut Survey) {
    let settings = here.first(&["pytest.ini", "conftest.py", "tests/conftest.py"]);
    let settings = settings.map(|name| here.path(name));
    if let Some(origin) = packages.origin_of("pytest").or(settings) {
        survey.add(
            here,
            found(
                Purpose::Test,
                installer.runs(here, packages, &["pytest"]),
                origin.clone(),
            ),
        );
        if packages.lists("pytest-cov") {
            survey.add(
                here,
                found(
                    Purpose::Coverage,
                    installer.runs(here, packages, &["pytest", "--cov"]),
                    origin,
                ),
            );
        }
        return;
    }
    let Some(test) = tests else { return };
    let mut words = vec!["unittest", "discover"];
    if !test.folder.is_empty() {
        words.extend(["-s", &test.folder]);
    }
    if !test.usual {
        words.extend(["-p", "*_test.py"]);
    }
    let test_found = found(
        Purpose::Test,
        installer.runs(here, packages, &words),
        here.path(&test.path),
    );
    if test.unittest {
        survey.add(here, test_found);
    } else {
        let why = "there are files named like tests, but nothing says what runs them";
        survey.maybe(here, test_found, why);
    }
}

/// A file that looks like a test.
struct TestFile {
    path: String,
    folder: String,
    /// Whether it is named as `unittest` expects it.
    usual: bool,
    /// Whether it is written for `unittest`.
    unittest: bool,
}

fn first_test(here: &Folder<'_>) -> Option<TestFile> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let is_test = |path: &&str| {
        let name = name(path);
        name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"))
    };
    let path = here.below().find(is_test)?;
    let text = here.read(path).unwrap_or_default();
    Some(TestFile {
        path: path.to_owned(),
        folder: path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
        usual: name(path).starts_with("test_"),
        unittest: text.contains("unittest"),
    })
}

fn found(purpose: Purpose, words: Vec<String>, origin: String) -> FoundCommand<'static> {
    FoundCommand {
        tool: "python",
        purpose,
        words,
        cache: Vec::new(),
        origin,
    }
}

/// How an installer that has a lock file of its own is called.
struct Locking {
    lock: &'static str,
    /// Its words where the lock file is there, and where it is not.
    words: [&'static [&'static str]; 2],
    /// How it is pointed at a folder, and after how many words.
    folder: (usize, &'static str),
    /// How it is told of an extra, and of a group.
    flags: [&'static str; 2],
    env: &'static [(&'static str, &'static str)],
}

const UV: Locking = Locking {
    lock: "uv.lock",
    words: [&["uv", "sync", "--frozen"], &["uv", "sync"]],
    folder: (2, "--directory"),
    flags: ["--extra", "--group"],
    // An interpreter fetched now would lie in a home that is not kept.
    env: &[("UV_PYTHON_DOWNLOADS", "never")],
};

const POETRY: Locking = Locking {
    lock: "poetry.lock",
    words: [&["poetry", "install", "--no-interaction"]; 2],
    folder: (1, "--directory"),
    flags: ["--extras", "--with"],
    env: &[("POETRY_VIRTUALENVS_IN_PROJECT", "true")],
};

const PDM: Locking = Locking {
    lock: "pdm.lock",
    words: [
        &["pdm", "install", "--frozen-lockfile"],
        &["pdm", "install", "--no-lock"],
    ],
    folder: (2, "--project"),
    flags: ["--group", "--group"],
    env: &[("PDM_CHECK_UPDATE", "false"), ("PDM_USE_VENV", "true")],
};

impl Locking {
    /// The words that install what is locked, with what checks need.
    fn words(&self, packages: &Packages, lock: LockFile) -> Vec<String> {
        let [locked, unlocked] = self.words;
        let words = match lock {
            LockFile::There => locked,
            LockFile::Missing => unlocked,
        };
        let [extra, group] = self.flags;
        [owned(words), packages.flags(extra, group)].concat()
    }
}

/// Whether a project committed what its installer locked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LockFile {
    There,
    Missing,
}

/// Packages must be installed while there is a network.
fn prepare(here: &Folder<'_>, installer: Installer, packages: &Packages, survey: &mut Survey) {
    let locking = match installer {
        Installer::None => return,
        Installer::Uv => Some(UV),
        Installer::Poetry => Some(POETRY),
        Installer::Pdm => Some(PDM),
        Installer::Pip => None,
    };
    let (words, key) = match &locking {
        Some(locking) if here.has(locking.lock) => (locking.words(packages, LockFile::There), vec![locking.lock]),
        Some(locking) => {
            let what = "is not committed, so what is installed may differ from day to day";
            survey.doubt(&here.path(locking.lock), what);
            (locking.words(packages, LockFile::Missing), vec!["pyproject.toml"])
        }
        None => (pip(packages), packages.files()),
    };
    let words = match (more(installer, packages), &locking) {
        (lines, Some(locking)) if lines.is_empty() => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (at, folder) = locking.folder;
            here.pointed(&words, at, &[folder, &here.folder])
        }
        (lines, Some(_)) => here.line(&[vec![argv::line(&words)], lines].concat().join(" && ")),
        (lines, None) => {
            let line = vec!["python3 -m venv .venv".to_owned(), argv::line(&words)];
            here.line(&[line, lines].concat().join(" && "))
        }
    };
    let key: Vec<String> = here.present(&key).collect();
    let env = locking.map_or(PIP, |locking| locking.env).iter();
    let mut env: BTreeMap<String, String> = env
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    if let Some(versioned) = &packages.versioned {
        env.insert(versioned.variable.to_owned(), number(here.release()));
    }
    survey.prepare(
        here,
        Preparation {
            name: "python".into(),
            words,
            origin: key.first().cloned().unwrap_or_default(),
            key,
            keep: vec![here.path(".venv")],
            env,
        },
    );
}

/// It prints what went wrong, and nothing else.
const PIP: &[(&str, &str)] = &[("PIP_DISABLE_PIP_VERSION_CHECK", "1"), ("PIP_QUIET", "1")];

/// What is installed into a virtual environment: what is listed, and the project
/// itself as it lies, so that a candidate is tested and never the base's copy.
fn pip(packages: &Packages) -> Vec<String> {
    let mut install = owned(&[".venv/bin/pip", "install"]);
    install.extend(packages.pip_arguments());
    install
}

/// What is still to do once packages are installed: those that only the
/// environments of tools ask for, and a place for what the build wrote into the
/// tree, which would be gone with it.
fn more(installer: Installer, packages: &Packages) -> Vec<String> {
    let mut lines = Vec::new();
    let wants = packages.of_environments();
    if installer == Installer::Uv && !wants.is_empty() {
        lines.push(argv::line(&[owned(&["uv", "pip", "install"]), wants].concat()));
    }
    if let Some(written) = packages.versioned.as_ref().and_then(|one| one.written.as_ref()) {
        let folder = written.rsplit_once('/').map_or("", |(folder, _)| folder);
        lines.push(format!(
            "mkdir -p {WRITTEN}/{folder} && cp {written} {WRITTEN}/{folder}"
        ));
    }
    lines
}

/// Tests may call the programs of their own package by name.
const BY_NAME: &str = "export PATH=\"$PWD/.venv/bin:$PATH\"";

/// Where files lie that the build wrote into the tree.
const WRITTEN: &str = ".venv/written";

impl Installer {
    /// The words that run a program among the installed packages.
    fn runs(self, here: &Folder<'_>, packages: &Packages, program: &[&str]) -> Vec<String> {
        let module = program.first() == Some(&"unittest");
        let python: &[&str] = if module { &["python", "-m"] } else { &[] };
        let (words, at) = match self {
            Self::Uv => ([&["uv", "run", "--no-sync"], python, program].concat(), Some(2)),
            Self::Poetry => ([&["poetry", "run"], python, program].concat(), Some(1)),
            Self::Pdm | Self::Pip => ([&[".venv/bin/python", "-m"], program].concat(), None),
            Self::None => ([&["python3", "-m"], program].concat(), None),
        };
        let mut before = Vec::new();
        let is_written = |one: &Versioned| one.written.is_some() && self != Self::None;
        if packages.versioned.as_ref().is_some_and(is_written) {
            before.push(format!("cp -R {WRITTEN}/. ."));
        }
        let tests = matches!(program.first(), Some(&("pytest" | "unittest")));
        if tests && packages.brings_programs() && matches!(self, Self::Pdm | Self::Pip) {
            before.push(BY_NAME.to_owned());
        }
        if !before.is_empty() {
            before.push(argv::line(&owned(&words)));
            return here.line(&before.join(" && "));
        }
        match at {
            Some(at) => here.pointed(&words, at, &["--directory", &here.folder]),
            None => here.inside(&words),
        }
    }
}
