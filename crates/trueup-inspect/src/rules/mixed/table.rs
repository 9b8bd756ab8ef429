//! Keys that decide how checks run, as tables.

/// Which values under a key count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// All of them.
    All,
    /// Packages that come from elsewhere than the registry: under the name of
    /// a runner, such a package can be anything.
    Elsewhere,
    /// Only another value than before: what has none yet replaces nothing.
    Replaced,
    /// Packages that cargo takes from elsewhere than the registry, or builds
    /// otherwise because of who asks.
    Crates,
    /// The same where only tests ask: no user gets what is built so.
    CratesOfTests,
}

/// A reason, and the keys it holds for. A `*` stands for any part of a name;
/// a list of tables is entered as if each were meant.
pub(super) type Row = (&'static str, Which, &'static [&'static str]);

const PACKAGE_JSON: &[Row] = &[
    ("it is what checks call", Which::All, &["scripts", "config", "wireit"]),
    (
        "it configures a runner or what it counts",
        Which::All,
        &["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "babel"],
    ),
    (
        "it configures a linter",
        Which::All,
        &[
            "eslintConfig",
            "eslintIgnore",
            "prettier",
            "stylelint",
            "xo",
            "standard",
        ],
    ),
    (
        "it decides which file is loaded under a name",
        Which::All,
        &[
            "bin",
            "exports",
            "imports",
            "browser",
            "main",
            "module",
            "type",
            "_moduleAliases",
        ],
    ),
    (
        "it replaces packages by others",
        Which::All,
        &[
            "overrides",
            "resolutions",
            "pnpm",
            "packageManager",
            "volta",
            "dependenciesMeta",
        ],
    ),
    (
        "it installs something else under that name",
        Which::Elsewhere,
        &[
            "dependencies",
            "devDependencies",
            "optionalDependencies",
            "peerDependencies",
        ],
    ),
];

const PYPROJECT: &[Row] = &[
    (
        "it decides how tests are collected, run and counted",
        Which::All,
        &[
            "tool.pytest*",
            "tool.coverage*",
            "tool.tox",
            "tool.nox",
            "tool.poe",
            "tool.taskipy",
            "tool.pdm.scripts",
        ],
    ),
    (
        "it decides what a linter or type checker looks at",
        Which::All,
        &[
            "tool.ruff*",
            "tool.mypy*",
            "tool.pyright",
            "tool.basedpyright",
            "tool.pylint*",
            "tool.flake8",
            "tool.black",
            "tool.isort",
            "tool.ty",
        ],
    ),
    (
        "it decides what is built and installed",
        Which::All,
        &[
            "build-system",
            "tool.setuptools*",
            "tool.hatch*",
            "tool.flit*",
            "tool.maturin*",
            "tool.scikit-build*",
            "tool.pdm.build",
            "tool.pdm.resolution",
            "tool.poetry.packages",
            "tool.poetry.include",
            "tool.poetry.exclude",
            "tool.poetry.build",
            "tool.poetry.source",
            "tool.uv.sources",
            "tool.uv.override-dependencies",
            "tool.uv.build-backend",
            "tool.uv.index*",
        ],
    ),
    (
        "it installs something else under that name",
        Which::Elsewhere,
        &[
            "project.dependencies",
            "project.optional-dependencies",
            "dependency-groups",
            "tool.poetry.dependencies",
            "tool.poetry.dev-dependencies",
            "tool.poetry.group.*.dependencies",
        ],
    ),
    (
        "it adds plugins to the runner",
        Which::All,
        &["project.entry-points", "tool.poetry.plugins"],
    ),
    (
        "it takes the name of a program that checks call",
        Which::All,
        &[
            "project.gui-scripts",
            "project.scripts.py*",
            "project.scripts.ruff",
            "project.scripts.mypy",
            "project.scripts.coverage",
            "project.scripts.tox",
        ],
    ),
];

const CARGO: &[Row] = &[
    (
        "it decides which tests cargo runs, and with which harness",
        Which::All,
        &[
            "test",
            "bench",
            "package.autotests",
            "package.autobenches",
            "lib.test",
            "lib.doctest",
            "lib.harness",
            "lib.path",
            "lib.crate-type",
            "lib.proc-macro",
            "bin.test",
            "bin.harness",
            "bin.path",
            "bin.required-features",
            "example.test",
            "example.harness",
            "example.required-features",
            "package.metadata.nextest",
        ],
    ),
    (
        "it decides how everything is compiled",
        Which::All,
        &["profile", "package.build", "cargo-features", "features.default"],
    ),
    (
        "tests call it by that name, and something else could take it",
        Which::Replaced,
        &["package.name", "lib.name"],
    ),
    (
        "it builds something else under that name, or builds it otherwise",
        Which::Crates,
        &[
            "dependencies",
            "build-dependencies",
            "build_dependencies",
            "workspace.dependencies",
            "target.*.dependencies",
            "target.*.build-dependencies",
        ],
    ),
    (
        "tests alone are built with it, so that they could see something else than users",
        Which::CratesOfTests,
        &["dev-dependencies", "dev_dependencies", "target.*.dev-dependencies"],
    ),
    (
        "it decides which faults the compiler tells",
        Which::All,
        &["lints", "workspace.lints"],
    ),
    ("it replaces packages by others", Which::All, &["patch", "replace"]),
    (
        "it leaves packages out",
        Which::All,
        &["workspace.exclude", "workspace.default-members"],
    ),
];

const SETUP_CFG: &[Row] = &[
    (
        "it decides how tests are collected, run and counted",
        Which::All,
        &["tool:*", "coverage*", "aliases", "options.entry_points"],
    ),
    (
        "it decides what is built and installed",
        Which::All,
        &[
            "options/package_dir",
            "options/packages",
            "options/py_modules",
            "options/scripts",
            "options/cmdclass",
            "options.packages.find",
        ],
    ),
    (
        "it decides what a linter or type checker looks at",
        Which::All,
        &["flake8*", "mypy*", "pylint*", "isort", "pycodestyle"],
    ),
];

const TOX: &[Row] = &[
    ("it is what tox installs and runs", Which::All, &["*"]),
    (
        "it decides how tests are collected, run and counted",
        Which::All,
        &["pytest", "tool:*", "coverage*"],
    ),
    (
        "it decides what a linter or type checker looks at",
        Which::All,
        &["flake8*", "mypy*", "pylint*", "isort", "pycodestyle"],
    ),
];

const GO_MOD: &[Row] = &[(
    "it replaces modules or tools by others",
    Which::All,
    &["replace", "exclude", "toolchain", "godebug"],
)];

const VARIABLES: &[Row] = &[(
    "it changes the options tools are started with",
    Which::All,
    &[
        "NODE_OPTIONS",
        "NODE_PATH",
        "NODE_ENV",
        "PYTHON*",
        "PYTEST*",
        "COVERAGE*",
        "LD_*",
        "DYLD_*",
        "PATH",
        "RUSTFLAGS",
        "RUSTC*",
        "RUST_TEST*",
        "RUSTUP_*",
        "RUSTDOCFLAGS",
        "CARGO*",
        "NEXTEST*",
        "GOFLAGS",
        "GOROOT",
        "GOPATH",
        "GOTEST*",
        "GOTOOLCHAIN",
        "GOENV",
        "GODEBUG",
        "JEST*",
        "VITEST*",
        "MOCHA*",
        "CI",
        "BASH_ENV",
        "ENV",
        "SHELL",
        "MAKEFLAGS",
        "NPM_CONFIG*",
        "npm_config*",
        "TOX*",
        "INSTA_*",
        "TRUEUP*",
    ],
)];

const COMPOSER: &[Row] = &[
    ("it is what checks call", Which::All, &["scripts"]),
    (
        "it decides which file is loaded under a name",
        Which::All,
        &["autoload.files", "autoload.exclude-from-classmap", "autoload-dev"],
    ),
    (
        "it replaces packages by others",
        Which::All,
        &["repositories", "replace", "provide", "config"],
    ),
];

const DENO: &[Row] = &[(
    "it decides how tests are run and what they import",
    Which::All,
    &[
        "tasks",
        "test",
        "lint",
        "fmt",
        "imports",
        "scopes",
        "importMap",
        "exports",
        "exclude",
        "compilerOptions",
        "nodeModulesDir",
        "unstable",
        "links",
        "patch",
    ],
)];

/// Every mixed file with its keys. Keys of a file without sections lie in the
/// section without a name.
pub(super) const FILES: [(&str, &[Row]); 9] = [
    ("package.json", PACKAGE_JSON),
    ("pyproject.toml", PYPROJECT),
    ("Cargo.toml", CARGO),
    ("setup.cfg", SETUP_CFG),
    ("tox.ini", TOX),
    ("go.mod", GO_MOD),
    (".env*", VARIABLES),
    ("composer.json", COMPOSER),
    ("deno.json*", DENO),
];

/// Keys of a `package.json` that describe the package. Every other key is
/// read by some tool, and a tool that takes part in a run of tests can be
/// made to change what they see.
const DESCRIBES: [&str; 31] = [
    "$schema",
    "name",
    "displayName",
    "version",
    "description",
    "keywords",
    "categories",
    "homepage",
    "bugs",
    "license",
    "licenses",
    "author",
    "contributors",
    "maintainers",
    "publisher",
    "funding",
    "icon",
    "repository",
    "private",
    "files",
    "types",
    "typings",
    "engines",
    "os",
    "cpu",
    "libc",
    "sideEffects",
    "publishConfig",
    "man",
    "peerDependenciesMeta",
    "bundleDependencies",
];

/// Keys that only describe, of the files in which every other key counts.
pub(super) const DESCRIBING: [(&str, &[&str]); 1] = [("package.json", &DESCRIBES)];
