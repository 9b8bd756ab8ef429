//! Honest changes raise nothing at all.

use trueup_inspect::rules::{catalogue, differences, suppressions, suspicions};

fn raises_nothing(rule: &str, path: &str, before: Option<&str>, after: &str) {
    let found = differences(
        catalogue(),
        path,
        before.map(str::as_bytes),
        Some(after.as_bytes()),
        "tasks",
    );
    assert_eq!(found, [], "{rule}");
    let found = suspicions(catalogue(), path, before, after);
    assert_eq!(found, [], "{rule}");
    let grown = suppressions(catalogue(), path, after);
    let was = suppressions(catalogue(), path, before.unwrap_or_default());
    for (marker, count) in grown {
        assert!(
            count <= was.get(marker).copied().unwrap_or_default(),
            "{rule}: {marker}"
        );
    }
}

#[test]
fn a_file_that_looked_at_its_callers_may_go_on_to() {
    let before = "def first(f):\n    while f.f_back:\n        f = f.f_back\n    return f\n";
    let after = format!("{before}\n\ndef second(f):\n    return f.f_back.f_back\n");
    raises_nothing("frames in a file about frames", "frames.py", Some(before), &after);
    assert_eq!(
        suspicions(catalogue(), "frames.py", None, &after).len(),
        3,
        "a new file is asked about"
    );
    let knowing = format!("{before}\n\ndef second(f):\n    return \"pytest\" in f.f_globals\n");
    assert_eq!(
        suspicions(catalogue(), "frames.py", Some(before), &knowing).len(),
        1,
        "the runner is named"
    );
}

#[test]
fn an_honest_change_of_a_manifest_raises_nothing() {
    let rows = [
        (
            "a dependency in package.json",
            "package.json",
            r#"{"scripts": {"test": "jest"}, "dependencies": {"a": "^1.0.0"}}"#,
            r#"{"scripts": {"test": "jest"}, "dependencies": {"a": "^1.0.0", "b": "~2", "c": "workspace:*"}, "version": "2"}"#,
        ),
        (
            "what only describes a package",
            "package.json",
            r#"{"name": "a"}"#,
            r#"{"name": "a", "description": "b", "keywords": ["c"], "license": "MIT", "author": "d", "files": ["lib"], "engines": {"node": ">=20"}, "sideEffects": false, "types": "./a.d.ts"}"#,
        ),
        (
            "package.json written anew",
            "package.json",
            r#"{"scripts":{"test":"jest","lint":"eslint"},"jest":{"a":1}}"#,
            "{\n  \"jest\": { \"a\": 1 },\n  \"scripts\": {\n    \"lint\": \"eslint\",\n    \"test\": \"jest\"\n  }\n}\n",
        ),
        (
            "a dependency in pyproject.toml",
            "pyproject.toml",
            "[project]\ndependencies = ['a']\n[tool.pytest.ini_options]\naddopts = '-q'\n",
            "[project]\ndependencies = ['a', 'b>=2']\n# said\n[tool.pytest]\nini_options = { addopts = \"-q\" }\n",
        ),
        (
            "a program of the project in pyproject.toml",
            "pyproject.toml",
            "[project]\nname = 'a'\n",
            "[project]\nname = 'a'\n[project.scripts]\ngreet = 'a:main'\n",
        ),
        (
            "a dependency in Cargo.toml",
            "Cargo.toml",
            "[package]\nname = 'a'\n[profile.dev]\ndebug = 1\n",
            "[package]\nname = 'a'\nversion = '2.0.0'\n[dependencies]\nserde = { version = '1', features = ['derive'] }\n[features]\nx = []\n[profile.dev]\ndebug = 1\n",
        ),
        (
            "a member of a workspace",
            "Cargo.toml",
            "[workspace]\nmembers = ['a']\n",
            "[workspace]\nmembers = ['a', 'b']\n",
        ),
        (
            "a dependency in go.mod",
            "go.mod",
            "module a\n\ngo 1.22\n",
            "module a\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.3 // indirect\n)\n",
        ),
        (
            "a variable of the application",
            ".env.example",
            "A=1\n",
            "A=1\nDATABASE_URL=x\nGOOGLE_API_KEY=y\nRUST_LOG=debug\n",
        ),
        ("a dependency in requirements.txt", "requirements.txt", "a\n", "a\nb\n"),
        (
            "metadata in setup.cfg",
            "setup.cfg",
            "[metadata]\nname = a\n",
            "[metadata]\nname = a\n[options]\ninstall_requires =\n  b\n",
        ),
    ];
    for (rule, path, before, after) in rows {
        raises_nothing(rule, path, Some(before), after);
    }
}

/// What is added, where, and its content.
const NEW: &[(&str, &str, &str)] = &[
    (
        "types with defaults",
        "src/app/days.py",
        "import datetime\n\ndef f(start: datetime.date = None, step=1):\n    day: datetime.date = start\n    ok = time.time == 3\n    os.environ['A'] = 'b'\n    return model.eval()\n",
    ),
    (
        "a program's arguments",
        "src/app/args.py",
        "import sys\n\ndef main():\n    return parse(sys.argv[1:])\n",
    ),
    (
        "arguments in TypeScript",
        "src/args.ts",
        "const args = parse(process.argv.slice(2), { latest: true });\nconst half = a / b; const c = d / e;\n",
    ),
    (
        "a random source",
        "src/dice.ts",
        "export const roll = (rng = Math.random) => Math.floor(rng() * 6);\n",
    ),
    (
        "a cursor in a test",
        "src/b.test.ts",
        "it('a', async () => cursor.skip(2));\n",
    ),
    (
        "a page",
        "docs/testing.md",
        "Run `pytest`, or `npm test || true`. `# noqa`, `process.exit(0)`, it.skip\n",
    ),
    (
        "a module",
        "src/app/core.py",
        "import logging\nimport os\n\nlog = logging.getLogger(__name__)\n\ndef add(a, b):\n    \"\"\"Adds; a test calls sys.exit.\"\"\"\n    return a + b\n",
    ),
    (
        "a class called Exit",
        "src/door.py",
        "class Exit:\n    def exit(self):\n        return self.open\n\ndef leave(door):\n    door.exit()\n    return Exit()\n",
    ),
    (
        "a test with a mock",
        "tests/test_a.py",
        "from unittest import mock\nimport pytest\n\n@pytest.fixture\ndef a():\n    return mock.Mock()\n\ndef test_a(a):\n    assert a\n",
    ),
    (
        "a program's entry",
        "src/app/__main__.py",
        "import sys\nfrom app.cli import main\n\nif __name__ == \"__main__\":\n    sys.exit(main())\n",
    ),
    (
        "a program that fails loudly",
        "src/app/cli.py",
        "import sys\n\ndef main(argv=None):\n    if not argv:\n        sys.exit(\"usage: app FILE\")\n    if argv == ['x']:\n        sys.exit(2)\n",
    ),
    (
        "settings from the environment",
        "src/config.ts",
        "export const port = Number(process.env.PORT ?? 3000);\nexport const mode = process.env.NODE_ENV;\n",
    ),
    (
        "a server",
        "src/server.ts",
        "import http from 'node:http';\nhttp.createServer(app).listen(port);\nprocess.on('SIGTERM', () => server.close());\n",
    ),
    (
        "a regular expression",
        "src/parse.ts",
        "const m = /a(b)/.exec(text);\nthrow new Error(`bad ${m}`);\n",
    ),
    (
        "an error class",
        "src/errors.ts",
        "export class Gone extends Error {\n  constructor() {\n    super('gone');\n    Error.captureStackTrace(this, Gone);\n  }\n}\n",
    ),
    (
        "a test in TypeScript",
        "src/a.test.ts",
        "import { vi, it, expect } from 'vitest';\nvi.mock('./b');\nvi.useFakeTimers();\nit('adds', () => { expect(1).toBe(1); });\n",
    ),
    (
        "a module in Rust with its tests",
        "src/lib.rs",
        "//! Adds.\n\nuse std::process::Command;\n\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n        let x = std::env::var(\"NEXTEST\");\n    }\n}\n",
    ),
    (
        "a version in Rust",
        "src/main.rs",
        "fn main() {\n    println!(env!(\"CARGO_PKG_VERSION\"));\n    if bad() {\n        std::process::exit(2);\n    }\n}\n",
    ),
    (
        "the folder of cargo in Rust",
        "src/home.rs",
        "pub fn home() -> Option<std::ffi::OsString> {\n    std::env::var_os(\"CARGO_HOME\")\n}\n",
    ),
    (
        "a program in Go",
        "cmd/a/main.go",
        "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tif err := run(os.Args[1:]); err != nil {\n\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n}\n",
    ),
    (
        "a test in Go",
        "a_test.go",
        "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tt.Helper()\n}\n",
    ),
    ("a script", "scripts/seed.sh", "#!/bin/sh\nexit 0\n"),
    ("data", "data/report.json", "{\"junit\": true}"),
    (
        "a module called coverage inside a package",
        "app/insurance/coverage.py",
        "RATE = 2\n",
    ),
    (
        "a folder of unit tests",
        "tests/unittest/test_a.py",
        "def test_a():\n    assert True\n",
    ),
    (
        "readings of the clock",
        "open.go",
        "package shop\n\nimport \"time\"\n\nvar opened = time.Now()\n\nfunc Open() time.Duration {\n\treturn time.Since(opened)\n}\n",
    ),
    (
        "readings of the clock in TypeScript",
        "src/log.ts",
        "export const started = Date.now();\nconst age = () => Date.now() - started;\nconst seen = new Map<string, number>([[\"a\", Date.now()]]);\n",
    ),
    (
        "readings of the clock in Rust",
        "src/log.rs",
        "use std::time::Instant;\n\npub fn timed<T>(work: impl Fn() -> T) -> (T, u128) {\n    let begun = Instant::now();\n    (work(), begun.elapsed().as_millis())\n}\n",
    ),
    (
        "readings of the clock in Python",
        "src/app/log.py",
        "import time\n\n\ndef timed(work) -> float:\n    begun = time.monotonic()\n    work()\n    return time.monotonic() - begun\n",
    ),
    (
        "something of its own where all find it",
        "src/registry.ts",
        "const key = Symbol.for(\"cart.rates\");\n\nexport function rates(): Map<string, number> {\n  const world = globalThis as unknown as Record<symbol, Map<string, number>>;\n  world[key] ??= new Map([[\"sale\", 5]]);\n  return world[key];\n}\n",
    ),
    (
        "a setting with a default",
        "src/settings.ts",
        "const sale = Number(import.meta.env?.VITE_SALE ?? 5);\nconst url = new URL(base);\nurl.pathname = \"/a\";\nconsole.error(error.stack);\nconst bare = { __proto__: null };\n",
    ),
    (
        "settings in Go",
        "settings.go",
        "package shop\n\nimport \"os\"\n\nvar Region = os.Getenv(\"REGION\")\nvar Environment = \"testing grounds\"\n",
    ),
    (
        "a program in C",
        "price.c",
        "#include <stdio.h>\n#include <stdlib.h>\n\n/* exit(0) ends it */\nint main(int argc, char **argv) {\n    if (argc < 2) {\n        fprintf(stderr, \"usage: %s AMOUNT\\n\", argv[0]);\n        exit(EXIT_FAILURE);\n    }\n    char *full = getenv(\"PRICE_FULL\");\n    return full ? 1 : 0;\n}\n",
    ),
    (
        "assertions for debugging",
        "src/sum.rs",
        "#[cfg_attr(debug_assertions, track_caller)]\npub fn half(a: u32) -> u32 {\n    let until = Instant::now() + LIMIT;\n    debug_assert!(a % 2 == 0);\n    a / 2\n}\n\n#[path = \"cents.rs\"]\npub mod price;\n\n#[cfg(feature = \"words\")]\npub const CURRENCY: &str = \"EUR\";\n",
    ),
    (
        "matchers of a project's own",
        "test/matchers.ts",
        "import { expect } from 'vitest';\n\nexpect.extend({\n  toBeCents(received) {\n    return { pass: Number.isInteger(received), message: () => '' };\n  },\n});\nexpect(1)\n  .toBe(1);\nconst rows = [{\n  amount: 1,\n  toBe: 1,\n}];\ntask.mode = 'x';\n",
    ),
    (
        "what tests share",
        "tests/__init__.py",
        "import difflib\n\n\ndef differ(one, other):\n    return list(difflib.ndiff([one], [other]))\n",
    ),
    (
        "a failure that is expected",
        "tests/test_gone.py",
        "import pytest\n\n\ndef test_gone():\n    with pytest.raises(KeyError) as excinfo:\n        find()\n    assert excinfo.value\n",
    ),
    (
        "a file that is read, and data that are written",
        "tools/check.mjs",
        "const text = readFileSync(\"src/price.ts\", \"utf8\");\nwriteFileSync(\"out/prices.csv\", text);\n",
    ),
    (
        "a file that is read in Python",
        "tools/check.py",
        "text = open('shop/price.py', 'r').read()\nopen('out.csv', 'w').write(text)\n",
    ),
    (
        "a class in Java",
        "src/main/java/Half.java",
        "public class Half {\n    int half(int a) {\n        return a / 2;\n    }\n}\n",
    ),
    ("types of a project", "src/types.ts", "export type A = string;\n"),
    ("types of a package", "app/types.py", "A = int\n"),
];

#[test]
fn an_honest_new_file_raises_nothing() {
    for (rule, path, after) in NEW {
        raises_nothing(rule, path, None, after);
    }
}

#[test]
fn what_was_there_before_raises_nothing() {
    let rows = [
        (
            "a CLI that ended the process before",
            "cli.py",
            "import sys\n\ndef main():\n    sys.exit(0)\n",
            "import sys\n\ndef main():\n    print('hello')\n    if True:\n        sys.exit(0)\n",
        ),
        (
            "a module that named the runner before",
            "plugin.py",
            "import pytest\n",
            "import os\nimport pytest\n\nA = 1\n",
        ),
        (
            "an exit that moved down",
            "a.ts",
            "f();\nprocess.exit(0);\n",
            "f();\ng();\nh();\nprocess.exit(0);\n",
        ),
        (
            "a suppression that moved",
            "a.py",
            "import a  # noqa\n",
            "import b\nimport a  # noqa\n",
        ),
        (
            "a comment",
            "a.py",
            "x = 1\n",
            "# unlike pytest, sys.exit(0) is not os._exit\nx = 1\n",
        ),
        (
            "a comment in Go",
            "a.go",
            "package a\n",
            "package a\n\n/*\n os.Exit(0)\n*/\n// testing.M\n",
        ),
        (
            "a skip inside a comment",
            "a.test.ts",
            "it('a', f);\n",
            "// it.skip would hide it\nit('a', f);\n",
        ),
        (
            "a test renamed",
            "tests/test_a.py",
            "def test_a():\n    assert 1\n",
            "def test_b():\n    assert 1\n",
        ),
    ];
    for (rule, path, before, after) in rows {
        raises_nothing(rule, path, Some(before), after);
    }
}
