//! Files of which only some keys are protected.

use trueup_inspect::rules::{Sort, differences};

fn keys(path: &str, before: &str, after: &str) -> Vec<String> {
    let found = differences(path, Some(before.as_bytes()), Some(after.as_bytes()), "tasks");
    assert!(
        found.iter().all(|difference| difference.sort == Sort::Protected),
        "{found:?}"
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
    ];
    for (after, key) in rows {
        assert_eq!(keys("crates/a/Cargo.toml", "", after), [key], "{after}");
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
        (".env", "A=1\n", "A=1\nNODE_OPTIONS=--require ./x.js\n", "NODE_OPTIONS"),
        (".env.test", "", "export PYTEST_ADDOPTS=-x\n", "PYTEST_ADDOPTS"),
        (".env", "", "PATH=./bin:$PATH\n", "PATH"),
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
    let found = differences("package.json", Some(b"\xff\xfe"), None, "tasks");
    assert_eq!(found.len(), 1);
}

#[test]
fn a_difference_says_what_it_was_and_what_it_is() {
    let (before, after) = (
        r#"{"scripts": {"test": "jest"}}"#,
        r#"{"scripts": {"test": "jest || true"}}"#,
    );
    let found = differences("package.json", Some(before.as_bytes()), Some(after.as_bytes()), "tasks");
    let what = found
        .first()
        .map(|difference| difference.what.clone())
        .unwrap_or_default();
    let wanted = "`scripts.test` in `package.json` was changed from `\"jest\"` to `\"jest || true\"`; it is what checks \
                  call: take that back, or say why the task needs it";
    assert_eq!(what, wanted);
}
