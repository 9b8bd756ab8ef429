//! Python, by what declares its packages: with uv, poetry or pip.

mod packages;

use super::{
    place::{Place, owned, shell},
    survey::{Found, Preparation, Purpose, Survey},
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
pub(super) fn look(place: &Place<'_>, survey: &mut Survey) {
    let files = ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg"];
    let Some(file) = place.first(&files) else { return };
    if place.above().iter().any(|above| above.has("uv.lock")) && !place.has("uv.lock") {
        return;
    }
    let packages = match Packages::read(place) {
        Ok(packages) => packages,
        Err(path) => return survey.doubt(&path, "cannot be read, so nothing is known of it"),
    };
    let tests = first_test(place);
    if file == "pyproject.toml" && !packages.is_project() && tests.is_none() {
        // Many repositories keep settings of single tools in such a file.
        return;
    }
    let installer = installer(place, &packages);
    let (title, origin) = match installer {
        Installer::Uv => ("Python with uv", if place.has("uv.lock") { "uv.lock" } else { file }),
        Installer::Poetry => (
            "Python with poetry",
            if place.has("poetry.lock") { "poetry.lock" } else { file },
        ),
        Installer::Pip => ("Python with pip", file),
        Installer::None => ("Python", file),
    };
    survey.tool(title, place.path(origin));
    test(place, installer, &packages, tests, survey);
    check(place, installer, &packages, survey);
    prepare(place, installer, &packages, survey);
}

fn installer(place: &Place<'_>, packages: &Packages) -> Installer {
    if place.has("uv.lock") || packages.has_table("uv") {
        Installer::Uv
    } else if place.has("poetry.lock") || packages.has_table("poetry") {
        Installer::Poetry
    } else if packages.installs_something() {
        Installer::Pip
    } else {
        Installer::None
    }
}

/// Adds whoever lints and checks types.
fn check(place: &Place<'_>, installer: Installer, packages: &Packages, survey: &mut Survey) {
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
        let settings = files.iter().find(|file| place.has(file)).map(|file| place.path(file));
        let Some(origin) = settings.or_else(|| packages.origin_of(tool)) else {
            continue;
        };
        if survey.has(place, purpose) {
            continue;
        }
        let by = if packages.lists(tool) {
            installer
        } else {
            Installer::None
        };
        let words = match by {
            // A program of the machine's, not of the project's.
            Installer::None => place.inside(words),
            Installer::Uv | Installer::Poetry | Installer::Pip => by.runs(place, words),
        };
        survey.add(place, found(purpose, words, origin));
    }
}

/// Adds whoever runs the tests.
fn test(place: &Place<'_>, installer: Installer, packages: &Packages, tests: Option<TestFile>, survey: &mut Survey) {
    let settings = place.first(&["pytest.ini", "conftest.py", "tests/conftest.py"]);
    let settings = settings.map(|name| place.path(name));
    if let Some(origin) = packages.origin_of("pytest").or(settings) {
        survey.add(
            place,
            found(Purpose::Test, installer.runs(place, &["pytest"]), origin.clone()),
        );
        if packages.lists("pytest-cov") {
            survey.add(
                place,
                found(Purpose::Coverage, installer.runs(place, &["pytest", "--cov"]), origin),
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
    let test_found = found(Purpose::Test, installer.runs(place, &words), place.path(&test.path));
    if test.unittest {
        survey.add(place, test_found);
    } else {
        let why = "there are files named like tests, but nothing says what runs them";
        survey.maybe(place, test_found, why);
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

fn first_test(place: &Place<'_>) -> Option<TestFile> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let is_test = |path: &&str| {
        let name = name(path);
        name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"))
    };
    let path = place.below().find(is_test)?;
    let text = place.read(path).unwrap_or_default();
    Some(TestFile {
        path: path.to_owned(),
        folder: path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
        usual: name(path).starts_with("test_"),
        unittest: text.contains("unittest"),
    })
}

fn found(purpose: Purpose, words: Vec<String>, origin: String) -> Found<'static> {
    Found {
        tool: "python",
        purpose,
        words,
        cache: Vec::new(),
        origin,
    }
}

/// Packages must be installed while there is a network.
fn prepare(place: &Place<'_>, installer: Installer, packages: &Packages, survey: &mut Survey) {
    let lock = |name: &'static str, survey: &mut Survey| {
        if !place.has(name) {
            let what = "is not committed, so what is installed may differ from day to day";
            survey.doubt(&place.path(name), what);
        }
        place.has(name)
    };
    let folder = place.folder.as_str();
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
                place.pointed(words, 2, &["--directory", folder]),
                vec![if place.has("uv.lock") {
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
                place.pointed(&words, 1, &["--directory", folder]),
                vec![if place.has("poetry.lock") {
                    "poetry.lock"
                } else {
                    "pyproject.toml"
                }],
                env.to_vec(),
            )
        }
        Installer::Pip => (pip(place, packages), packages.files(), Vec::new()),
    };
    let key: Vec<String> = key
        .into_iter()
        .filter(|name| place.has(name))
        .map(|name| place.path(name))
        .collect();
    survey.prepare(
        place,
        Preparation {
            name: "python".into(),
            words,
            origin: key.first().cloned().unwrap_or_default(),
            key,
            keep: vec![place.path(".venv")],
            env: env
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect::<BTreeMap<_, _>>(),
        },
    );
}

/// A virtual environment with what is listed, and with the project itself as
/// it lies, so that a candidate is tested and never the base's copy of it.
fn pip(place: &Place<'_>, packages: &Packages) -> Vec<String> {
    let mut install = owned(&[".venv/bin/pip", "install"]);
    install.extend(packages.pip_arguments());
    let line = format!("python3 -m venv .venv && {}", argv::line(&install));
    if place.is_root() {
        shell(&line)
    } else {
        let folder = argv::line(std::slice::from_ref(&place.folder));
        shell(&format!("cd {folder} && {line}"))
    }
}

impl Installer {
    /// The words that run a program among the installed packages.
    fn runs(self, place: &Place<'_>, words: &[&str]) -> Vec<String> {
        let folder = place.folder.as_str();
        let module = words.first() == Some(&"unittest");
        match self {
            Self::Uv => {
                let python: &[&str] = if module { &["python", "-m"] } else { &[] };
                let words = [&["uv", "run", "--no-sync"], python, words].concat();
                place.pointed(&words, 2, &["--directory", folder])
            }
            Self::Poetry => {
                let python: &[&str] = if module { &["python", "-m"] } else { &[] };
                let words = [&["poetry", "run"], python, words].concat();
                place.pointed(&words, 1, &["--directory", folder])
            }
            Self::Pip => place.inside(&[&[".venv/bin/python", "-m"], words].concat()),
            Self::None => place.inside(&[&["python3", "-m"], words].concat()),
        }
    }
}
