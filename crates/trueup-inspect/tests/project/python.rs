//! Python projects, by whoever installs their packages.

use super::{checks, doubts, found, prepared, released};
use trueup_inspect::{argv, project::Survey};

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
    assert_eq!(survey.commands[0].reported().1, Some("junit"));
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
fn a_package_that_asks_git_for_its_version_is_told_that_of_the_last_release() {
    let project = "[build-system]\nrequires = ['hatch-vcs', 'hatchling']\n[project]\nname = 'a'\n[project.optional-dependencies]\ntest = ['pytest']";
    for (tag, version) in [
        (Some("1.4.0"), "1.4.0"),
        (Some("v2.0.1"), "2.0.1"),
        (Some("name-3.1rc2"), "3.1"),
        (Some("latest"), "0.1.0"),
        (None, "0.1.0"),
    ] {
        let survey = released(tag, &[("pyproject.toml", project)]);
        let env = &survey.preparations[0].env;
        assert_eq!(env["SETUPTOOLS_SCM_PRETEND_VERSION"], version, "{tag:?}");
    }
    let plain = found(&[("pyproject.toml", &project.replace("'hatch-vcs', ", ""))]);
    assert!(!plain.preparations[0].env.contains_key("SETUPTOOLS_SCM_PRETEND_VERSION"));
    for (requires, more, variable) in [
        ("setuptools_scm[toml]>=8", "", Some("SETUPTOOLS_SCM_PRETEND_VERSION")),
        (
            "pdm-backend",
            "[tool.pdm.version]\nsource = 'scm'",
            Some("PDM_BUILD_SCM_VERSION"),
        ),
        ("pdm-backend", "", None),
        (
            "poetry-dynamic-versioning",
            "",
            Some("POETRY_DYNAMIC_VERSIONING_BYPASS"),
        ),
    ] {
        let project = format!("[build-system]\nrequires = ['{requires}']\n[project]\nname = 'a'\n{more}");
        let survey = found(&[("pyproject.toml", &project)]);
        let env = &survey.preparations[0].env;
        let told = env.keys().find(|name| !name.starts_with("PIP_"));
        assert_eq!(told.map(String::as_str), variable, "{requires} {more}");
    }
}

#[test]
fn a_file_that_the_build_writes_into_the_tree_is_there_when_tests_run() {
    let project = "[build-system]\nrequires = ['hatch-vcs']\n[project]\nname = 'a'\n[tool.pytest]\n[tool.hatch.build.hooks.vcs]\nversion-file = 'src/a/_version.py'";
    let survey = found(&[("pyproject.toml", project)]);
    assert_eq!(
        survey.preparations[0].words[2],
        "python3 -m venv .venv && .venv/bin/pip install -e . \
         && mkdir -p .venv/written/src/a && cp src/a/_version.py .venv/written/src/a"
    );
    assert_eq!(
        checks(&survey),
        ["test: sh -c 'cp -R .venv/written/. . && .venv/bin/python -m pytest'"]
    );
    let (words, parse) = survey.commands[0].reported();
    assert_eq!(
        (words[2].as_str(), parse),
        (
            "cp -R .venv/written/. . && .venv/bin/python -m pytest '--junitxml={{out}}/junit.xml'",
            Some("junit")
        )
    );
    let committed = found(&[("pyproject.toml", project), ("src/a/_version.py", "")]);
    assert_eq!(checks(&committed), ["test: .venv/bin/python -m pytest"]);
    let hostile = project.replace("src/a/_version.py", "../$(sh)");
    assert_eq!(
        checks(&found(&[("pyproject.toml", &hostile)])),
        ["test: .venv/bin/python -m pytest"]
    );
}

#[test]
fn a_tool_that_a_check_calls_is_installed_whoever_lists_it() {
    let project = "[build-system]\nrequires = ['flit_core']\n[project]\nname = 'a'\n[dependency-groups]\ntests = ['pytest']\ntyping = ['mypy', 'rich']\ndev = [{include-group = 'tests'}, {include-group = 'typing'}]";
    let tox = "[testenv:flake8]\ndeps =\n  flake8\n  flake8-black\n";
    let survey = found(&[("pyproject.toml", project), ("tox.ini", tox)]);
    assert_eq!(
        checks(&survey)[1..],
        ["lint: .venv/bin/python -m flake8", "types: .venv/bin/python -m mypy ."]
    );
    let words = &survey.preparations[0].words[2];
    assert!(
        words.contains("pip install -e . pytest flake8 flake8-black "),
        "{words}"
    );
    assert!(words.contains(" mypy rich"), "{words}");
    let hooks = "repos:\n  - repo: https://github.com/astral-sh/ruff-pre-commit\n    rev: \"v0.15.16\"  # newest\n    hooks:\n      - id: ruff\n";
    let hooked = found(&[
        ("pyproject.toml", "[project]\nname = 'a'\n[tool.ruff]"),
        (".pre-commit-config.yaml", hooks),
    ]);
    assert_eq!(checks(&hooked), ["lint: .venv/bin/python -m ruff check ."]);
    assert!(
        hooked.preparations[0].words[2].ends_with("pip install ruff==0.15.16"),
        "{hooked:#?}"
    );
    let locked = found(&[("pyproject.toml", project), ("tox.ini", tox), ("uv.lock", "")]);
    assert_eq!(
        prepared(&locked),
        [
            "python: sh -c 'uv sync --frozen --group tests --group typing && uv pip install flake8 flake8-black' | uv.lock | .venv"
        ]
    );
}

#[test]
fn tests_may_call_the_programs_of_their_own_package_by_name() {
    let project = "[build-system]\nrequires = ['flit_core']\n[project]\nname = 'a'\n[project.scripts]\na = 'a:main'\n[tool.pytest]\n[tool.ruff]\n[dependency-groups]\ndev = ['ruff']";
    let survey = found(&[("pyproject.toml", project)]);
    assert_eq!(
        checks(&survey),
        [
            "test: sh -c 'export PATH=\"$PWD/.venv/bin:$PATH\" && .venv/bin/python -m pytest'",
            "lint: .venv/bin/python -m ruff check ."
        ]
    );
    assert_eq!(survey.commands[0].reported().1, Some("junit"));
    let locked = found(&[("pyproject.toml", project), ("uv.lock", "")]);
    assert_eq!(
        checks(&locked)[0],
        "test: uv run --no-sync pytest",
        "uv does so by itself"
    );
}

#[test]
fn pytest_behind_a_recipe_is_asked_for_its_report_by_a_variable() {
    let asked = |makefile: &str| {
        let survey = found(&[("Makefile", makefile)]);
        let (words, parse) = survey.commands[0].reported();
        (words.join(" "), parse)
    };
    for makefile in [
        "test: lint\n\t.venv/bin/python -m pytest -q\nlint:\n\truff check\n",
        "PY = uv run\ntest:\n\t$(PY) pytest tests\n\tmypy src\n",
    ] {
        let wanted = "env PYTEST_ADDOPTS=--junitxml={{out}}/junit.xml make test";
        assert_eq!(asked(makefile), (wanted.to_owned(), Some("junit")), "{makefile}");
    }
    for unsure in [
        "test:\n\tpytest a\n\tpytest b\n",
        "test:\n\ttox\n",
        "test:\n\tpytest --junitxml=here.xml\n",
        "export PYTEST_ADDOPTS = -x\ntest:\n\tpytest\n",
        "test:\n\tfor d in a b; do (cd $$d && pytest); done\n",
        "test:\n\tsh all.sh\n",
    ] {
        assert_eq!(asked(unsure), ("make test".to_owned(), None), "{unsure}");
    }
}
