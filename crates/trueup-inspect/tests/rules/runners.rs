//! Which runner a command calls in the end.

use crate::{tree, words};
use trueup_core::kind::Runner::{self, *};
use trueup_inspect::rules::runner;

/// A tree whose scripts and recipes lead to runners.
const TREE: &[(&str, &str)] = &[
    (
        "package.json",
        r#"{"scripts": {"test": "vitest run", "unit": "cross-env CI=1 npm run deep", "deep": "jest --ci", "lint": "eslint .",
            "loop": "npm run loop; npm run loop; npm run loop; npm run loop; npm run loop; npm run loop; npm run loop; npm run loop; npm run loop; npm run loop", "pretested": "tsc", "tested": "node a.js", "posttested": "mocha", "all": "run-s lint unit"}}"#,
    ),
    ("web/package.json", r#"{"scripts": {"test": "node --test"}}"#),
    (
        "Makefile",
        "PYTHON ?= python3\nRUN = $(PYTHON) -m\n.PHONY: test\nall: lint\n\ntest: build\n\t@$(RUN) pytest -q \\\n\t\t--tb=short\n\
         lint:\n\truff check .\nbuild:\n\tgo build ./...\ncheck: test\nsub:\n\t$(MAKE) -C web\ninline: ; cargo test\nloop: loop\n\t$(MAKE) loop\n",
    ),
    ("web/Makefile", "go:\n\tcd .. && go test ./...\n"),
    (
        "justfile",
        "flags := '-q'\n\ndefault: lint\n\nlint:\n    cargo clippy\n\ntest filter='': lint\n    cargo nextest run {{filter}}\n\nci: (test 'x')\n",
    ),
    (
        "scripts/test.sh",
        "#!/usr/bin/env bash\nset -euo pipefail\ncd web && npm test\n",
    ),
    ("run", "#!/bin/sh\nexec python3 -m unittest discover\n"),
    (
        "tox.ini",
        "[tox]\nenvlist = py\n[testenv]\ndeps = x\ncommands =\n    pip check\n    pytest {posargs}\n",
    ),
    ("noxfile.py", "def tests(session):\n    session.run('pytest')\n"),
    ("check.py", "import pytest\npytest.main()\n"),
    ("tests/old.py", "import unittest\nunittest.main()\n"),
    ("plain.py", "print('hello')\n"),
];

/// A command, and the runner it calls in the end.
const CALLS: &[(&str, Option<Runner>)] = &[
    ("pytest -q", Some(Pytest)),
    (".venv/bin/pytest tests", Some(Pytest)),
    ("python -m pytest", Some(Pytest)),
    ("python3.12 -I -B -m pytest", Some(Pytest)),
    ("uv run pytest", Some(Pytest)),
    ("uv run --with x --frozen python -m pytest", Some(Pytest)),
    ("poetry run pytest", Some(Pytest)),
    ("coverage run --source a -m pytest", Some(Pytest)),
    ("python -m coverage run -m unittest", Some(Unittest)),
    ("python -c 'import pytest; pytest.main()'", Some(Pytest)),
    ("python check.py", Some(Pytest)),
    ("python tests/old.py", Some(Unittest)),
    ("python manage.py test", Some(Unittest)),
    ("python -m unittest", Some(Unittest)),
    ("tox -e py", Some(Pytest)),
    ("nox", Some(Pytest)),
    ("npx vitest run", Some(Vitest)),
    ("node_modules/.bin/vitest run", Some(Vitest)),
    ("node node_modules/vitest/vitest.mjs run", Some(Vitest)),
    ("node --no-warnings node_modules/jest/bin/jest.js", Some(Jest)),
    ("npm test", Some(Vitest)),
    ("npm t", Some(Vitest)),
    ("npm test -- --passWithNoTests", Some(Vitest)),
    ("npm --silent run unit", Some(Jest)),
    ("npm run --silent unit", Some(Jest)),
    ("npm run all", Some(Jest)),
    ("npm run tested", Some(Mocha)),
    ("npm --prefix web test", Some(NodeTest)),
    ("npm run test --prefix=web", Some(NodeTest)),
    ("pnpm run test --prefix=web", Some(Vitest)),
    ("npm -w web test", Some(NodeTest)),
    ("pnpm test", Some(Vitest)),
    ("pnpm vitest run", Some(Vitest)),
    ("pnpm exec jest", Some(Jest)),
    ("pnpm --dir web run test", Some(NodeTest)),
    ("yarn unit", Some(Jest)),
    ("yarn mocha", Some(Mocha)),
    ("npm --prefix nowhere test", Some(Other)),
    ("bun test", Some(Other)),
    ("bun run unit", Some(Jest)),
    ("node --test", Some(NodeTest)),
    ("node --import tsx --test src", Some(NodeTest)),
    ("cargo test", Some(CargoTest)),
    ("cargo +nightly test --workspace", Some(CargoTest)),
    ("cargo --locked t", Some(CargoTest)),
    ("cargo nextest run", Some(Nextest)),
    ("cargo llvm-cov nextest --lcov", Some(Nextest)),
    ("cargo llvm-cov --lcov", Some(CargoTest)),
    ("go test ./...", Some(GoTest)),
    ("gotestsum --format x", Some(GoTest)),
    ("./mvnw -B verify", Some(Maven)),
    ("./gradlew :app:test", Some(Gradle)),
    ("make test", Some(Pytest)),
    ("make check", Some(Pytest)),
    ("make -C web", Some(GoTest)),
    ("make sub", Some(GoTest)),
    ("make inline", Some(CargoTest)),
    ("just test", Some(Nextest)),
    ("just ci", Some(Nextest)),
    ("scripts/test.sh", Some(NodeTest)),
    ("bash scripts/test.sh", Some(NodeTest)),
    ("./run", Some(Unittest)),
    ("bash -c 'pytest || true'", Some(Pytest)),
    (
        "bash -o pipefail -c 'npm test -- --passWithNoTests | tail -5'",
        Some(Vitest),
    ),
    ("bash -euo pipefail -c 'cd web && npm test'", Some(NodeTest)),
    ("sh -c 'out=$(cargo test 2>&1); echo \"$out\"'", Some(CargoTest)),
    ("sh -c 'echo \"$(go test ./...)\" > log; true'", Some(GoTest)),
    ("sh -c 'if ! pytest >/dev/null 2>&1; then exit 1; fi'", Some(Pytest)),
    ("env A=b PYTHONPATH=src timeout 60 pytest", Some(Pytest)),
];

#[test]
fn a_runner_is_found_however_it_is_called() {
    let tree = tree(TREE);
    for (line, wanted) in CALLS {
        assert_eq!(runner(&words(line), &tree), *wanted, "{line}");
    }
}

#[test]
fn a_command_that_runs_no_tests_has_no_runner() {
    let rows = [
        "true",
        "npm run lint",
        "npm run loop",
        "npm ci",
        "make lint",
        "make",
        "make loop",
        "just",
        "just lint",
        "cargo build",
        "cargo test --no-run",
        "cargo llvm-cov report",
        "go vet ./...",
        "./mvnw package -DskipTests",
        "./gradlew build -x test",
        "python plain.py",
        "python -m build",
        "node server.js",
        "cat pytest.ini",
        "grep -r pytest .",
        "bash -c 'echo pytest'",
        "bash -c '# pytest'",
    ];
    let tree = tree(TREE);
    for line in rows {
        assert_eq!(runner(&words(line), &tree), None, "{line}");
    }
    assert_eq!(runner(&[], &tree), None);
}
