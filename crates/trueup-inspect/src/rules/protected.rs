//! Files that decide how checks run, as tables.

use super::paths::{fits, name};

/// A reason, and the files it holds for.
type Row = (&'static str, &'static [&'static str]);

/// Files that are protected as a whole, wherever in the tree they lie.
const WHOLE: &[Row] = &[
    (
        "it tells trueup how this work is checked",
        &["trueup.toml", "trueup.local.toml", ".trueup/"],
    ),
    (
        "it decides how Python tests are collected, run and counted",
        &[
            "conftest.py",
            "pytest.ini",
            ".pytest.ini",
            "pytest.toml",
            ".pytest.toml",
            "tox.ini",
            "tox.toml",
            "noxfile.py",
            ".coveragerc",
            ".coveragerc.toml",
        ],
    ),
    (
        "Python runs it before any test, whatever the tests are",
        &[
            "sitecustomize.py",
            "usercustomize.py",
            "*.pth",
            "*.pyc",
            "*.egg-link",
            "pyvenv.cfg",
            "site-packages/",
            ".venv/",
            "venv/",
            "__pycache__/",
        ],
    ),
    (
        "it decides how JavaScript tests are found, transformed and run",
        &[
            "vitest.config.*",
            "vitest.workspace.*",
            "vitest.projects.*",
            "vite.config.*",
            "jest.config.*",
            "jest-preset.*",
            ".mocharc*",
            "mocha.opts",
            "ava.config.*",
            "karma.conf.*",
            "playwright.config.*",
            "cypress.config.*",
            "babel.config.*",
            ".babelrc*",
            ".swcrc",
            ".nycrc*",
            "nyc.config.*",
            ".c8rc*",
            "turbo.json",
            "nx.json",
        ],
    ),
    (
        "it runs before the tests and can change what they see",
        &[
            "vitest.setup.*",
            "vitest-setup.*",
            "jest.setup.*",
            "jest-setup.*",
            "setup-jest.*",
            "setup-vitest.*",
            "setupTests.*",
            "setup-tests.*",
            "test-setup.*",
            "testSetup.*",
            "globalSetup.*",
            "global-setup.*",
            "globalTeardown.*",
            "test/setup.*",
            "tests/setup.*",
            "__tests__/setup.*",
        ],
    ),
    ("tests get it in the place of the real module", &["__mocks__/"]),
    (
        "packages are installed, never written by hand",
        &["node_modules/", ".yarn/", ".pnpmfile.cjs", "pnpm-workspace.yaml"],
    ),
    (
        "it changes the options tools are started with",
        &[
            ".npmrc",
            ".yarnrc*",
            "bunfig.toml",
            ".envrc",
            ".nvmrc",
            ".node-version",
            ".python-version",
            ".tool-versions",
            "mise.toml",
            ".mise.toml",
        ],
    ),
    (
        "it decides what cargo builds, wraps and runs",
        &[
            ".cargo/",
            "nextest.toml",
            "rust-toolchain",
            "rust-toolchain.toml",
            "build.rs",
            "tarpaulin.toml",
            ".tarpaulin.toml",
            "insta.yaml",
        ],
    ),
    (
        "it decides which Go modules are built and tested",
        &["go.work", "go.env"],
    ),
    (
        "it holds the recipes that checks call",
        &[
            "Makefile",
            "GNUmakefile",
            "*.mk",
            "justfile",
            ".justfile",
            "*.just",
            "Taskfile.yml",
            "Taskfile.yaml",
            "Rakefile",
            "pom.xml",
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts",
            "gradle.properties",
            "mvnw",
            "gradlew",
            ".mvn/",
            "gradle/wrapper/",
        ],
    ),
    (
        "it decides what a linter, formatter or type checker looks at",
        &[
            "eslint.config.*",
            ".eslintrc*",
            ".eslintignore",
            "biome.json",
            "biome.jsonc",
            ".oxlintrc.json",
            ".prettierrc*",
            ".prettierignore",
            "prettier.config.*",
            ".stylelintrc*",
            "tsconfig*.json",
            "jsconfig*.json",
            "ruff.toml",
            ".ruff.toml",
            ".flake8",
            ".pylintrc",
            "pylintrc",
            "mypy.ini",
            ".mypy.ini",
            "pyrightconfig.json",
            ".golangci.*",
            "clippy.toml",
            ".clippy.toml",
            "rustfmt.toml",
            ".rustfmt.toml",
            "deny.toml",
        ],
    ),
    (
        "it decides what continuous integration runs",
        &[
            ".github/workflows/",
            ".github/actions/",
            ".gitlab-ci.yml",
            ".gitlab/ci/",
            ".circleci/",
            "Jenkinsfile",
            "azure-pipelines.yml",
            "azure-pipelines.yaml",
            ".ci/",
            ".buildkite/",
            ".travis.yml",
            "appveyor.yml",
            ".appveyor.yml",
            "bitbucket-pipelines.yml",
            ".drone.yml",
            ".woodpecker/",
            ".woodpecker.yml",
            "cloudbuild.yaml",
            ".forgejo/workflows/",
            ".gitea/workflows/",
            ".teamcity/",
            ".pre-commit-config.yaml",
            "codecov.yml",
            ".codecov.yml",
        ],
    ),
    (
        "it has the name of a module of the runner and could be imported in its place",
        &["pytest.py", "_pytest.py", "_pytest/", "unittest.py", "pluggy.py"],
    ),
    (
        "it has the name of a program that checks call and could be called in its place",
        &[
            "pytest",
            "py.test",
            "tox",
            "nox",
            "vitest",
            "jest",
            "mocha",
            "npm",
            "npx",
            "pnpm",
            "yarn",
            "node",
            "tsc",
            "eslint",
            "ruff",
            "mypy",
            "cargo",
            "cargo-nextest",
            "rustc",
            "go",
            "gotestsum",
            "make",
            "python",
            "python3",
        ],
    ),
];

/// Folders from which a module can be imported by its bare name.
const IMPORTABLE: [&str; 7] = ["", "src", "lib", "test", "tests", "__tests__", "spec"];

/// Files that could be imported in the place of a runner's module.
const SHADOWS: [&str; 13] = [
    "vitest.*js",
    "vitest.*ts",
    "jest.*js",
    "jest.*ts",
    "mocha.*js",
    "mocha.*ts",
    "chai.*js",
    "chai.*ts",
    "coverage.py",
    "iniconfig.py",
    "pytest/__init__.py",
    "unittest/__init__.py",
    "coverage/__init__.py",
];

/// Modules of Python's own library that every runner rests on.
const STANDARD: [&str; 33] = [
    "argparse",
    "ast",
    "atexit",
    "builtins",
    "contextlib",
    "dataclasses",
    "datetime",
    "dis",
    "enum",
    "faulthandler",
    "functools",
    "gc",
    "importlib",
    "inspect",
    "io",
    "json",
    "logging",
    "math",
    "os",
    "pathlib",
    "random",
    "re",
    "shutil",
    "signal",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "tokenize",
    "traceback",
    "types",
    "warnings",
];

/// Files that say which packages are installed.
const LOCKS: [&str; 20] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "deno.lock",
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pylock.toml",
    "Cargo.lock",
    "go.sum",
    "go.work.sum",
    "Gemfile.lock",
    "composer.lock",
    "mix.lock",
    "flake.lock",
    "gradle.lockfile",
];

/// Why a file is protected as a whole, if it is.
pub(super) fn whole(path: &str) -> Option<&'static str> {
    let listed = WHOLE
        .iter()
        .find(|(_, patterns)| patterns.iter().any(|pattern| fits(path, pattern)));
    let shadows = "it could be imported in the place of a module the runner rests on";
    listed
        .map(|(why, _)| *why)
        .or_else(|| is_shadow(path).then_some(shadows))
}

/// Whether a file could be imported in the place of a module of the runner.
fn is_shadow(path: &str) -> bool {
    let lies_in = |folders: &[&str], pattern: &str| {
        let depth = pattern.matches('/').count() + 1;
        let names: Vec<&str> = path.split('/').collect();
        let folder = names.len().checked_sub(depth).and_then(|depth| names.get(..depth));
        folder.is_some_and(|folder| folders.contains(&folder.join("/").as_str()))
    };
    let named = SHADOWS
        .iter()
        .any(|pattern| fits(path, pattern) && lies_in(&IMPORTABLE, pattern));
    let module = name(path).strip_suffix(".py");
    named || module.is_some_and(|module| STANDARD.contains(&module)) && lies_in(&["", "test", "tests"], "")
}

/// Whether a file says which packages are installed. A copy of the packages
/// kept in the tree says it too.
pub(super) fn is_lock(path: &str) -> bool {
    let installed = whole(path).is_none() && fits(path, "vendor/");
    installed || LOCKS.iter().any(|lock| fits(path, lock)) && !fits(path, "node_modules/")
}
