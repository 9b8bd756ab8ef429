//! Which kind of error an output tells of, and what is no such error.

use crate::all;
use trueup_core::approach::ErrorKind::{self, *};
use trueup_inspect::errors::kind;

fn of(printed: &str) -> Option<ErrorKind> {
    kind([printed.as_bytes(), b""])
}

/// The kind of each real output, where the name of its file begins so.
const REAL: [(&str, ErrorKind); 36] = [
    ("bandit", Security),
    ("cargo-test", Test),
    ("cargo-type", Type),
    ("cargo-undefined", Import),
    ("eslint-lint", Lint),
    ("go-panic", Type),
    ("go-test", Test),
    ("go-timeout", Timeout),
    ("go-type", Type),
    ("go-undefined", Import),
    ("jest-add", Test),
    ("jest-mul", Import),
    ("make-missing", Environment),
    ("mypy-type", Type),
    ("node-missing", Import),
    ("node-syntax", Syntax),
    ("node-test", Test),
    ("pytest-color", Test),
    ("pytest-discount", Import),
    ("pytest-empty", Test),
    ("pytest-form", Syntax),
    ("pytest-load", Test),
    ("pytest-quiet", Test),
    ("pytest-repr", Test),
    ("pytest-total", Test),
    ("python-module", Import),
    ("python-traceback", Type),
    ("ruff-concise", Lint),
    ("ruff-lint", Lint),
    ("tsc-missing", Import),
    ("tsc-pretty", Type),
    ("tsc-type", Type),
    ("unittest-total", Test),
    ("vitest-add", Test),
    ("vitest-slow", Timeout),
    ("vitest-sub", Import),
];

#[test]
fn every_real_output_is_of_its_kind_both_times() {
    let all = all();
    assert_eq!(all.len(), REAL.len());
    let mut wrong = Vec::new();
    for (one, (name, kind)) in all.iter().zip(REAL) {
        assert_eq!(one.name, name);
        for printed in [&one.first, &one.again] {
            let found = of(printed);
            if found != Some(kind) {
                wrong.push((name, found));
            }
        }
    }
    assert_eq!(wrong, []);
}

/// Samples of each kind beside the real outputs.
const TOLD: [(ErrorKind, &[&str]); 10] = [
    (
        Import,
        &[
            "E   ImportError: cannot import name 'percent' from 'discount' (/srv/shop/discount.py)\n",
            "src/a.ts:1:20 - error TS2307: Cannot find module 'left-pad' or its corresponding type declarations.\n",
            "error[E0432]: unresolved import `shop::cart`\n --> src/main.rs:1:5\n",
            "main.go:4:2: no required module provides package github.com/google/uuid; to add it:\n\tgo get github.com/google/uuid\n",
        ],
    ),
    (
        Type,
        &[
            "cart.py:3: error: Argument 1 to \"total\" has incompatible type \"str\"; expected \"int\"  [arg-type]\n",
            "./cart.go:9:9: cannot use n (variable of type int) as string value in return statement\n",
            "TypeError: Cannot read properties of undefined (reading 'total')\n    at total (/srv/shop/cart.js:3:9)\n",
        ],
    ),
    (
        Test,
        &[
            "    cart_test.go:12: Total() = 3, want 4\n--- FAIL: TestTotal (0.00s)\nFAIL\n",
            "AssertionError: expected 3 to be 4 // Object.is equality\n",
            "FAILED tests/test_cart.py::test_total - KeyError: 'apple'\n1 failed in 0.02s\n",
        ],
    ),
    (
        Syntax,
        &[
            "  File \"/srv/shop/cart.py\", line 3\n    def total(:\n              ^\nSyntaxError: invalid syntax\n",
            "error: mismatched closing delimiter: `}`\n --> src/lib.rs:3:15\n",
            "cart.go:5:27: syntax error: unexpected newline, expected comma or )\n",
            "src/a.ts(3,7): error TS1005: ',' expected.\n",
        ],
    ),
    (
        Lint,
        &[
            "cart.py:1:1: F401 `os` imported but unused\nFound 1 error.\n",
            "/srv/shop/cart.js\n  3:7  error  'a' is assigned a value but never used  no-unused-vars\n",
            "would reformat cart.py\n1 file would be reformatted\n",
            "Diff in /srv/shop/src/lib.rs:3:\n-fn  a() {}\n+fn a() {}\n",
        ],
    ),
    (
        Timeout,
        &[
            "E   Failed: Timeout (>1.0s) from pytest-timeout.\nFAILED tests/test_a.py::test_slow\n",
            "  ● slow\n\n    thrown: \"Exceeded timeout of 5000 ms for a test.\n",
            "TimeoutError: page.goto: Timeout 30000ms exceeded.\n",
        ],
    ),
    (
        Environment,
        &[
            "sh: 1: pnpm: not found\n",
            "OSError: [Errno 28] No space left on device: '/tmp/x'\n",
            "Error: listen EADDRINUSE: address already in use :::3000\n",
            "curl: (7) Failed to connect to localhost port 8080: Connection refused\n",
        ],
    ),
    (
        Security,
        &[
            "# npm audit report\n\nminimist  <0.2.1\nSeverity: critical\nPrototype Pollution in minimist\n",
            "2:20PM INF 12 commits scanned.\n2:20PM WRN leaks found: 2\n",
            "Crate:     time\nID:        RUSTSEC-2020-0071\n\nerror: 1 vulnerability found!\n",
            "Found 2 known vulnerabilities in 1 package\nName   Version ID\n",
            "ERROR: Potential secrets about to be committed to git repo!\n\nSecret Type: AWS Access Key\n",
        ],
    ),
    (
        DataLoss,
        &[
            "⚠️  There might be data loss when applying the changes:\n\n  • You are about to drop the column `email` on the `User` table, which still contains 3 non-null values.\n",
            "error: Your local changes to the following files would be overwritten by checkout:\n\tcart.py\nAborting\n",
            "Plan: 0 to add, 1 to change, 2 to destroy.\n",
            "=== Dangerous operation detected #strong_migrations ===\n\nActive Record caches attributes\n",
        ],
    ),
    (
        Unknown,
        &[
            "error: the flux is not aligned\n",
            "fatal: something odd\n",
            "Segmentation fault (core dumped)\n",
        ],
    ),
];

#[test]
fn what_tools_print_is_of_its_kind() {
    let mut wrong = Vec::new();
    for (kind, samples) in TOLD {
        assert!(samples.len() >= 3, "{kind:?}");
        let others = samples.iter().filter(|printed| of(printed) != Some(kind));
        wrong.extend(others.map(|printed| (kind, *printed)));
    }
    assert_eq!(wrong, []);
}

/// Outputs that sound like a kind and are not of it.
const NOT: [(ErrorKind, &[&str]); 10] = [
    (
        Import,
        &[
            "E   AssertionError: assert \"No module named 'x'\" in ''\nFAILED tests/test_a.py::test_import_error\n",
            "E   Failed: DID NOT RAISE <class 'ImportError'>\n",
        ],
    ),
    (
        Type,
        &[
            "E   AssertionError: assert 'TypeError' == 'ValueError'\n",
            "AssertionError: expected 'TypeError: x' to be undefined\n",
        ],
    ),
    (
        Test,
        &[
            "error[E0308]: mismatched types\n --> tests/a.rs:3:4\n",
            "E   SyntaxError: invalid syntax\nERROR tests/test_a.py\n",
        ],
    ),
    (
        Syntax,
        &[
            "E   Failed: DID NOT RAISE <class 'SyntaxError'>\nFAILED tests/test_parser.py::test_syntax_error\n",
            "AssertionError: expected [Function] to throw SyntaxError\n",
        ],
    ),
    (
        Lint,
        &[
            "E   AssertionError: assert 'F401' in ''\n",
            "--- FAIL: TestLint (0.00s)\n    lint_test.go:3: got no error, want one\n",
        ],
    ),
    (
        Timeout,
        &[
            "E   AssertionError: assert 'timed out' == 'done'\nFAILED tests/test_a.py::test_timeout\n",
            "--- FAIL: TestTimeout (0.00s)\n    a_test.go:3: timeout = 3s, want 5s\n",
        ],
    ),
    (
        Environment,
        &[
            "E   AssertionError: assert 'Permission denied' in 'ok'\nFAILED tests/test_a.py::test_denied\n",
            "AssertionError: expected 'ECONNREFUSED' to be 'ENOTFOUND'\n",
        ],
    ),
    (
        Security,
        &[
            "E   AssertionError: assert login('secret') is False\nFAILED tests/test_login.py::test_rejects_password - assert True is False\n",
            "E   AssertionError: assert 'leaks found: 2' in ''\nFAILED tests/test_scan.py::test_leaks\n",
            "----- Captured stdout call -----\n2:20PM WRN leaks found: 2\nE   assert 1 == 0\nFAILED tests/test_scan.py::test_finds_leaks - assert 1 == 0\n",
            "added 3 packages\n\n3 high severity vulnerabilities\n\nnpm error Missing script: \"test\"\n",
            "found 0 vulnerabilities\nsrc/a.ts(3,7): error TS2322: no\n",
            ">> Issue: [B404:blacklist] Consider possible security implications\n   Severity: Low   Confidence: High\n",
            "bad.py:3:5: S602 `subprocess` call with `shell=True` identified, security issue\n",
            "--- FAIL: TestAuditFindsVulnerability (0.00s)\n    audit_test.go:9: got 0 vulnerabilities, want 1\n",
        ],
    ),
    (
        DataLoss,
        &[
            "E   AssertionError: DROP TABLE users\nFAILED tests/test_sql.py::test_refuses_drop - AssertionError: DROP TABLE users\n",
            "AssertionError: expected 'All data will be lost' to be shown\n",
            "Plan: 2 to add, 0 to change, 0 to destroy.\nError: no credentials\n",
            "--- FAIL: TestPlan (0.00s)\n    plan_test.go:3: got:\nPlan: 0 to add, 0 to change, 2 to destroy.\n",
            "psycopg2.errors.UndefinedTable: table \"users\" does not exist\nERROR: cannot drop table\n",
        ],
    ),
    (
        Unknown,
        &[
            "AssertionError\n",
            "FAIL: test_total (unit.TestCart.test_total)\nFAILED (failures=1)\n",
        ],
    ),
];

#[test]
fn what_only_sounds_like_a_kind_is_not_of_it() {
    for (kind, samples) in NOT {
        assert!(samples.len() >= 2, "{kind:?}");
        let wrong = samples.iter().filter(|printed| of(printed) == Some(kind));
        assert_eq!(wrong.copied().collect::<Vec<&str>>(), [""; 0], "{kind:?}");
    }
}

#[test]
fn where_no_line_tells_of_an_error_there_is_no_kind() {
    for quiet in [
        "",
        "looked\nnobody is there\n",
        "3 passed in 0.02s\n",
        "found 0 vulnerabilities\n",
    ] {
        assert_eq!(of(quiet), None, "{quiet}");
    }
}
