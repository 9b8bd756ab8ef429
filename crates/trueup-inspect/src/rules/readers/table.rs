//! Who reads which settings, and whom which markers silence, as tables.

/// The programs that read a thing, where no other does.
pub type Readers = &'static [&'static str];

pub(super) const COVERAGE: Readers = &["coverage", "cov", "pytest-cov"];
pub(super) const ESLINT: Readers = &["eslint", "oxlint"];
/// Programs that run the examples of pages and of Python's documentation.
pub(in crate::rules) const EXAMPLES: Readers = &[
    "doctest",
    "xdoctest",
    "phmdoctest",
    "sybil",
    "byexample",
    "testmod",
    "markdown-docs",
    "pytest-examples",
];
pub(super) const FLAKE8: Readers = &["flake8", "pycodestyle", "pyflakes", "pep8", "ruff"];
pub(super) const JEST: Readers = &["jest", "ts-jest"];
pub(super) const MYPY: Readers = &["mypy"];
pub(super) const PYRIGHT: Readers = &["pyright", "basedpyright"];
pub(super) const SCRIPTS: Readers = &["npm", "pnpm", "yarn", "bun", "run-s", "run-p"];
pub(super) const TOX: Readers = &["tox"];
pub(super) const TYPES: Readers = &["mypy", "pyright", "basedpyright", "pyre", "pytype", "pyrefly", "ty"];
pub(super) const TYPESCRIPT: Readers = &[
    "tsc",
    "vue-tsc",
    "tsd",
    "ts-jest",
    "ts-node",
    "typescript",
    "typecheck",
    "vite-plugin-checker",
];

/// Files that one program reads, with those programs.
type Settings = (Readers, &'static [&'static str]);

/// Settings of linters, and of what calls others.
pub(super) const OF_LINTERS: &[Settings] = &[
    (
        ESLINT,
        &["eslint.config.*", ".eslintrc*", ".eslintignore", ".oxlintrc.json"],
    ),
    (&["biome"], &["biome.json", "biome.jsonc"]),
    (
        &["prettier", "eslint"],
        &[".prettierrc*", ".prettierignore", "prettier.config.*"],
    ),
    (&["stylelint"], &[".stylelintrc*"]),
    (&["ruff"], &["ruff.toml", ".ruff.toml"]),
    (FLAKE8, &[".flake8"]),
    (&["pylint"], &[".pylintrc", "pylintrc"]),
    (MYPY, &["mypy.ini", ".mypy.ini"]),
    (PYRIGHT, &["pyrightconfig.json"]),
    (&["golangci-lint"], &[".golangci.*"]),
    (&["clippy"], &["clippy.toml", ".clippy.toml"]),
    (&["rustfmt"], &["rustfmt.toml", ".rustfmt.toml"]),
    (&["nox"], &["noxfile.py"]),
    (TOX, &["tox.toml"]),
];

/// Settings of runners, and of what counts for them.
pub(super) const OF_RUNNERS: &[Settings] = &[
    (COVERAGE, &[".coveragerc", ".coveragerc.toml"]),
    (JEST, &["jest.config.*", "jest-preset.*"]),
    (&["mocha"], &[".mocharc*", "mocha.opts"]),
    (&["ava"], &["ava.config.*"]),
    (&["karma"], &["karma.conf.*"]),
    (&["playwright"], &["playwright.config.*"]),
    (&["cypress"], &["cypress.config.*"]),
];

/// Tables of a `pyproject.toml`, and sections of a `setup.cfg` or a `tox.ini`.
pub(super) const TABLES: &[(&str, Readers)] = &[
    ("basedpyright", PYRIGHT),
    ("black", &["black"]),
    ("coverage", COVERAGE),
    ("flake8", FLAKE8),
    ("isort", &["isort", "ruff"]),
    ("mypy", MYPY),
    ("pycodestyle", FLAKE8),
    ("pylint", &["pylint"]),
    ("pyright", PYRIGHT),
    ("ruff", &["ruff"]),
    ("tox", TOX),
    ("ty", &["ty"]),
];

/// Words that silence one kind of program.
pub(super) const MARKERS: &[(&str, Readers)] = &[
    ("noqa", FLAKE8),
    ("type: ignore", TYPES),
    ("pyright: ignore", PYRIGHT),
    ("mypy: ignore", MYPY),
    ("pylint: disable", &["pylint"]),
    // `cov` is the flag of the plugin by which pytest measures it.
    ("pragma: no cover", &["coverage", "cov"]),
    ("nosec", &["bandit", "ruff"]),
    ("eslint-disable", ESLINT),
    ("eslint rule off", ESLINT),
    ("tslint:disable", &["tslint"]),
    ("oxlint-disable", &["oxlint"]),
    ("biome-ignore", &["biome"]),
    ("@ts-ignore", TYPESCRIPT),
    ("@ts-nocheck", TYPESCRIPT),
    ("@ts-expect-error", TYPESCRIPT),
    ("nolint", &["golangci-lint", "staticcheck", "revive"]),
    ("lint:ignore", &["golangci-lint", "staticcheck"]),
    ("#nosec", &["golangci-lint", "gosec"]),
];

/// Names of sections of a `tox.ini` that other programs read as well.
pub(super) const SHARED: [&str; 9] = [
    "pytest",
    "tool",
    "coverage",
    "flake8",
    "mypy",
    "pylint",
    "isort",
    "pycodestyle",
    "pep8",
];

/// Programs that do what they are for, and call no others.
pub(super) const KNOWN: [&str; 34] = [
    "pytest",
    "py.test",
    "unittest",
    "coverage",
    "mypy",
    "pyright",
    "basedpyright",
    "ty",
    "ruff",
    "black",
    "isort",
    "flake8",
    "pylint",
    "pycodestyle",
    "bandit",
    "vitest",
    "jest",
    "mocha",
    "ava",
    "tsc",
    "vue-tsc",
    "tsd",
    "eslint",
    "oxlint",
    "biome",
    "prettier",
    "stylelint",
    "gotestsum",
    "golangci-lint",
    "staticcheck",
    "true",
    "echo",
    "exit",
    "set",
];
