//! What is found in a repository: only what its files say, and each command as
//! words that mean the same at the tree's root.

use proptest::prelude::*;
use std::collections::BTreeMap;
use trueup_inspect::{
    argv,
    project::{Listing, ScriptRunner, Survey, survey},
};

fn found(files: &[(&str, &str)]) -> Survey {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let read = |path: &str| files.get(path).map(|text| (*text).to_owned());
    survey(&Listing::new(files.keys().copied(), &read))
}

/// `name: command`, in order.
fn checks(survey: &Survey) -> Vec<String> {
    let line = |command: &trueup_inspect::project::Command| format!("{}: {}", command.name, argv::line(&command.words));
    survey.commands.iter().map(line).collect()
}

/// `name: command | key | keep`, in order.
fn prepared(survey: &Survey) -> Vec<String> {
    let preparations = survey.preparations.iter().map(|preparation| {
        format!(
            "{}: {} | {} | {}",
            preparation.name,
            argv::line(&preparation.words),
            preparation.key.join(" "),
            preparation.keep.join(" ")
        )
    });
    preparations.collect()
}

fn doubts(survey: &Survey) -> Vec<String> {
    let line = |doubt: &trueup_inspect::project::Doubt| format!("{} {}", doubt.origin, doubt.what);
    survey.doubts.iter().map(line).collect()
}

#[test]
fn nothing_is_found_where_nothing_is_said() {
    assert_eq!(
        found(&[("greet.sh", "echo"), ("README.md", "cargo test")]),
        Survey::default()
    );
    assert_eq!(
        found(&[("words/package.json", "{\"name\": \"words\"}")]),
        Survey::default()
    );
    assert_eq!(found(&[]), Survey::default());
}

#[test]
fn a_crate_without_dependencies_needs_no_preparation() {
    let survey = found(&[
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("Cargo.lock", "[[package]]\nname = 'a'"),
        ("src/lib.rs", ""),
    ]);
    assert_eq!(
        checks(&survey),
        ["test: cargo test --locked", "types: cargo check --locked --all-targets"]
    );
    assert_eq!(prepared(&survey), [""; 0]);
    assert_eq!(survey.commands[0].cache, ["target"]);
    let told: Vec<&str> = survey
        .doubts
        .iter()
        .filter_map(|doubt| Some(doubt.command.as_ref()?.name.as_str()))
        .collect();
    assert_eq!(told, ["lint", "build"]);
}

#[test]
fn a_workspace_is_one_project_and_its_members_are_none() {
    let survey = found(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = ['crates/*']\nexclude = ['tools']\n[workspace.lints.clippy]\nall = 'deny'",
        ),
        (
            "Cargo.lock",
            "[[package]]\nsource = \"registry+x\"\n[[package]]\nsource = \"git+y\"",
        ),
        ("crates/a/Cargo.toml", "[package]\nname = 'a'"),
        ("tools/Cargo.toml", "[package]\nname = 'tools'"),
    ]);
    assert_eq!(
        checks(&survey),
        [
            "test: cargo test --workspace --locked",
            "lint: cargo clippy --workspace --locked --all-targets -- -D warnings",
            "types: cargo check --workspace --locked --all-targets",
            "tools-test: cargo test --manifest-path tools/Cargo.toml --offline",
            "tools-types: cargo check --manifest-path tools/Cargo.toml --offline --all-targets",
        ]
    );
    assert_eq!(
        prepared(&survey),
        ["rust: cargo fetch --locked | Cargo.lock | ~/.cargo/registry ~/.cargo/git"]
    );
}

#[test]
fn the_lock_file_says_who_installs() {
    let package = r#"{"scripts": {"test": "node --test", "lint": "eslint ."}, "devDependencies": {"eslint": "9"}}"#;
    for (lock, test, install) in [
        ("package-lock.json", "npm test", "npm ci --no-audit --no-fund"),
        (
            "pnpm-lock.yaml",
            "pnpm run test",
            "pnpm install --frozen-lockfile --store-dir=/tmp/pnpm-store --package-import-method=copy",
        ),
        ("yarn.lock", "yarn run test", "yarn install --frozen-lockfile"),
        ("bun.lock", "bun run test", "bun install --frozen-lockfile"),
    ] {
        let survey = found(&[("package.json", package), (lock, "")]);
        assert_eq!(checks(&survey)[0], format!("test: {test}"));
        assert_eq!(prepared(&survey), [format!("node: {install} | {lock} | node_modules")]);
    }
    let survey = found(&[("package.json", package), ("yarn.lock", ""), (".yarnrc.yml", "")]);
    assert_eq!(
        prepared(&survey),
        ["node: yarn install --immutable | yarn.lock .yarnrc.yml | node_modules"]
    );
}

#[test]
fn packages_without_a_lock_file_are_installed_and_doubted() {
    let survey = found(&[(
        "package.json",
        r#"{"dependencies": {"a": "1"}, "packageManager": "pnpm@10.0.0"}"#,
    )]);
    assert_eq!(
        prepared(&survey),
        [
            "node: pnpm install --no-lockfile --store-dir=/tmp/pnpm-store --package-import-method=copy | package.json | node_modules"
        ]
    );
    assert!(doubts(&survey)[0].contains("no lock file"), "{survey:#?}");
}

#[test]
fn a_package_in_a_folder_is_pointed_at_from_the_root() {
    let package = r#"{"scripts": {"test": "vitest run", "build": "vite build"}, "dependencies": {"a": "1"}}"#;
    let survey = found(&[("web/package.json", package), ("web/package-lock.json", "{}")]);
    assert_eq!(
        checks(&survey),
        [
            "web-test: npm --prefix web test",
            "web-build: npm --prefix web run build"
        ]
    );
    assert_eq!(
        prepared(&survey),
        ["web-node: npm --prefix web ci --no-audit --no-fund | web/package-lock.json | web/node_modules"]
    );
}

#[test]
fn members_of_a_node_workspace_keep_their_own_packages() {
    let member = r#"{"scripts": {"test": "vitest"}, "devDependencies": {"vitest": "3"}}"#;
    let files = [
        ("package.json", r#"{"scripts": {"test": "pnpm -r test"}}"#),
        ("pnpm-workspace.yaml", "packages: ['packages/*']"),
        ("pnpm-lock.yaml", ""),
        ("packages/a/package.json", member),
        ("packages/b/package.json", member),
        ("packages/c/package.json", r#"{"name": "c"}"#),
    ];
    let survey = found(&files);
    assert_eq!(checks(&survey), ["test: pnpm run test"]);
    assert_eq!(
        survey.preparations[0].keep,
        ["node_modules", "packages/a/node_modules", "packages/b/node_modules"]
    );
    let npm = found(&[
        (
            "package.json",
            r#"{"workspaces": ["packages/*"], "scripts": {"test": "npm test --workspaces"}}"#,
        ),
        (
            "package-lock.json",
            r#"{"packages": {"node_modules/x": {}, "packages/b/node_modules/x": {}}}"#,
        ),
        ("packages/a/package.json", member),
        ("packages/b/package.json", member),
    ]);
    assert_eq!(npm.preparations[0].keep, ["node_modules", "packages/b/node_modules"]);
}

#[test]
fn a_script_that_tests_nothing_or_never_ends_is_no_check() {
    let survey = found(&[(
        "package.json",
        r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1", "build": "tsc --watch"}}"#,
    )]);
    assert_eq!(checks(&survey), [""; 0]);
    assert_eq!(survey.doubts.len(), 2);
    assert!(doubts(&survey)[1].contains("would never end"));
}

#[test]
fn python_is_run_by_whoever_installed_it() {
    let project = "[project]\nname = 'a'\n[dependency-groups]\ndev = ['pytest>=8', 'pytest-cov', 'mypy']\n[tool.ruff]\nline-length = 99";
    let survey = found(&[("pyproject.toml", project), ("uv.lock", "")]);
    assert_eq!(
        checks(&survey),
        [
            "test: uv run --no-sync pytest",
            "coverage: uv run --no-sync pytest --cov",
            "lint: ruff check .",
            "types: uv run --no-sync mypy .",
        ]
    );
    assert_eq!(prepared(&survey), ["python: uv sync --frozen | uv.lock | .venv"]);
    let poetry = "[tool.poetry]\nname = 'a'\n[tool.poetry.group.dev.dependencies]\npytest = '*'";
    let survey = found(&[("py/pyproject.toml", poetry), ("py/poetry.lock", "")]);
    assert_eq!(checks(&survey), ["py-test: poetry --directory py run pytest"]);
    assert_eq!(survey.preparations[0].env["POETRY_VIRTUALENVS_IN_PROJECT"], "true");
}

#[test]
fn pip_installs_into_an_environment_of_the_tree() {
    let survey = found(&[
        ("requirements.txt", "# for tests\npytest==8.4.2\n-e .\n"),
        ("test_a.py", "def test(): pass"),
    ]);
    assert_eq!(checks(&survey), ["test: .venv/bin/python -m pytest"]);
    assert_eq!(
        prepared(&survey),
        [
            "python: sh -c 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt' | requirements.txt | .venv"
        ]
    );
    let project = "[build-system]\nrequires = ['setuptools']\n[project]\nname = 'a'\n[project.optional-dependencies]\ntest = ['pytest']";
    let survey = found(&[("my app/pyproject.toml", project)]);
    assert_eq!(
        survey.preparations[0].words[2],
        "cd 'my app' && python3 -m venv .venv && .venv/bin/pip install -e '.[test]'"
    );
    assert_eq!(
        survey.commands[0].words,
        ["sh", "-c", "cd 'my app' && .venv/bin/python -m pytest"]
    );
}

#[test]
fn what_tests_need_is_installed_whoever_lists_it() {
    let install = |files: &[(&str, &str)]| argv::line(&found(files).preparations[0].words);
    let uv = |groups: &str| {
        let project = format!("[project]\nname = 'a'\n{groups}");
        install(&[("pyproject.toml", project.as_str()), ("uv.lock", "")])
    };
    for (groups, words) in [
        ("[dependency-groups]\ndev = ['pytest']", "uv sync --frozen"),
        (
            "[dependency-groups]\ntests = ['pytest']",
            "uv sync --frozen --group tests",
        ),
        (
            "[dependency-groups]\ntests = ['pytest']\n[tool.uv]\ndefault-groups = ['tests']",
            "uv sync --frozen",
        ),
        (
            "[project.optional-dependencies]\ncli = ['click']\ntesting = ['pytest']",
            "uv sync --frozen --extra testing",
        ),
        ("[project.optional-dependencies]\ndocs = ['pytest']", "uv sync --frozen"),
    ] {
        assert_eq!(uv(groups), words, "{groups}");
    }
    let poetry = "[tool.poetry]\nname = 'a'\n[tool.poetry.group.test]\noptional = true\n[tool.poetry.group.test.dependencies]\npytest = '*'";
    assert_eq!(
        install(&[("pyproject.toml", poetry), ("poetry.lock", "")]),
        "poetry install --no-interaction --with test"
    );
    let pip = |more: &[(&str, &str)]| {
        let plain = "[build-system]\nrequires = ['hatchling']\n[project]\nname = 'a'\n";
        let manifest = more.iter().find(|(name, _)| *name == "pyproject.toml");
        let manifest = format!("{plain}{}", manifest.map(|(_, text)| *text).unwrap_or_default());
        let others = more.iter().copied().filter(|(name, _)| *name != "pyproject.toml");
        let files: Vec<(&str, &str)> = others.chain([("pyproject.toml", manifest.as_str())]).collect();
        let survey = found(&files);
        assert_eq!(checks(&survey)[0], "test: .venv/bin/python -m pytest", "{survey:#?}");
        let (_, install) = survey.preparations[0].words[2]
            .split_once("pip install ")
            .expect("an install");
        format!("{} | {}", install, survey.preparations[0].key.join(" "))
    };
    let included =
        "[dependency-groups]\nruns = ['pytest>=8']\ntest = [{include-group = 'runs'}, 'hypothesis']\ndocs = ['sphinx']";
    assert_eq!(
        pip(&[("pyproject.toml", included)]),
        "-e . hypothesis 'pytest>=8' | pyproject.toml"
    );
    let hatch = "[tool.hatch.envs.default]\ndependencies = ['pytest', 'pytest-mock']\n[tool.hatch.envs.docs]\ndependencies = ['mkdocs']";
    assert_eq!(
        pip(&[("pyproject.toml", hatch)]),
        "-e . pytest pytest-mock | pyproject.toml"
    );
    let tox = "[tox]\nenvlist = py3\n[testenv]\ndeps =\n  # runners\n  pytest\n  py39: mock\n  {[base]deps}\ncommands = pytest {posargs}\n[testenv:docs]\ndeps = sphinx\n";
    assert_eq!(pip(&[("tox.ini", tox)]), "-e . pytest mock | pyproject.toml tox.ini");
    let nox = "import nox\n\n@nox.session\ndef docs(session):\n    session.install('sphinx')\n\n@nox.session\ndef tests(session):\n    session.install(\n        '-e', '.',\n        'pytest', 'coverage[toml]',\n    )\n    session.run('pytest')\n";
    assert_eq!(
        pip(&[("noxfile.py", nox)]),
        "-e . pytest 'coverage[toml]' | pyproject.toml noxfile.py"
    );
}

#[test]
fn pdm_installs_into_the_tree_and_tests_run_without_it() {
    let project = "[project]\nname = 'a'\n[tool.pdm.dev-dependencies]\ntest = ['pytest']";
    let survey = found(&[("pyproject.toml", project), ("pdm.lock", "")]);
    assert_eq!(checks(&survey), ["test: .venv/bin/python -m pytest"]);
    assert_eq!(
        prepared(&survey),
        ["python: pdm install --frozen-lockfile | pdm.lock | .venv"]
    );
    assert_eq!(survey.tools[0].name, "Python with pdm");
    let built = "[project]\nname = 'a'\ndependencies = ['pytest']\n[build-system]\nrequires = ['pdm-backend']\n[tool.pdm]\nversion = {}";
    let survey = found(&[("pyproject.toml", built)]);
    assert_eq!(survey.tools[0].name, "Python with pip", "it only builds the package");
}

#[test]
fn scripts_are_known_by_the_names_that_continuous_integration_uses() {
    let package = r#"{"scripts": {"check:lint": "eslint .", "check:types": "tsc", "test:ci": "jest --ci"}, "devDependencies": {"jest": "30"}}"#;
    let survey = found(&[("package.json", package), ("pnpm-lock.yaml", "")]);
    assert_eq!(
        checks(&survey),
        [
            "test: pnpm run test:ci",
            "lint: pnpm run check:lint",
            "types: pnpm run check:types"
        ]
    );
    assert_eq!(survey.commands[0].script, Some(ScriptRunner::Jest));
    for (script, runner) in [
        ("vitest run", Some(ScriptRunner::Vitest)),
        ("node --test", Some(ScriptRunner::Node)),
        ("node --experimental-strip-types --test", Some(ScriptRunner::Node)),
        ("node --test test/a.js", None),
        ("node build.js", None),
        ("tsc && jest", None),
        ("jest --reporters=default", None),
    ] {
        let package = format!(r#"{{"scripts": {{"test": "{script}"}}}}"#);
        assert_eq!(
            found(&[("package.json", &package)]).commands[0].script,
            runner,
            "{script}"
        );
    }
}

#[test]
fn python_without_packages_runs_what_it_brings() {
    let survey = found(&[("setup.cfg", ""), ("tests/test_a.py", "import unittest")]);
    assert_eq!(checks(&survey), [""; 0], "a lone setup.cfg marks no project");
    let survey = found(&[
        ("pyproject.toml", "[project]\nname = 'a'"),
        ("tests/test_a.py", "import unittest"),
    ]);
    assert_eq!(checks(&survey), ["test: python3 -m unittest discover -s tests"]);
    let survey = found(&[
        ("pyproject.toml", "[project]\nname = 'a'"),
        ("tests/test_a.py", "def test(): pass"),
    ]);
    assert_eq!(checks(&survey), [""; 0]);
    assert!(doubts(&survey)[0].contains("nothing says what runs them"));
    assert_eq!(found(&[("pyproject.toml", "[tool.ruff]\n")]), Survey::default());
}

#[test]
fn go_compiles_its_library_once_and_downloads_only_what_it_locked() {
    let survey = found(&[("go.mod", "module a"), ("a_test.go", "")]);
    assert_eq!(
        checks(&survey),
        ["test: go test ./...", "lint: go vet ./...", "build: go build ./..."]
    );
    assert_eq!(prepared(&survey), ["go-std: go build std | go.mod | ~/.cache/go-build"]);
    let survey = found(&[("api/go.mod", "module a"), ("api/go.sum", ""), ("api/x/a_test.go", "")]);
    assert_eq!(survey.commands[0].words, ["sh", "-c", "cd api && go test ./..."]);
    assert_eq!(
        prepared(&survey),
        [
            "api-go-std: sh -c 'cd api && go build std' | api/go.sum | ~/.cache/go-build",
            "api-go: sh -c 'cd api && go mod download' | api/go.sum | ~/go/pkg/mod"
        ]
    );
    let vendored = found(&[("go.mod", "module a"), ("go.sum", ""), ("vendor/modules.txt", "")]);
    assert_eq!(
        prepared(&vendored),
        ["go-std: go build std | go.sum | ~/.cache/go-build"]
    );
}

#[test]
fn java_is_built_by_the_wrapper_it_brings() {
    let survey = found(&[("pom.xml", "<project/>"), ("core/pom.xml", "<project/>")]);
    assert_eq!(
        checks(&survey),
        [
            "test: mvn --batch-mode --offline test",
            "build: mvn --batch-mode --offline -DskipTests package"
        ]
    );
    let survey = found(&[("app/build.gradle", "plugins { id 'checkstyle' }"), ("app/gradlew", "")]);
    assert_eq!(
        checks(&survey),
        [
            "app-test: ./app/gradlew --project-dir app --no-daemon --offline test",
            "app-build: ./app/gradlew --project-dir app --no-daemon --offline assemble",
            "app-lint: ./app/gradlew --project-dir app --no-daemon --offline checkstyleMain",
        ]
    );
    assert_eq!(survey.preparations[0].keep, ["~/.gradle"]);
}

#[test]
fn targets_are_known_by_their_names() {
    let makefile =
        "CC := gcc\n.PHONY: test lint\nall: test\ntest lint: build\n\tcc\nbuild:\n\tcc -o check: x\ncoverage = 1\n";
    let survey = found(&[("Makefile", makefile), ("sub/Makefile", "check:\n\ttrue\n")]);
    assert_eq!(
        checks(&survey),
        [
            "test: make test",
            "lint: make lint",
            "build: make build",
            "sub-test: make -C sub check"
        ]
    );
    let justfile = "x := '1'\n# test\n@test *args:\n  true\nlint target:\n  true\ncoverage min='80':\n  true\n";
    let survey = found(&[("justfile", justfile)]);
    assert_eq!(checks(&survey), ["test: just test", "coverage: just coverage"]);
}

#[test]
fn a_target_that_most_likely_calls_another_tool_is_only_told() {
    let survey = found(&[
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("Makefile", "test:\n\tcargo test\ncoverage:\n\tcargo llvm-cov\n"),
    ]);
    assert_eq!(checks(&survey)[2..], ["coverage: make coverage"]);
    assert!(
        doubts(&survey).iter().any(|doubt| doubt.contains("most likely")),
        "{survey:#?}"
    );
}

#[test]
fn two_tools_of_one_folder_have_names_of_their_own() {
    let survey = found(&[
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("package.json", r#"{"scripts": {"test": "node --test"}}"#),
        ("apps/web/package.json", r#"{"scripts": {"test": "node --test"}}"#),
    ]);
    let names: Vec<&str> = survey.commands.iter().map(|command| command.name.as_str()).collect();
    assert_eq!(names, ["test", "types", "node-test", "apps-web-test"]);
}

#[test]
fn what_belongs_to_somebody_else_is_not_looked_at() {
    for folder in [
        "node_modules/a",
        "vendor/a",
        "tests/fixtures/a",
        "examples",
        ".hidden",
        "a/b/c/d",
    ] {
        let path = format!("{folder}/package.json");
        assert_eq!(
            found(&[(&path, r#"{"scripts": {"test": "x"}}"#)]),
            Survey::default(),
            "{folder}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_is_told_not_guessed() {
    let survey = found(&[
        ("Cargo.toml", "[package"),
        ("package.json", "{"),
        ("pyproject.toml", "="),
    ]);
    assert_eq!(survey.commands, []);
    assert_eq!(survey.doubts.len(), 3, "{survey:#?}");
}

#[test]
fn a_repository_of_very_many_projects_is_told_where_the_survey_ended() {
    let paths: Vec<String> = (10..40).map(|number| format!("p{number}/Makefile")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "test:\n")).collect();
    let survey = found(&files);
    assert_eq!(survey.commands.len(), 12);
    assert_eq!(survey.doubts.len(), 18);
}

#[test]
fn a_line_of_words_merely_joined_would_not_read_back() {
    let words = ["sh", "-c", "cd a && b"].map(str::to_owned);
    assert_ne!(argv::words(&words.join(" ")), Ok(words.to_vec()));
    assert_eq!(argv::words(&argv::line(&words)), Ok(words.to_vec()));
}

proptest! {
    /// Whatever a folder is called, each command is a line that reads back as
    /// the same words, and each name is one that a task file may use.
    #[test]
    fn every_command_reads_back_as_the_same_words(folder in "[a-zé '\"$;-]{1,8}") {
        let path = |name: &str| format!("{folder}/{name}");
        let files = [
            (path("Cargo.toml"), "[package]\nname = 'a'"),
            (path("package.json"), r#"{"scripts": {"test": "x"}, "dependencies": {"a": "1"}}"#),
            (path("go.mod"), "module a"),
            (path("go.sum"), ""),
            (path("a_test.go"), ""),
            (path("requirements.txt"), "pytest"),
            (path("build.gradle"), ""),
            (path("Makefile"), "test:\n"),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let survey = found(&files);
        prop_assert!(!survey.commands.is_empty());
        let words = survey.commands.iter().map(|command| &command.words);
        for words in words.chain(survey.preparations.iter().map(|preparation| &preparation.words)) {
            prop_assert_eq!(argv::words(&argv::line(words)), Ok(words.clone()));
        }
        for command in &survey.commands {
            prop_assert!(command.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        }
    }
}
