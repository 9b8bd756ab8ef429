//! Python, by what declares its packages: with uv, poetry or pip.

mod packages;

use super::{
    folder::{Folder, owned, shell},
    survey::{FoundCommand, Preparation, Purpose, Survey},
};
use crate::argv;
use packages::Packages;
use std::collections::BTreeMap;

/// Who installs packages and runs programs with them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Installer {
    Uv,
    Poetry,
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
            Installer::Uv | Installer::Poetry | Installer::Pip => by.runs(here, words),
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
            found(Purpose::Test, installer.runs(here, &["pytest"]), origin.clone()),
        );
        if packages.lists("pytest-cov") {
            survey.add(
                here,
                found(Purpose::Coverage, installer.runs(here, &["pytest", "--cov"]), origin),
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
    let test_found = found(Purpose::Test, installer.runs(here, &words), here.path(&test.path));
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

/// Packages must be installed while there is a network.
fn prepare(here: &Folder<'_>, installer: Installer, packages: &Packages, survey: &mut Survey) {
    let lock = |name: &'static str, survey: &mut Survey| {
        if !here.has(name) {
            let what = "is not committed, so what is installed may differ from day to day";
            survey.doubt(&here.path(name), what);
        }
        here.has(name)
    };
    let folder = here.folder.as_str();
    let (words, key, env) = match installer {
        Installer::None => return,
        Installer::Uv => {
            let words: &[&str] = match lock("uv.lock", survey) {
                true => &["uv", "sync", "--frozen"],
                false => &["uv", "sync"],
            };
            // An interpreter fetched now would lie in a home that is not kept.
            let env = [("UV_PYTHON_DOWNLOADS", "never")];
            (
                here.pointed(words, 2, &["--directory", folder]),
                vec![if here.has("uv.lock") {
                    "uv.lock"
                } else {
                    "pyproject.toml"
                }],
                env.to_vec(),
            )
        }
        Installer::Poetry => {
            lock("poetry.lock", survey);
            let words = ["poetry", "install", "--no-interaction"];
            let env = [("POETRY_VIRTUALENVS_IN_PROJECT", "true")];
            (
                here.pointed(&words, 1, &["--directory", folder]),
                vec![if here.has("poetry.lock") {
                    "poetry.lock"
                } else {
                    "pyproject.toml"
                }],
                env.to_vec(),
            )
        }
        Installer::Pip => (pip(here, packages), packages.files(), Vec::new()),
    };
    let key: Vec<String> = key
        .into_iter()
        .filter(|name| here.has(name))
        .map(|name| here.path(name))
        .collect();
    survey.prepare(
        here,
        Preparation {
            name: "python".into(),
            words,
            origin: key.first().cloned().unwrap_or_default(),
            key,
            keep: vec![here.path(".venv")],
            env: env
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect::<BTreeMap<_, _>>(),
        },
    );
}

/// A virtual environment with what is listed, and with the project itself as
/// it lies, so that a candidate is tested and never the base's copy of it.
fn pip(here: &Folder<'_>, packages: &Packages) -> Vec<String> {
    let mut install = owned(&[".venv/bin/pip", "install"]);
    install.extend(packages.pip_arguments());
    let line = format!("python3 -m venv .venv && {}", argv::line(&install));
    if here.is_root() {
        shell(&line)
    } else {
        let folder = argv::line(std::slice::from_ref(&here.folder));
        shell(&format!("cd {folder} && {line}"))
    }
}

impl Installer {
    /// The words that run a program among the installed packages.
    fn runs(self, here: &Folder<'_>, words: &[&str]) -> Vec<String> {
        let folder = here.folder.as_str();
        let module = words.first() == Some(&"unittest");
        match self {
            Self::Uv => {
                let python: &[&str] = if module { &["python", "-m"] } else { &[] };
                let words = [&["uv", "run", "--no-sync"], python, words].concat();
                here.pointed(&words, 2, &["--directory", folder])
            }
            Self::Poetry => {
                let python: &[&str] = if module { &["python", "-m"] } else { &[] };
                let words = [&["poetry", "run"], python, words].concat();
                here.pointed(&words, 1, &["--directory", folder])
            }
            Self::Pip => here.inside(&[&[".venv/bin/python", "-m"], words].concat()),
            Self::None => here.inside(&[&["python3", "-m"], words].concat()),
        }
    }
}
