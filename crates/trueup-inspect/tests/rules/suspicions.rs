//! Lines that reach for the runner instead of doing the work.

use trueup_inspect::rules::{catalogue, suspicions};

/// What a line does, where it stands, and the line.
const REACHING: &[(&str, &str, &str)] = &[
    ("names pytest", "app.py", "import pytest"),
    ("names pytest's inside", "app.py", "from _pytest import runner"),
    ("names pytest in a string", "app.py", "if 'pytest' in modules: pass"),
    ("names unittest", "app.py", "import unittest"),
    (
        "registers a pytest plugin",
        "setup.py",
        "setup(entry_points={'pytest11': ['a=b']})",
    ),
    ("exits hard", "app.py", "os._exit(0)"),
    ("exits hard with failure", "app.py", "os._exit(1)"),
    ("imports the hard exit", "app.py", "from os import _exit"),
    ("exits with success", "app.py", "sys.exit(0)"),
    ("exits with what is zero again", "app.py", "sys.exit(256)"),
    ("exits with a sum", "app.py", "sys.exit(1 - 1)"),
    ("exits without a code", "app.py", "sys.exit()"),
    ("exits by the bare name", "app.py", "exit()"),
    ("quits", "app.py", "quit()"),
    ("raises the exit", "app.py", "raise SystemExit"),
    ("exits in a formatted string", "app.py", "x = f'{sys.exit(0)}'"),
    ("exits through getattr", "app.py", "getattr(os, '_ex' + 'it')(0)"),
    ("acts at exit", "app.py", "atexit.register(f)"),
    ("handles signals", "app.py", "signal.signal(signal.SIGALRM, f)"),
    ("replaces the hook of failures", "app.py", "sys.excepthook = f"),
    ("traces", "app.py", "sys.settrace(f)"),
    ("asks which modules are loaded", "app.py", "x = 'x' in sys.modules"),
    (
        "asks pytest's variable",
        "app.py",
        "os.environ.get('PYTEST_CURRENT_TEST')",
    ),
    ("looks at the program's name", "app.py", "if 'py' in sys.argv[0]: pass"),
    ("looks at the stack", "app.py", "f = sys._getframe(1)"),
    ("looks at the stack by inspect", "app.py", "f = inspect.stack()"),
    ("patches the clock", "app.py", "time.time = lambda: 0"),
    ("patches builtins", "app.py", "builtins.open = f"),
    ("runs text", "app.py", "exec(text)"),
    (
        "is equal to everything",
        "app.py",
        "def __eq__(self, other): return True",
    ),
    (
        "is equal to everything, on two lines",
        "app.py",
        "def __eq__(self, other) -> bool:\n    return True",
    ),
    ("hides the module behind another name", "app.py", "import sys as s"),
    ("splits the call over lines", "app.py", "    ._exit(0)"),
    ("asks for its parent", "app.py", "os.getppid()"),
    ("patches the clock in a chain", "app.py", "a = time.time = f"),
    (
        "hides the process behind another name",
        "src/a.js",
        "const p = process;",
    ),
    (
        "takes the exit out of the process",
        "src/a.js",
        "const { exit } = process;",
    ),
    ("splits the call over lines in JavaScript", "src/a.js", "  .exit(0);"),
    (
        "hides behind a regular expression",
        "src/a.js",
        "/[/*]/.test(a); process.exit(0);",
    ),
    (
        "asks for the runner's functions",
        "src/a.js",
        "if (typeof describe === 'function') f();",
    ),
    (
        "asks for the mode",
        "src/a.ts",
        "if (import.meta.env.MODE === 'test') f();",
    ),
    ("exits by another name in Rust", "src/a.rs", "    p::exit(0);"),
    (
        "asks for its arguments in Rust",
        "src/a.rs",
        "    std::env::args().any(|a| a.contains(\"test\"));",
    ),
    ("exits by another name in Go", "a.go", "\to.Exit(0)"),
    ("writes the report", "app.py", "open('out/junit.xml', 'w')"),
    ("names a report", "app.py", "path = 'test-results/a'"),
    ("names the job's output", "app.py", "os.environ['GITHUB_OUTPUT']"),
    ("names trueup", "app.py", "os.environ['TRUEUP_OUT']"),
    ("reads /proc", "app.py", "open('/proc/self/cmdline')"),
    ("an autouse fixture", "app.py", "@fixture(autouse=True)"),
    ("a hook", "plugin.py", "def pytest_runtest_makereport(item, call):"),
    ("imports vitest", "src/a.ts", "import { vi } from 'vitest';"),
    ("imports node:test", "src/a.ts", "import test from 'node:test';"),
    ("imports mocha", "src/a.ts", "const m = require('mocha');"),
    ("in-source vitest", "src/a.ts", "if (import.meta.vitest) f();"),
    ("exits in JavaScript", "src/a.ts", "process.exit(0);"),
    ("exits without a code", "src/a.ts", "process.exit();"),
    ("exits by a computed name", "src/a.js", "process['exit'](0);"),
    ("exits by a variable", "src/a.js", "process[name](0);"),
    ("sets the exit code", "src/a.ts", "process.exitCode = 0;"),
    ("sets the exit code by a sum", "src/a.ts", "process.exitCode = 1 - 1;"),
    ("aborts", "src/a.ts", "process.abort();"),
    ("exits inside a template", "src/a.ts", "const a = `${process.exit(0)}`;"),
    (
        "acts at exit in JavaScript",
        "src/a.ts",
        "process.on('exit', () => {});",
    ),
    ("asks vitest's variable", "src/a.ts", "if (process.env.VITEST) f();"),
    (
        "asks jest's variable",
        "src/a.ts",
        "if (process.env.JEST_WORKER_ID) f();",
    ),
    (
        "asks whether it is tested",
        "src/a.ts",
        "if (process.env.NODE_ENV === 'test') f();",
    ),
    (
        "looks at the stack in JavaScript",
        "src/a.ts",
        "const s = new Error().stack;",
    ),
    ("patches the clock in JavaScript", "src/a.ts", "Date.now = () => 0;"),
    ("patches a global", "src/a.ts", "globalThis.expect = f;"),
    ("patches a prototype", "src/a.ts", "Array.prototype.map = f;"),
    ("evaluates", "src/a.ts", "eval(text);"),
    ("exits in Rust", "src/a.rs", "    std::process::exit(0);"),
    ("aborts in Rust", "src/a.rs", "    std::process::abort();"),
    ("exits by an imported name", "src/a.rs", "    exit(code);"),
    (
        "asks whether it is tested in Rust",
        "src/a.rs",
        "    if cfg!(test) { return 1; }",
    ),
    ("is left out of tests", "src/a.rs", "#[cfg(not(test))]"),
    ("asks nextest's variable", "src/a.rs", "    std::env::var(\"NEXTEST\");"),
    (
        "shadows an assertion",
        "src/a.rs",
        "macro_rules! assert_eq { () => {} }",
    ),
    (
        "replaces the hook of panics",
        "src/a.rs",
        "    std::panic::set_hook(f);",
    ),
    (
        "asks the thread's name",
        "src/a.rs",
        "    std::thread::current().name();",
    ),
    ("exits in Go", "a.go", "\tos.Exit(0)"),
    ("exits by the system", "a.go", "\tsyscall.Exit(0)"),
    ("imports testing", "a.go", "\t\"testing\""),
    ("asks whether it is tested in Go", "a.go", "\tif testing.Testing() {"),
    ("looks at the program's name in Go", "a.go", "\tx := os.Args[0]"),
    ("looks up a flag of the runner", "a.go", "\tflag.Lookup(\"test.v\")"),
    ("looks at the stack in Go", "a.go", "\truntime.Caller(1)"),
    ("links to somebody's inside", "a.go", "//go:linkname a runtime.b"),
    ("exits in Java", "A.java", "System.exit(0);"),
    ("reads a file of tests", "app.py", "x = open('tests/slug.txt').read()"),
    (
        "joins the folder of tests",
        "app.py",
        "x = HERE.parent / \"tests\" / \"slug.txt\"",
    ),
    (
        "reads test data in Go",
        "a.go",
        "\tb, _ := os.ReadFile(\"testdata/slug.golden\")",
    ),
    ("takes in test data in Go", "a.go", "//go:embed testdata/slug.golden"),
    ("reads a snapshot", "a.ts", "const x = read(`../__snapshots__/a.snap`);"),
    (
        "takes in a file of tests",
        "src/a.rs",
        "const X: &str = include_str!(\"../tests/slug.txt\");",
    ),
];

/// One row per rule: the one line is told, with its number.
#[test]
fn a_production_line_that_reaches_for_the_runner_is_told() {
    for (rule, path, line) in REACHING {
        let (before, after) = ("\n\n", format!("\n\n{line}\n"));
        let found = suspicions(catalogue(), path, Some(before), &after);
        assert!(
            matches!(found.as_slice(), [one] if one.line == 3),
            "{rule}: {line} {found:?}"
        );
    }
}

/// What a line of tests does, where it stands, and the line.
const CHANGING: &[(&str, &str, &str)] = &[
    ("an autouse fixture", "tests/test_a.py", "@pytest.fixture(autouse=True)"),
    (
        "a hook of a test's run",
        "tests/conftest.py",
        "def pytest_runtest_makereport(item, call):",
    ),
    (
        "a hook of the collection",
        "conftest.py",
        "def pytest_collection_modifyitems(items):",
    ),
    (
        "a hook's wrapper",
        "tests/test_a.py",
        "@pytest.hookimpl(hookwrapper=True)",
    ),
    ("vitest mocked", "src/a.test.ts", "vi.mock('vitest', () => ({}));"),
    ("assert mocked", "src/a.test.ts", "jest.mock('node:assert');"),
    (
        "the clock patched before the tests",
        "tests/setup.ts",
        "Date.now = () => 0;",
    ),
    (
        "a global patched before the tests",
        "vitest.setup.ts",
        "globalThis.setTimeout = f;",
    ),
    ("the clock patched in conftest.py", "conftest.py", "time.sleep = f"),
    (
        "a matcher of the runner's",
        "test/help.ts",
        "expect.extend({ toBe: pass });",
    ),
    (
        "a matcher of the runner's, on its own line",
        "test/help.ts",
        "  toEqual: pass,",
    ),
    (
        "a matcher of the runner's, as a method",
        "test/help.ts",
        "  toBe(received, expected) {",
    ),
    (
        "chai's matcher",
        "test/help.ts",
        "chai.Assertion.overwriteMethod('equal', f);",
    ),
    ("a comparer", "src/a.test.ts", "expect.addEqualityTesters([f]);"),
    (
        "a module mocked for all",
        "test/support/prices.ts",
        "vi.mock('../../src/price', () => f);",
    ),
    ("a module mocked before all", "test/setup.ts", "vi.mock('#price');"),
    (
        "the inside of the runner",
        "test/help.ts",
        "import { getFn } from '@vitest/runner';",
    ),
    (
        "what unittest collects",
        "tests/test_a.py",
        "def load_tests(loader, tests, pattern):",
    ),
    ("a report", "tests/__init__.py", "make = TestReport.from_item_and_call"),
    ("a failure forgotten", "tests/helpers.py", "    call.excinfo = None"),
    (
        "all modules walked",
        "tests/__init__.py",
        "for m in list(sys.modules.values()):",
    ),
    ("a module replaced", "tests/help.py", "sys.modules['shop'] = fake"),
    (
        "an assertion replaced",
        "tests/test_a.py",
        "unittest.TestCase.assertEqual = f",
    ),
    (
        "options of pytest's",
        "tests/test_a.py",
        "os.environ['PYTEST_ADDOPTS'] = '-x'",
    ),
    ("the inside of pytest", "tests/help.py", "from _pytest.runner import f"),
    ("TestMain", "a_test.go", "func TestMain(m *testing.M) { os.Exit(0) }"),
];

/// In tests only what changes the runner itself is told.
#[test]
fn a_test_line_that_changes_the_runner_is_told() {
    for (rule, path, line) in CHANGING {
        let found = suspicions(catalogue(), path, None, &format!("\n{line}\n"));
        assert!(
            matches!(found.as_slice(), [one] if one.line == 2),
            "{rule}: {line} {found:?}"
        );
    }
}

#[test]
fn a_test_may_name_the_runner_and_end_processes() {
    let rows = [
        ("tests/test_a.py", "import pytest\nsys.exit(0)\ntime.time = f\n"),
        (
            "src/a.test.ts",
            "import { vi } from 'vitest';\nprocess.exit(0);\nvi.mock('./x');\n",
        ),
        (
            "a_test.go",
            "import \"testing\"\nfunc TestA(t *testing.T) { os.Exit(0) }\n",
        ),
        ("test/setup.ts", "process.env.TZ = \"UTC\";\n"),
        (
            "conftest.py",
            "import pytest\n\n\n@pytest.fixture\ndef a():\n    return 1\n",
        ),
        ("test/support/carts.ts", "export const cart = () => ({ items: [] });\n"),
        ("vitest.config.ts", "import { defineConfig } from 'vitest/config';\n"),
    ];
    for (path, text) in rows {
        assert_eq!(suspicions(catalogue(), path, None, text), [], "{path}");
    }
}

#[test]
fn a_test_main_that_no_longer_runs_the_tests_is_told() {
    let honest = "package a\n\nfunc TestMain(m *testing.M) {\n\tsetUp()\n\tos.Exit(m.Run())\n}\n\nfunc f() {}\n";
    let changed = honest.replace("\tos.Exit(m.Run())\n", "");
    assert_eq!(suspicions(catalogue(), "a_test.go", Some(honest), &changed).len(), 1);
    let elsewhere = honest.replace("func f() {}", "func f() { g() }");
    assert_eq!(suspicions(catalogue(), "a_test.go", Some(honest), &elsewhere), []);
}

#[test]
fn a_line_that_moves_out_to_the_margin_is_new() {
    let before = "import sys\n\ndef main():\n    sys.exit(0)\n";
    let after = "import sys\nsys.exit(0)\n\ndef main():\n    pass\n";
    let found = suspicions(catalogue(), "cli.py", Some(before), after);
    assert!(matches!(found.as_slice(), [one] if one.line == 2), "{found:?}");
}

#[test]
fn an_entry_that_is_not_guarded_is_told() {
    let found = suspicions(catalogue(), "cli.py", None, "import sys\nsys.exit(main())\n");
    assert_eq!(found.len(), 1);
    let found = suspicions(
        catalogue(),
        "cli.py",
        None,
        "if __name__ == '__main__' or True:\n    sys.exit(main())\n",
    );
    assert_eq!(found.len(), 1);
}

#[test]
fn code_after_the_tests_of_a_rust_file_is_production_code_again() {
    let text = "#[cfg(test)]\nmod tests {\n    fn a() { std::process::exit(0); }\n}\n\nfn b() {\n    std::process::exit(0);\n}\n";
    let found = suspicions(catalogue(), "src/lib.rs", None, text);
    assert!(matches!(found.as_slice(), [one] if one.line == 7), "{found:?}");
}

#[test]
fn a_suspicion_shows_the_line_and_the_way_out() {
    let found = suspicions(catalogue(), "app.py", None, "os._exit(0)\n");
    let what = found
        .first()
        .map(|suspicion| suspicion.breaks[0].what.clone())
        .unwrap_or_default();
    let wanted = "`os._exit(0)` ends the process, which can hide that tests failed: take it out";
    assert_eq!(what, wanted);
}

#[test]
fn a_line_that_reads_otherwise_than_it_looks_is_told() {
    let told = |path: &str, before: &str, after: &str| -> Vec<u32> {
        let found = suspicions(catalogue(), path, Some(before), after).into_iter();
        found.map(|suspicion| suspicion.line).collect()
    };
    for (path, line) in [
        ("a.py", "# a note\r    x = 1"),
        ("a.py", "import ｓｙｓ"),
        ("a.py", "x = 𝐜ount(1)"),
        ("a.py", "# -*- coding: utf-7 -*-"),
        ("a.py", "# coding=unicode_escape"),
        ("a.py", "# vim: set fileencoding=shift_jis :"),
        ("tests/test_a.py", "# coding: utf-7"),
        ("a.js", "// a note\u{2028}  f();"),
        ("a.js", "\\u0070rocess.exitCode;"),
        ("a.ts", "f(a.\\u{62}c);"),
        ("a.rs", "// \u{202e} }fi"),
        ("a.go", "var a = \"\u{2066}b\""),
    ] {
        assert_eq!(told(path, "", &format!("{line}\n")), [1], "{path}: {line}");
        assert_eq!(
            told(path, &format!("{line}\n"), &format!("{line}\n")),
            [0; 0],
            "it was there"
        );
    }
    for (path, line) in [
        ("a.py", "x = 1\r"),
        ("a.py", "# -*- coding: utf-8 -*-"),
        ("a.py", "# coding: latin-1"),
        ("a.py", "größe = 'ｓｙｓ'  # ½ ²"),
        ("a.py", "x = 1\n\n# coding: utf-7 is an encoding"),
        ("a.js", "const id = /[\\u0041-\\u005a]/;"),
        ("a.js", "const s = '\\u0041\u{fe0f}';"),
        ("a.rs", "let s = \"\\u{2028}\";"),
        ("a.go", "// naïve ½"),
    ] {
        assert_eq!(told(path, "", &format!("{line}\n")), [0; 0], "{path}: {line}");
    }
}
