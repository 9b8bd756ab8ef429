//! Files that decide how checks run, as tables.

use super::{
    paths::{PathPattern, fits, name, names},
    shadows::is_shadow,
};
use std::sync::LazyLock;

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
            "entry_points.txt",
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
            "angular.json",
            "import_map.json",
        ],
    ),
    (
        "what builds JavaScript or styles runs beside the tests and can change what they see",
        &[
            "postcss.config.*",
            ".postcssrc*",
            "tailwind.config.*",
            "rollup.config.*",
            "rolldown.config.*",
            "webpack.config.*",
            "webpack.*.js",
            "rspack.config.*",
            "rsbuild.config.*",
            "esbuild.config.*",
            "tsup.config.*",
            "tsdown.config.*",
            "swc.config.*",
            "metro.config.*",
            "next.config.*",
            "nuxt.config.*",
            "svelte.config.*",
            "astro.config.*",
            "vue.config.*",
            "craco.config.*",
            "electron.vite.config.*",
            ".browserslistrc",
            "babel-plugin*",
            "postcss-plugin*",
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
        &[
            "node_modules/",
            ".yarn/",
            ".pnp.*",
            ".pnpmfile.cjs",
            "pnpm-workspace.yaml",
        ],
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
        "it decides how tests are found and run",
        &["phpunit.xml*", ".rspec", "*.runsettings", "junit-platform.properties"],
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
            "CMakeLists.txt",
            "*.cmake",
            "meson.build",
            "Directory.Build.*",
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
        "an agent that is started here obeys it, and runs what it names",
        &[
            ".claude/",
            ".mcp.json",
            ".cursor/",
            ".cursorrules",
            ".codex/",
            ".gemini/",
            ".windsurf/",
            ".windsurfrules",
            ".aider*",
            ".continue/",
            ".kiro/",
            ".roo/",
            ".clinerules*",
            "opencode.json*",
            "crush.json",
            ".agents/",
            "AGENTS.md",
            "AGENTS.override.md",
            "CLAUDE.md",
            "CLAUDE.local.md",
            "GEMINI.md",
            "copilot-instructions.md",
        ],
    ),
    (
        "an editor that opens this folder runs what it names",
        &[
            ".vscode/",
            ".idea/",
            ".fleet/",
            ".zed/",
            ".devcontainer/",
            ".devcontainer.json",
            "*.code-workspace",
            "*.sublime-project",
            ".exrc",
            ".vimrc",
            ".nvimrc",
            ".nvim.lua",
            ".lvimrc",
            ".dir-locals.el",
            ".dir-locals-2.el",
            ".vim/",
            ".nvim/",
            ".lazy.lua",
            ".helix/",
            ".ycm_extra_conf.py",
            ".clangd",
        ],
    ),
    (
        "a debugger or an interpreter that is started in this folder runs it",
        &[".gdbinit", ".lldbinit", ".pdbrc", ".irbrc", ".pryrc", ".Rprofile"],
    ),
    (
        "git obeys it, or runs what it names, at the next commit or checkout",
        &[
            ".husky/",
            ".githooks/",
            "lefthook.y*ml",
            ".lefthook.y*ml",
            "lefthook-local.y*ml",
            ".lintstagedrc*",
            "lint-staged.config.*",
            ".gitattributes",
            ".gitmodules",
        ],
    ),
    (
        "whoever enters or starts this project runs what it says",
        &[
            "flake.nix",
            "shell.nix",
            "default.nix",
            "devenv.nix",
            "Dockerfile*",
            "Containerfile*",
            "docker-compose*.y*ml",
            "compose.y*ml",
            "compose.*.y*ml",
            "Vagrantfile",
            "Procfile*",
            ".gitpod.yml",
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
    static TABLE: LazyLock<Vec<(&str, Vec<PathPattern<'_>>)>> = LazyLock::new(|| {
        let row = |(why, patterns): &Row| (*why, patterns.iter().map(|one| PathPattern::of(one)).collect());
        WHOLE.iter().map(row).collect()
    });
    let names = names(path);
    let listed = TABLE
        .iter()
        .find(|(_, patterns)| patterns.iter().any(|pattern| pattern.fits(&names)));
    let shadows = "it could be imported in the place of a module the runner rests on";
    let settings = "it holds settings that tests are run with, and users are not";
    listed
        .map(|(why, _)| *why)
        .or_else(|| is_shadow(path).then_some(shadows))
        .or_else(|| is_settings(path).then_some(settings))
}

/// Settings that nobody reads while testing: they show what there is to set,
/// or are for what is delivered.
const SHOWN: [&str; 8] = [
    "example",
    "sample",
    "template",
    "dist",
    "production",
    "prod",
    "staging",
    "preview",
];

/// Whether a file holds settings that tests are run with: `.env`, `.env.test`,
/// `.env.local`, and whatever else is called so.
fn is_settings(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    let rest = name.strip_prefix(".env");
    rest.is_some_and(|rest| {
        let mut parts = rest.split('.');
        parts.next() == Some("") && !parts.any(|part| SHOWN.contains(&part))
    })
}

/// Whether a file says which packages are installed. A copy of the packages
/// kept in the tree says it too.
pub fn is_lock(path: &str) -> bool {
    let installed = fits(path, "vendor/") && whole(path).is_none();
    installed || LOCKS.iter().any(|lock| fits(path, lock)) && !fits(path, "node_modules/")
}
