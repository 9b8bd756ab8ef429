//! Files of which only some keys are protected.

use trueup_inspect::rules::{catalogue, differences};

fn keys(path: &str, before: &str, after: &str) -> Vec<String> {
    let found = differences(
        catalogue(),
        path,
        Some(before.as_bytes()),
        Some(after.as_bytes()),
        "tasks",
    );
    found
        .into_iter()
        .map(|difference| difference.key.unwrap_or_default())
        .collect()
}

#[test]
fn a_key_of_package_json_that_decides_how_checks_run_is_told() {
    let rows = [
        (
            r#"{"scripts": {"test": "vitest run"}}"#,
            r#"{"scripts": {"test": "vitest run || true"}}"#,
            "scripts.test",
        ),
        (
            r#"{"scripts": {"test": "vitest run"}}"#,
            r#"{"scripts": {"test": "vitest run | tail -5"}}"#,
            "scripts.test",
        ),
        (
            r#"{"scripts": {"test": "jest"}}"#,
            r#"{"scripts": {"test": "jest --passWithNoTests"}}"#,
            "scripts.test",
        ),
        (
            r#"{"scripts": {"test": "jest"}}"#,
            r#"{"scripts": {"test": "jest", "pretest": "x"}}"#,
            "scripts.pretest",
        ),
        (r#"{"scripts": {"test": "jest"}}"#, "{}", "scripts.test"),
        (
            "{}",
            r#"{"jest": {"testPathIgnorePatterns": ["a"]}}"#,
            "jest.testPathIgnorePatterns",
        ),
        ("{}", r#"{"jest": {"setupFiles": ["./a.js"]}}"#, "jest.setupFiles"),
        (
            "{}",
            r#"{"vitest": {"passWithNoTests": true}}"#,
            "vitest.passWithNoTests",
        ),
        ("{}", r#"{"mocha": {"grep": "x"}}"#, "mocha.grep"),
        ("{}", r#"{"nyc": {"exclude": ["a"]}}"#, "nyc.exclude"),
        ("{}", r#"{"bin": {"vitest": "./fake.js"}}"#, "bin.vitest"),
        ("{}", r#"{"bin": "./fake.js"}"#, "bin"),
        ("{}", r##"{"imports": {"#a": "./b.js"}}"##, "imports.#a"),
        ("{}", r#"{"exports": "./b.js"}"#, "exports"),
        ("{}", r#"{"overrides": {"vitest": "npm:fake@1"}}"#, "overrides.vitest"),
        ("{}", r#"{"resolutions": {"jest": "file:./fake"}}"#, "resolutions.jest"),
        (
            "{}",
            r#"{"pnpm": {"overrides": {"vitest": "link:fake"}}}"#,
            "pnpm.overrides",
        ),
        ("{}", r#"{"eslintConfig": {"rules": {}}}"#, "eslintConfig.rules"),
        ("{}", r#"{"postcss": {"plugins": {"./a.cjs": {}}}}"#, "postcss.plugins"),
        ("{}", r#"{"browserslist": ["node 4"]}"#, "browserslist"),
        (
            "{}",
            r#"{"a-tool-nobody-knows": {"setup": "./a.js"}}"#,
            "a-tool-nobody-knows.setup",
        ),
        ("{}", r#"{"main": "./double.js"}"#, "main"),
        ("{}", r#"{"type": "module"}"#, "type"),
        (
            r#"{"devDependencies": {"vitest": "^1"}}"#,
            r#"{"devDependencies": {"vitest": "file:./fake"}}"#,
            "devDependencies.vitest",
        ),
        (
            "{}",
            r#"{"dependencies": {"vitest": "npm:fake@1"}}"#,
            "dependencies.vitest",
        ),
    ];
    for (before, after, key) in rows {
        assert_eq!(keys("web/package.json", before, after), [key], "{before} {after}");
    }
}

#[test]
fn a_key_of_pyproject_that_decides_how_checks_run_is_told() {
    let rows = [
        (
            "[tool.pytest.ini_options]\naddopts = '-k x'\n",
            "tool.pytest.ini_options",
        ),
        ("[tool.pytest]\naddopts = ['-q']\n", "tool.pytest.addopts"),
        ("[tool.pytest-env]\nA = '1'\n", "tool.pytest-env.A"),
        ("[tool.coverage.run]\nomit = ['a']\n", "tool.coverage.run"),
        ("[tool.ruff]\nexclude = ['a']\n", "tool.ruff.exclude"),
        ("[tool.mypy]\nignore_errors = true\n", "tool.mypy.ignore_errors"),
        ("[build-system]\nrequires = ['x']\n", "build-system.requires"),
        (
            "[project.entry-points.pytest11]\na = 'b'\n",
            "project.entry-points.pytest11",
        ),
        ("[project.scripts]\npytest = 'fake:main'\n", "project.scripts.pytest"),
        (
            "[project.gui-scripts]\npytest = 'fake:main'\n",
            "project.gui-scripts.pytest",
        ),
        (
            "[tool.setuptools.package-dir]\nshop = 'double'\n",
            "tool.setuptools.package-dir",
        ),
        (
            "[tool.hatch.build.force-include]\n'double' = 'shop'\n",
            "tool.hatch.build",
        ),
        (
            "[tool.poetry]\npackages = [{ include = 'double' }]\n",
            "tool.poetry.packages.0",
        ),
        (
            "[project]\ndependencies = ['a', 'pytest @ file:./fake']\n",
            "project.dependencies",
        ),
        (
            "[dependency-groups]\ndev = ['pytest @ git+https://a/b']\n",
            "dependency-groups.dev",
        ),
        (
            "[tool.poetry.group.dev.dependencies]\npytest = { path = 'fake' }\n",
            "tool.poetry.group.dev.dependencies.pytest",
        ),
        (
            "[tool.uv.sources]\npytest = { path = 'fake' }\n",
            "tool.uv.sources.pytest",
        ),
    ];
    for (after, key) in rows {
        assert_eq!(keys("pyproject.toml", "", after), [key], "{after}");
    }
}

#[test]
fn a_key_of_cargo_toml_that_decides_how_checks_run_is_told() {
    let rows = [
        ("[[test]]\nname = 'a'\nharness = false\n", "test.a"),
        ("[[bench]]\nname = 'a'\n", "bench.a"),
        ("[lib]\nharness = false\n", "lib.harness"),
        ("[lib]\ntest = false\n", "lib.test"),
        ("[lib]\ndoctest = false\n", "lib.doctest"),
        ("[[bin]]\nname = 'a'\ntest = false\n", "bin.a.test"),
        ("[package]\nbuild = 'b.rs'\n", "package.build"),
        ("[package]\nautotests = false\n", "package.autotests"),
        ("[profile.test]\ndebug-assertions = false\n", "profile.test"),
        ("[lints.clippy]\nall = 'allow'\n", "lints.clippy"),
        ("[workspace]\nexclude = ['a']\n", "workspace.exclude"),
        ("[patch.crates-io]\na = { path = 'b' }\n", "patch.crates-io"),
        ("[lib]\ncrate-type = ['cdylib']\n", "lib.crate-type"),
        ("[lib]\nproc-macro = true\n", "lib.proc-macro"),
        ("[[bin]]\nname = 'a'\npath = 'b.rs'\n", "bin.a.path"),
        (
            "[[bin]]\nname = 'a'\nrequired-features = ['b']\n",
            "bin.a.required-features",
        ),
        ("[features]\ndefault = ['sale']\nsale = []\n", "features.default"),
        ("[dev-dependencies]\nshop = { path = '.' }\n", "dev-dependencies.shop"),
        (
            "[dev-dependencies]\nshop = { workspace = true, features = ['sale'] }\n",
            "dev-dependencies.shop",
        ),
        (
            "[target.'cfg(unix)'.dev-dependencies]\nshop = { path = '.', features = ['sale'] }\n",
            "target.cfg(unix).dev-dependencies.shop",
        ),
        (
            "[dependencies]\nshop = { path = '..', features = ['sale'] }\n",
            "dependencies.shop",
        ),
        (
            "[dependencies]\nshop = { path = '..', default-features = false }\n",
            "dependencies.shop",
        ),
        ("[dependencies]\na = { git = 'https://a/b' }\n", "dependencies.a"),
        (
            "[dependencies]\nproptest = { version = '1', package = 'fake' }\n",
            "dependencies.proptest",
        ),
    ];
    for (after, key) in rows {
        assert_eq!(keys("crates/a/Cargo.toml", "", after), [key], "{after}");
    }
}

#[test]
fn what_cargo_takes_in_the_place_of_another_is_told_and_what_is_new_is_not() {
    let rows = [
        (
            "[dependencies]\na = '1'\n",
            "[dependencies]\na = { path = 'fake' }\n",
            Some("dependencies.a"),
        ),
        ("[lib]\nname = 'a'\n", "[lib]\nname = 'b'\n", Some("lib.name")),
        (
            "[package]\nname = 'a'\n",
            "[package]\nname = 'b'\n",
            Some("package.name"),
        ),
        (
            "[dependencies]\na = '1'\n",
            "[dependencies]\na = { version = '2', features = ['x'] }\n",
            None,
        ),
        ("", "[package]\nname = 'b'\n[lib]\nname = 'c'\n", None),
        ("", "[dependencies]\nwords = { path = 'words' }\n", None),
        ("", "[dependencies]\nwords = { workspace = true }\n", None),
        (
            "",
            "[dev-dependencies]\nproptest = { version = '1', features = ['std'] }\n",
            None,
        ),
    ];
    for (before, after, key) in rows {
        let wanted: Vec<&str> = key.into_iter().collect();
        assert_eq!(keys("Cargo.toml", before, after), wanted, "{before} {after}");
    }
}

#[test]
fn a_key_of_another_mixed_file_that_decides_how_checks_run_is_told() {
    let rows = [
        ("setup.cfg", "", "[tool:pytest]\naddopts = -x\n", "tool:pytest.addopts"),
        ("setup.cfg", "", "[coverage:run]\nomit = a\n", "coverage:run.omit"),
        (
            "setup.cfg",
            "",
            "[options.entry_points]\npytest11 =\n  a = b\n",
            "options.entry_points.pytest11",
        ),
        (
            "go.mod",
            "module a\n",
            "module a\nreplace x => ./fake\n",
            "replace.x => ./fake",
        ),
        (
            "go.mod",
            "module a\n",
            "module a\nreplace (\n\tx => ./fake\n)\n",
            "replace.x => ./fake",
        ),
        (
            ".env.production",
            "A=1\n",
            "A=1\nNODE_OPTIONS=--require ./x.js\n",
            "NODE_OPTIONS",
        ),
        (".env.example", "", "export PYTEST_ADDOPTS=-x\n", "PYTEST_ADDOPTS"),
        (".env.staging", "", "PATH=./bin:$PATH\n", "PATH"),
        (
            "setup.cfg",
            "",
            "[options]\npackage_dir =\n  =fake\n",
            "options.package_dir",
        ),
        (
            "deno.json",
            "{}",
            r#"{"scopes": {"./src/": {"a": "./b.ts"}}}"#,
            "scopes../src/",
        ),
        (
            "composer.json",
            "{}",
            r#"{"autoload": {"files": ["a.php"]}}"#,
            "autoload.files",
        ),
        (
            "composer.json",
            "{}",
            r#"{"scripts": {"test": "true"}}"#,
            "scripts.test",
        ),
    ];
    for (path, before, after, key) in rows {
        assert_eq!(keys(path, before, after), [key], "{path}: {after}");
    }
}

#[test]
fn a_mixed_file_that_cannot_be_read_differs_as_a_whole() {
    for path in ["package.json", "pyproject.toml", "Cargo.toml"] {
        assert_eq!(keys(path, "", "{ [ not a thing"), [""], "{path}");
    }
    let found = differences(catalogue(), "package.json", Some(b"\xff\xfe"), None, "tasks");
    assert_eq!(found.len(), 1);
}

#[test]
fn a_difference_says_what_it_was_and_what_it_is() {
    let (before, after) = (
        r#"{"scripts": {"test": "jest"}}"#,
        r#"{"scripts": {"test": "jest || true"}}"#,
    );
    let found = differences(
        catalogue(),
        "package.json",
        Some(before.as_bytes()),
        Some(after.as_bytes()),
        "tasks",
    );
    let what = found
        .first()
        .map(|difference| difference.what.clone())
        .unwrap_or_default();
    let wanted = "`scripts.test` was changed from `\"jest\"` to `\"jest || true\"`; it is what checks call";
    assert_eq!(what, wanted);
}
