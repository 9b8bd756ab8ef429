//! Files that are protected as a whole, and lock files.

use trueup_inspect::rules::{catalogue, differences};

/// What is protected, and a path of that sort.
const PROTECTED: &[(&str, &str)] = &[
    ("trueup's own configuration", "trueup.toml"),
    ("trueup's own local configuration", "trueup.local.toml"),
    ("settings for tests", ".env.test"),
    ("settings for tests on one machine", ".env.test.local"),
    ("settings of a package for tests", "web/.env.testing"),
    ("settings for CI", ".env.ci"),
    ("settings for development", ".env.development"),
    ("settings of one machine", ".env.local"),
    ("settings", ".env"),
    ("hooks of lefthook in another spelling", ".lefthook.toml"),
    ("what mise runs for a folder", ".config/mise/config.toml"),
    ("tasks of mise", ".mise/tasks/setup"),
    ("settings of an agent that begin with a dot", ".crush.json"),
    ("settings of one more agent", ".qwen/settings.json"),
    ("words for one more agent", ".junie/guidelines.md"),
    ("CI of one more house", ".cirrus.yml"),
    ("builders of an editor", ".externalToolBuilders/make.launch"),
    ("what an interpreter reads first", ".Renviron"),
    ("what a build tool runs", "tools/bazel"),
    ("styles of what vite reads", "postcss.config.cjs"),
    ("styles of what vite reads, by another name", "web/.postcssrc.json"),
    ("tailwind.config.ts", "tailwind.config.ts"),
    ("webpack.config.js", "webpack.config.js"),
    ("tsup.config.ts", "tsup.config.ts"),
    (".browserslistrc", ".browserslistrc"),
    ("a plugin of babel's", "tools/babel-plugin-tidy.js"),
    ("where yarn finds packages", ".pnp.cjs"),
    ("phpunit.xml.dist", "phpunit.xml.dist"),
    ("CMakeLists.txt", "lib/CMakeLists.txt"),
    ("a standard package shadowed", "json/__init__.py"),
    (
        "a standard module shadowed by a compiled one",
        "random.cpython-312-x86_64-linux-gnu.so",
    ),
    ("a standard module shadowed in src", "src/typing.py"),
    ("a package of the runner shadowed", "tests/iniconfig/__init__.py"),
    ("a task", "tasks/0001-greet.md"),
    ("what lies beside a task", "tasks/hidden/check.sh"),
    ("conftest.py at the root", "conftest.py"),
    (
        "entry points of a package that is not installed",
        "zz.egg-info/entry_points.txt",
    ),
    (
        "entry points of a package beside the code",
        "a/zz-1.0.dist-info/entry_points.txt",
    ),
    ("what a debugger runs", ".gdbinit"),
    ("what an interpreter runs", "tools/.Rprofile"),
    ("what an editor runs", ".helix/languages.toml"),
    ("conftest.py beside tests", "tests/unit/conftest.py"),
    ("pytest.ini", "pytest.ini"),
    ("noxfile.py", "noxfile.py"),
    ("what coverage counts", ".coveragerc"),
    ("sitecustomize.py", "src/sitecustomize.py"),
    ("usercustomize.py", "usercustomize.py"),
    ("a .pth file", "lib/inject.pth"),
    ("compiled Python", "app/__pycache__/a.cpython-312.pyc"),
    ("pytest shadowed", "pytest.py"),
    ("pytest shadowed in a folder", "tests/pytest.py"),
    ("pytest's inside shadowed", "_pytest/runner.py"),
    ("pytest shadowed by a package", "src/pytest/__init__.py"),
    ("unittest shadowed", "src/unittest.py"),
    ("a standard module shadowed", "time.py"),
    ("a standard module shadowed beside tests", "tests/traceback.py"),
    ("vitest shadowed", "vitest.js"),
    ("jest shadowed", "src/jest.ts"),
    ("vitest.config.ts", "web/vitest.config.ts"),
    ("vite.config.js", "vite.config.js"),
    ("jest.config.cjs", "jest.config.cjs"),
    (".mocharc.yml", ".mocharc.yml"),
    ("babel.config.js", "babel.config.js"),
    ("a setup file of vitest", "vitest.setup.ts"),
    ("a setup file of jest", "src/setupTests.js"),
    ("a setup file beside tests", "tests/setup.ts"),
    ("a manual mock", "src/__mocks__/fs.js"),
    ("a link in the place of node_modules", "node_modules"),
    ("a shim in node_modules/.bin", "node_modules/.bin/vitest"),
    ("a package in node_modules", "web/node_modules/vitest/package.json"),
    ("a shim on the path", "bin/pytest"),
    ("a shim of npm", "tools/npm"),
    (".npmrc", ".npmrc"),
    (".envrc", ".envrc"),
    ("a yarn release", ".yarn/releases/yarn.cjs"),
    ("cargo's configuration", ".cargo/config.toml"),
    ("cargo's configuration of old", ".cargo/config"),
    ("nextest's configuration", ".config/nextest.toml"),
    ("the toolchain", "rust-toolchain.toml"),
    ("a build script", "crates/a/build.rs"),
    ("go.work", "go.work"),
    ("Makefile", "Makefile"),
    ("GNUmakefile, which make prefers", "GNUmakefile"),
    ("an included makefile", "mk/test.mk"),
    ("justfile", "justfile"),
    ("pom.xml", "pom.xml"),
    ("build.gradle", "app/build.gradle"),
    ("eslint.config.mjs", "eslint.config.mjs"),
    (".eslintrc.json", ".eslintrc.json"),
    (".eslintignore", ".eslintignore"),
    ("tsconfig.json", "tsconfig.json"),
    ("tsconfig.build.json", "tsconfig.build.json"),
    ("ruff.toml", "ruff.toml"),
    ("mypy.ini", "mypy.ini"),
    (".golangci.yml", ".golangci.yml"),
    ("a workflow", ".github/workflows/ci.yml"),
    (".gitlab-ci.yml", ".gitlab-ci.yml"),
    ("Jenkinsfile", "Jenkinsfile"),
    (".circleci", ".circleci/config.yml"),
    (".ci", ".ci/run"),
    ("an agent's hooks", ".claude/settings.json"),
    ("an agent's servers", ".mcp.json"),
    ("an agent's servers in a folder", "web/.cursor/mcp.json"),
    ("an agent's rules of old", ".cursorrules"),
    ("Codex's configuration", ".codex/config.toml"),
    ("Gemini's settings", ".gemini/settings.json"),
    ("what agents read first", "AGENTS.md"),
    ("what Claude Code reads first", "api/CLAUDE.md"),
    ("what Copilot reads first", ".github/copilot-instructions.md"),
    ("tasks of an editor", ".vscode/tasks.json"),
    ("run configurations of an editor", ".idea/runConfigurations/a.xml"),
    ("a container for development", ".devcontainer/devcontainer.json"),
    ("a file that vim runs", ".exrc"),
    ("a file that Emacs obeys", "src/.dir-locals.el"),
    ("a hook of husky", ".husky/pre-commit"),
    ("lefthook", "lefthook.yml"),
    ("lint-staged", ".lintstagedrc.json"),
    ("filters of git", ".gitattributes"),
    ("submodules", ".gitmodules"),
    ("a container's recipe", "Dockerfile"),
    ("another container's recipe", "deploy/Dockerfile.worker"),
    ("containers together", "docker-compose.override.yml"),
    ("a shell of nix", "flake.nix"),
    ("what a platform starts", "Procfile"),
];

/// One row per rule: whichever way such a file is touched, it is told.
#[test]
fn a_protected_file_is_told_when_it_is_added_changed_or_removed() {
    for (rule, path) in PROTECTED {
        let (one, two): (&[u8], &[u8]) = (br#"{"a": 1}"#, br#"{"a": 2, "b": [}"#);
        let ways = [(None, Some(one)), (Some(one), Some(two)), (Some(two), None)];
        for (before, after) in ways {
            let found = differences(catalogue(), path, before, after, "tasks");
            assert_eq!(found.len(), 1, "{rule}: {path} {found:?}");
            let first = found.first().expect("one");
            assert_eq!((&first.path[..], &first.key), (*path, &None), "{rule}");
            let done = ["added; ", "changed; ", "removed; "]
                .iter()
                .any(|done| first.what.starts_with(done));
            assert!(done && !first.what.contains("take that back"), "{}", first.what);
        }
    }
}

#[test]
fn another_spelling_of_a_protected_file_is_no_difference() {
    let rows = [
        (
            "tsconfig.json",
            "{\"a\": 1, \"b\": [2, 3]}",
            "// said\n{\n  \"b\": [2, 3,], /* x */\n  \"a\": 1,\n}",
        ),
        (
            "biome.json",
            "{\"u\": \"http://x/*y*/\"}",
            "{ \"u\" : \"http://x/*y*/\" }",
        ),
        ("ruff.toml", "a = 1\n[lint]\nb = 'x'\n", "# why\na=1\nlint.b = \"x\"\n"),
        (".cargo/config", "[build]\njobs = 2\n", "[build]\n# two\njobs = 2\n"),
        (
            ".github/workflows/ci.yml",
            "a: 1\nb: [x, y]\n",
            "# ci\nb:\n  - x\n  - y\na: 1\n",
        ),
        (
            "pytest.ini",
            "[pytest]\naddopts = -q\n",
            "; quiet\n[pytest]\n\naddopts=-q\n",
        ),
        (
            "mypy.ini",
            "[mypy]\nfiles =\n  a\n  b\n",
            "[mypy]\nfiles =\n    a\n    # c\n    b\n",
        ),
        (".npmrc", "engine-strict=true\n", "# strict\nengine-strict = true\n"),
        (
            "pom.xml",
            "<project><dependencies><dependency>a</dependency></dependencies><build>x</build></project>",
            "<project>\n <!-- b --><dependencies><dependency>b</dependency></dependencies>\n <build>x</build></project>",
        ),
        (
            "build.gradle",
            "plugins { a }\ndependencies {\n  x\n}\n",
            "// p\nplugins { a }\n\ndependencies {\n  x\n  y {\n z\n }\n}\n",
        ),
    ];
    for (path, before, after) in rows {
        let found = differences(
            catalogue(),
            path,
            Some(before.as_bytes()),
            Some(after.as_bytes()),
            "tasks",
        );
        assert_eq!(found, [], "{path}");
    }
}

#[test]
fn another_meaning_of_a_protected_file_is_a_difference_however_small() {
    let rows = [
        (
            "tsconfig.json",
            r#"{"compilerOptions": {}}"#,
            r#"{"compilerOptions": {"paths": {"vitest": ["./fake"]}}}"#,
        ),
        ("tsconfig.json", r#"{"a": "// b"}"#, r#"{"a": "// c"}"#),
        (
            "pytest.ini",
            "[pytest]\naddopts = -q\n",
            "[pytest]\naddopts = -q -p no:x\n",
        ),
        (
            "pytest.ini",
            "[pytest]\naddopts =\n  -q\n",
            "[pytest]\naddopts =\n  -q\n  --co\n",
        ),
        (".npmrc", "", "node-options=--require ./x.js\n"),
        (
            ".github/workflows/ci.yml",
            "on: push\nrun: a\n",
            "on: push\nrun: a || true\n",
        ),
        (
            ".cargo/config.toml",
            "",
            "[target.x86_64-unknown-linux-gnu]\nrunner = 'true'\n",
        ),
        ("Makefile", "test:\n\tpytest\n", "test:\n\t-pytest\n"),
        (
            "pom.xml",
            "<build>a</build>",
            "<build>a<skipTests>true</skipTests></build>",
        ),
        (
            "pom.xml",
            "<build><dependencies>a</dependencies></build>",
            "<build><dependencies>b</dependencies></build>",
        ),
        ("build.gradle", "test { }\n", "test { ignoreFailures = true }\n"),
    ];
    for (path, before, after) in rows {
        let found = differences(
            catalogue(),
            path,
            Some(before.as_bytes()),
            Some(after.as_bytes()),
            "tasks",
        );
        assert_eq!(found.len(), 1, "{path}: {before} {after}");
    }
}

#[test]
fn the_folder_of_tasks_is_the_one_that_is_named() {
    let told = |path: &str, folder: &str| !differences(catalogue(), path, None, Some(b"x"), folder).is_empty();
    assert!(told("docs/work/a.md", "docs/work"));
    assert!(told("docs/work/a.md", "./docs/work/"));
    assert!(told("Tasks/a.md", "tasks"));
    assert!(!told("docs/works/a.md", "docs/work"));
    assert!(!told("tasks.rs", "tasks"));
    assert!(!told("src/tasks/a.rs", "tasks"));
    assert!(!told("a.md", ""));
}

#[test]
fn settings_that_no_test_reads_are_not_protected_as_a_whole() {
    for path in [
        ".env.example",
        ".env.test.example",
        "web/.env.sample",
        ".env.template",
        ".env.production",
        ".envoy.yaml",
        "environment.ts",
    ] {
        assert_eq!(
            differences(catalogue(), path, None, Some(b"A=1\n"), "tasks"),
            [],
            "{path}"
        );
    }
}

/// Releases hold them, and pytest loads nothing from them.
#[test]
fn what_a_package_says_of_itself_is_not_protected() {
    for path in [
        "parse.egg-info/PKG-INFO",
        "parse.egg-info/SOURCES.txt",
        "parse-1.20.dist-info/METADATA",
    ] {
        assert_eq!(
            differences(catalogue(), path, None, Some(b"Name: parse\n"), "tasks"),
            [],
            "{path}"
        );
    }
}
