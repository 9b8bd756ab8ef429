//! Whose settings and markers count, by what checks call and tests name.

use super::{tree, words};
use trueup_inspect::rules::{CalledPrograms, Readers, Words, catalogue, differences, silenced_by};

/// What differs in a file and counts, beside these checks and this code.
fn counted(
    (path, before, after): (&str, Option<&str>, Option<&str>),
    checks: &[&str],
    code: &[(&str, &str)],
) -> Vec<String> {
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    let (before, after) = (bytes(before), bytes(after));
    let found = differences(catalogue(), path, before.as_deref(), after.as_deref(), "tasks");
    assert!(!found.is_empty(), "{path} is no settings");
    let counts = found.into_iter().filter(|one| count(one.readers, checks, code));
    counts.map(|one| one.key.unwrap_or(one.path)).collect()
}

fn count(readers: Option<Readers>, checks: &[&str], code: &[(&str, &str)]) -> bool {
    let commands: Vec<Vec<String>> = checks.iter().map(|check| words(check)).collect();
    let called = CalledPrograms::by(&commands, &tree(code));
    called.may_be(readers) || Words::of(code.iter().copied()).name(readers)
}

const TOX: &str = "[tox]\nenvlist = py3\n[testenv:lint]\ncommands = pre-commit\n";

/// The keys of a `tox.ini` that are told, beside a check that calls pytest.
fn told_of_tox(before: Option<&str>, after: &str, check: &str) -> Vec<String> {
    counted(("tox.ini", before, Some(after)), &["python3 -m pytest -q", check], &[])
}

#[test]
fn what_tox_alone_reads_counts_where_a_check_may_call_tox() {
    let lint = TOX.replace("pre-commit", "prek");
    for check in [
        "pytest",
        "uv run pytest",
        "python -m unittest",
        ".venv/bin/mypy src",
        "sh -c 'ruff check . && pytest'",
    ] {
        assert_eq!(told_of_tox(Some(TOX), &lint, check), [""; 0], "{check}");
    }
    for check in [
        "tox",
        "tox -e lint",
        "sh -c 'tox && pytest'",
        "uvx tox -e py3",
        "make lint",
        "./check.sh",
        "python run.py",
    ] {
        assert_eq!(
            told_of_tox(Some(TOX), &lint, check),
            ["testenv:lint.commands"],
            "{check}"
        );
    }
    let table = |list: &str| format!("[tool.tox]\nenv_list = {list}\n");
    let both = ("pyproject.toml", Some(&*table("['py3']")), Some(&*table("[]")));
    assert_eq!(counted(both, &["pytest"], &[]), [""; 0]);
    assert_eq!(counted(both, &["tox"], &[]).len(), 1);
}

#[test]
fn whatever_another_program_could_read_of_a_tox_ini_counts() {
    for more in [
        "[pytest]\naddopts = -x\n",
        "[pytest] # said\naddopts = -p evil\n",
        "[tool:pytest]\nx = 1\n",
        "\r[pytest]\na = 1\n",
        "  [pytest]\na = 1\n",
        "x = 1\u{c}[pytest]\na = 1\n",
        "[testenv:x] [pytest]\na = 1\n",
    ] {
        let after = format!("{TOX}{more}");
        assert!(!told_of_tox(Some(TOX), &after, "pytest").is_empty(), "{more}");
    }
    assert!(
        !told_of_tox(None, TOX, "pytest").is_empty(),
        "a new file takes the place of others"
    );
    for more in [
        "[testenv:flake8]\ndeps = flake8\n",
        "[testenv:py{38,39}-mypy]\ndeps = coverage[toml]\n",
        "[testenv:docs]\ndeps =\n    pytest[all]\n",
    ] {
        let (before, after) = (format!("{TOX}{more}"), format!("{TOX}{more}skip = 1\n"));
        assert_eq!(told_of_tox(Some(&before), &after, "pytest"), [""; 0], "{more}");
    }
}

/// Settings of a linter, each with a check that reads them and one that does not.
const LINTERS: [(&str, &str, &str, &str, &str); 12] = [
    (".eslintrc", "{}", "{\"rules\": {}}", "npx eslint .", "npx vitest run"),
    ("eslint.config.mjs", "a", "b", "npx eslint .", "node --test"),
    (
        ".prettierrc",
        "{}",
        "{\"semi\": false}",
        "npx prettier -c .",
        "npx jest",
    ),
    ("ruff.toml", "a = 1", "a = 2", "ruff check .", "pytest"),
    (".flake8", "a", "b", "flake8", "python -m unittest"),
    ("mypy.ini", "a", "b", "mypy src", "uv run pytest -q"),
    (".golangci.yml", "a", "b", "golangci-lint run", "go test ./..."),
    ("clippy.toml", "a = 1", "a = 2", "cargo clippy", "cargo test --offline"),
    (
        "pyproject.toml",
        "[tool.ruff]\na = 1",
        "[tool.ruff]\na = 2",
        "ruff check",
        "pytest",
    ),
    (
        "pyproject.toml",
        "[tool.mypy]\na = 1",
        "[tool.mypy]\na = 2",
        "mypy .",
        "ruff check",
    ),
    (
        "setup.cfg",
        "[flake8]\nignore = E1",
        "[flake8]\nignore = E",
        "flake8 .",
        "pytest",
    ),
    (
        "setup.cfg",
        "[mypy-x.*]\na = 1",
        "[mypy-x.*]\na = 2",
        "mypy .",
        "pytest",
    ),
];

#[test]
fn settings_of_a_linter_count_where_a_check_may_call_it() {
    for (path, before, after, reads, other) in LINTERS {
        let both = (path, Some(before), Some(after));
        assert_eq!(counted(both, &[other], &[]), [""; 0], "{path} beside {other}");
        for check in [
            reads,
            "make check",
            "sh check.sh",
            "python lint.py",
            "node lint.js",
            "pre-commit run",
        ] {
            assert_eq!(counted(both, &[other, check], &[]).len(), 1, "{path} beside {check}");
        }
    }
}

#[test]
fn settings_of_a_linter_count_where_tests_or_their_runner_name_it() {
    let ruff = ("ruff.toml", Some("a = 1"), Some("a = 2"));
    for (path, text) in [
        ("tests/test_lint.py", "def test_lint():\n    run(['ruff', 'check'])\n"),
        ("conftest.py", "import ruff\n"),
        ("pytest.ini", "[pytest]\naddopts = --ruff -q\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = [\"--ruff\"]\n"),
        ("src/tool.py", "CALL = 'python -m ruff'\n"),
        ("setup.cfg", "[options.extras_require]\ntest = pytest-enabler\n"),
    ] {
        assert_eq!(counted(ruff, &["pytest"], &[(path, text)]).len(), 1, "{path}");
    }
    for (path, text) in [
        ("tests/test_a.py", "def test_a():\n    assert f()  # ruff is right\n"),
        ("pyproject.toml", "[tool.ruff]\nselect = ['E']\n"),
        ("Makefile", "lint:\n\truff check\n"),
        ("README.md", "ruff"),
    ] {
        assert_eq!(counted(ruff, &["pytest"], &[(path, text)]), [""; 0], "{path}");
    }
    let own = ("eslint.config.js", "import all from 'eslint-config-all';\n");
    let eslint = ("eslint.config.js", Some("a"), Some("b"));
    assert_eq!(
        counted(eslint, &["npx jest"], &[own]),
        [""; 0],
        "its own settings name it"
    );
    let recipe = ("Makefile", "lint:\n\truff check\n");
    let test = (
        "tests/test_lint.py",
        "def test_lint():\n    run([\"make\", \"lint\"])\n",
    );
    assert_eq!(counted(ruff, &["pytest"], &[recipe, test]).len(), 1, "through a recipe");
    for (path, text) in [
        ("package.json", "{\"jest\": {\"runner\": \"jest-runner-eslint\"}}"),
        ("test/lint.js", "const lint = require('mocha-eslint');\n"),
    ] {
        assert_eq!(counted(eslint, &["npx jest"], &[(path, text)]).len(), 1, "{path}");
    }
}

/// A plugin is switched on by its name, too, and not only by a flag.
#[test]
fn whatever_the_settings_of_a_runner_name_may_be_called() {
    let types = silenced_by("@ts-ignore");
    for (path, text) in [
        (".mocharc.json", "{\"require\": \"ts-node/register\"}"),
        (".mocharc.yml", "require: ts-node/register\n"),
        ("package.json", "{\"jest\": {\"preset\": \"ts-jest\"}}"),
        ("package.json", "{\"mocha\": {\"require\": [\"ts-node/register\"]}}"),
        (
            "package.json",
            "{\"ava\": {\"require\": [\"ts-node/register\"]}, broken",
        ),
    ] {
        assert!(
            count(types, &["npx jest", "npx mocha"], &[(path, text)]),
            "{path}: {text}"
        );
    }
    let other = (
        "package.json",
        "{\"devDependencies\": {\"ts-jest\": \"1\"}, \"scripts\": {\"types\": \"tsc\"}}",
    );
    assert!(
        !count(types, &["npx jest"], &[other]),
        "what is only installed is not called"
    );

    let mypy = ("mypy.ini", Some("a"), Some("b"));
    for (path, text) in [
        ("pytest.ini", "[pytest]\naddopts = -p pytest_mypy\n"),
        (".pytest.toml", "[pytest]\nrequired_plugins = ['pytest-mypy']\n"),
        ("tox.ini", "[pytest]\nrequired_plugins =\n    pytest-mypy\n"),
        (
            "setup.cfg",
            "[flake8]\nx = 1\n[tool:pytest]\naddopts = -p pytest_mypy\n",
        ),
        (
            "pyproject.toml",
            "[tool]\npytest.ini_options.addopts = '-p pytest_mypy'\n",
        ),
        ("pyproject.toml", "[tool.pytest]\nrequired_plugins = ['pytest-mypy']\n"),
    ] {
        assert_eq!(counted(mypy, &["pytest"], &[(path, text)]).len(), 1, "{path}: {text}");
    }
    for (path, text) in [
        ("pytest.ini", "[pytest]\n# not with mypy\naddopts = -q\n"),
        (
            "tox.ini",
            "[pytest]\naddopts = -q\n[testenv:types]\ncommands = mypy src\n",
        ),
        (
            "pyproject.toml",
            "[tool.mypy]\nstrict = true\n[dependency-groups]\ndev = ['mypy']\n",
        ),
    ] {
        assert_eq!(counted(mypy, &["pytest"], &[(path, text)]), [""; 0], "{path}: {text}");
    }
}

#[test]
fn a_script_counts_where_a_check_or_a_test_may_run_it() {
    let lint = (
        "package.json",
        Some(r#"{"scripts": {"lint": "eslint ."}}"#),
        Some(r#"{"scripts": {"lint": "eslint src"}}"#),
    );
    assert_eq!(counted(lint, &["npx vitest run"], &[]), [""; 0]);
    for check in ["npm test", "pnpm lint", "yarn test", "npm-run-all lint"] {
        assert_eq!(counted(lint, &[check], &[]), ["scripts.lint"], "{check}");
    }
    let test = ("test/a.test.js", "execSync('npm run lint');\n");
    assert_eq!(counted(lint, &["npx vitest run"], &[test]), ["scripts.lint"]);
    for hook in ["postinstall", "pnpm:devPreinstall", "prepack"] {
        let after = format!("{{\"scripts\": {{\"{hook}\": \"node x.js\"}}}}");
        let install = ("package.json", Some(r#"{"scripts": {}}"#), Some(&*after));
        assert_eq!(counted(install, &["npx vitest run"], &[]), [format!("scripts.{hook}")]);
    }
}

#[test]
fn a_package_script_is_followed_to_what_it_calls() {
    let eslint = ("eslint.config.js", Some("a"), Some("b"));
    let package = |script: &str| format!("{{\"scripts\": {{\"test\": \"{script}\"}}}}");
    for (script, is_counted) in [("vitest run", false), ("eslint . && vitest run", true), ("./all", true)] {
        let package = package(script);
        let code = [("package.json", package.as_str())];
        assert_eq!(
            !counted(eslint, &["npm test"], &code).is_empty(),
            is_counted,
            "{script}"
        );
    }
}

#[test]
fn what_several_programs_read_counts_always() {
    for (path, before, after) in [
        ("tsconfig.json", "{}", "{\"a\": 1}"),
        ("conftest.py", "a", "b"),
        ("vitest.config.ts", "a", "b"),
        (".github/workflows/test.yml", "a: 1", "a: 2"),
        (".pre-commit-config.yaml", "a: 1", "a: 2"),
        ("pyproject.toml", "[tool.pytest]\na = 1", "[tool.pytest]\na = 2"),
    ] {
        assert_eq!(
            counted((path, Some(before), Some(after)), &["pytest"], &[]).len(),
            1,
            "{path}"
        );
    }
}

#[test]
fn a_marker_counts_where_what_it_silences_may_be_called() {
    for (marker, silenced, other) in [
        ("noqa", "ruff check", "pytest"),
        ("type: ignore", "mypy .", "pytest"),
        ("eslint-disable", "npx eslint .", "npx vitest run"),
        ("@ts-ignore", "npx tsc", "npx vitest run"),
        ("nolint", "golangci-lint run", "go test"),
        ("pragma: no cover", "coverage run -m pytest", "pytest"),
        ("pragma: no cover", "pytest --cov=shop", "pytest"),
    ] {
        let readers = silenced_by(marker);
        assert!(count(readers, &[silenced], &[]), "{marker}");
        assert!(!count(readers, &[other], &[]), "{marker}");
    }
    let checked = (
        "vitest.config.ts",
        "export default { test: { typecheck: { enabled: true } } };\n",
    );
    let readers = silenced_by("@ts-expect-error");
    assert!(count(readers, &["npx vitest run"], &[checked]));
    for marker in ["pytest.mark.skip", ".only", "#[ignore]", "#[allow]", "t.Skip"] {
        assert!(silenced_by(marker).is_none(), "{marker}");
    }
}

/// The scripts of a `package.json` that may run, beside these checks and what
/// prepares for them.
fn may_run<'s>(scripts: &[&'s str], (checks, first): (&[&str], &[&str]), files: &[(&str, &str)]) -> Vec<&'s str> {
    let commands = |all: &[&str]| all.iter().map(|one| words(one)).collect::<Vec<_>>();
    let called = CalledPrograms::by(&commands(checks), &tree(files)).prepared_by(&commands(first), &tree(files));
    scripts
        .iter()
        .copied()
        .filter(|script| called.may_run(script))
        .collect()
}

#[test]
fn a_script_that_no_check_calls_by_its_name_does_not_run() {
    let package = r#"{"scripts": {"test": "npm run unit", "unit": "vitest run", "watch": "vitest"}}"#;
    let files = [("package.json", package)];
    let of = |checks: &[&str], first: &[&str]| may_run(&["unit", "preunit", "watch"], (checks, first), &files);
    let none: [&str; 0] = [];
    for check in ["npm test", "npm run -s test", "sh -c 'npm test'", "yarn test"] {
        assert_eq!(of(&[check], &["npm ci"]), ["unit", "preunit"], "{check}");
    }
    assert_eq!(of(&["npx vitest run"], &["npm ci", "pnpm install"]), none);
    assert_eq!(of(&["npx vitest run"], &["npm run watch"]), ["watch"], "it prepares");
    for tests in ["test", "pretest", "posttest"] {
        assert_eq!(may_run(&[tests], (&["npx vitest run"], &[]), &files), [tests]);
    }
}

#[test]
fn where_anything_may_be_called_every_script_may_run() {
    let package = r#"{"scripts": {"test": "vitest run", "all": "npm-run-all test:*", "tool": "node tool.js"}}"#;
    let files = [("package.json", package)];
    for check in [
        "node check.js",
        "npm run all",
        "npm run tool",
        "sh -c 'npm run $NAME'",
        "npm -w a run",
        "make test",
    ] {
        assert_eq!(
            may_run(&["watch"], (&["npm test", check], &[]), &files),
            ["watch"],
            "{check}"
        );
    }
    for first in ["node build.js", "npm run tool", "yarn", "make"] {
        assert_eq!(
            may_run(&["watch"], (&["npm test"], &[first]), &files),
            ["watch"],
            "{first}"
        );
    }
}

#[test]
fn a_script_is_told_by_its_name_unless_installations_run_it() {
    let of = |after: &str| {
        let found = differences(
            catalogue(),
            "web/package.json",
            Some(b"{}"),
            Some(after.as_bytes()),
            "tasks",
        );
        found.into_iter().map(|one| one.script).collect::<Vec<_>>()
    };
    assert_eq!(of(r#"{"scripts": {"watch": "vitest"}}"#), [Some("watch".to_owned())]);
    assert_eq!(of(r#"{"scripts": {"prepack": "x"}}"#), [None]);
    assert_eq!(of(r#"{"scripts": {"postinstall": "x"}}"#), [None]);
    assert_eq!(of(r#"{"config": {"watch": "vitest"}}"#), [None]);
}
