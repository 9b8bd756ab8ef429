//! Failing tests laid where a check looks.

use trueup_core::kind::{Kind, Runner};
use trueup_inspect::code::{Fault, canary, items, violation};

fn laid(runner: Runner, path: &str, source: &str) -> String {
    let canary = canary(runner, path, source, "ab12", Fault::of(runner)).expect("laid");
    assert_eq!(
        (canary.path.as_str(), canary.name.as_str()),
        (path, "trueup_canary_ab12")
    );
    assert!(items(path, &canary.source).is_some(), "{}", canary.source);
    canary.source
}

#[test]
fn a_python_canary_stands_before_what_runs_the_file() {
    let source = "class TestA:\n    def test_a(self): pass\n\nif __name__ == \"__main__\":\n    run()\n";
    let made = laid(Runner::Pytest, "test_a.py", source);
    assert!(
        made.contains(
            "\n\ndef test_trueup_canary_ab12_unequal():\n    assert 1 == 2, \"trueup_canary_ab12_unequal\"\n\n\ndef test_trueup_canary_ab12_thrown():\n    \
             raise AssertionError(\"trueup_canary_ab12_thrown\")\n\n\nif __name__"
        ),
        "{made}"
    );
    let made = laid(Runner::Unittest, "test_a.py", "x = 1  # no line break");
    assert!(
        made.contains("\n\nclass TrueupCanaryab12(__import__(\"unittest\").TestCase):\n"),
        "{made}"
    );
}

#[test]
fn a_script_canary_is_made_by_the_name_the_file_makes_tests_by() {
    for (runner, source, maker) in [
        (Runner::Vitest, "import { it } from 'vitest';\nit('a', () => {})", "it"),
        (Runner::Vitest, "import { it, test } from 'vitest';", "test"),
        (Runner::Vitest, "import { expect, it as check } from 'vitest';", "check"),
        (Runner::Vitest, "import * as v from 'vitest';", "v.test"),
        (
            Runner::Vitest,
            "import { type it, expect } from 'vitest';\nit('a', () => {})",
            "it",
        ),
        (Runner::Jest, "import { it } from '@jest/globals';", "it"),
        (Runner::Jest, "describe('a', () => { it('b', () => {}) }) // end", "it"),
        (Runner::Jest, "expect(1)", "test"),
        (Runner::Mocha, "expect(1)", "it"),
        (Runner::Mocha, "suite('a', () => { test('b', () => {}) })", "test"),
        (Runner::NodeTest, "import test from 'node:test';", "test.test"),
        (Runner::NodeTest, "const { it: check } = require('node:test');", "check"),
        (Runner::NodeTest, "const t = require(\"node:test\");", "t.test"),
    ] {
        let made = laid(runner, "a.test.ts", source);
        let name = "trueup_canary_ab12_thrown";
        let end = format!("\n;{maker}(\"{name}\", () => {{ throw new Error(\"{name}\"); }});\n");
        assert!(made.ends_with(&end), "{made}");
    }
}

#[test]
fn a_script_canary_fails_by_the_runners_own_assertion() {
    for (runner, source, assertions) in [
        (
            Runner::Vitest,
            "import { it } from 'vitest';",
            [
                "trueupCanaryExpect(1).toBe(2)",
                "trueupCanaryExpect({ a: 1 }).toEqual({ a: 2 })",
            ],
        ),
        (
            Runner::Jest,
            "it('a', () => { expect(1).toBe(1) })",
            ["{ expect(1).toBe(2); }", "{ expect({ a: 1 }).toEqual({ a: 2 }); }"],
        ),
        (
            Runner::NodeTest,
            "import { it } from 'node:test';",
            ["strictEqual(1, 2)", "deepStrictEqual({ a: 1 }, { a: 2 })"],
        ),
    ] {
        let made = laid(runner, "a.test.ts", source);
        for assertion in assertions {
            assert!(made.contains(assertion), "{made}");
        }
    }
}

#[test]
fn a_script_without_any_test_imports_what_makes_one() {
    let made = laid(Runner::Vitest, "a.test.ts", "export {};");
    assert!(
        made.contains("import { test as trueupCanaryTest } from \"vitest\";"),
        "{made}"
    );
    let made = laid(Runner::NodeTest, "a.test.cjs", "run()");
    assert!(made.contains("require(\"node:test\")"), "{made}");
}

#[test]
fn a_rust_canary_fits_where_it_is_laid() {
    let made = laid(Runner::Nextest, "crates/a/tests/all.rs", "fn a() {}");
    assert!(
        made.ends_with("\n#[test]\nfn trueup_canary_ab12_thrown() {\n    panic!(\"trueup_canary_ab12_thrown\");\n}\n"),
        "{made}"
    );
    let made = laid(Runner::CargoTest, "crates/a/src/tests/cart.rs", "fn a() {} // end");
    assert!(made.contains("// end\n\n#[test]"), "{made}");
    let made = laid(Runner::CargoTest, "crates/a/src/lib.rs", "fn a() {} // end");
    assert!(
        made.contains("// end\n\n#[cfg(test)]\nmod trueup_canary_ab12 {\n    #[test]\n"),
        "{made}"
    );
}

#[test]
fn a_go_canary_is_a_file_of_its_own_in_the_same_package_and_build() {
    let source = "//go:build integration\n\n// Package a is.\npackage a_test\n";
    let canary = canary(
        Runner::GoTest,
        "pkg/a_test.go",
        source,
        "linux",
        Fault::of(Runner::GoTest),
    )
    .expect("laid");
    assert_eq!(canary.path, "pkg/trueupcanarylinux_test.go");
    assert_eq!(canary.name, "TestTrueupCanaryLinux");
    assert_eq!(
        canary.tests,
        ["TestTrueupCanaryLinuxUnequal", "TestTrueupCanaryLinuxThrown"]
    );
    assert!(
        canary.source.starts_with("//go:build integration\n\npackage a_test\n"),
        "{}",
        canary.source
    );
}

#[test]
fn no_canary_is_laid_where_it_could_not_sing() {
    let of = |runner, path, source, word| canary(runner, path, source, word, &[Fault::Thrown]);
    assert_eq!(of(Runner::Pytest, "a.test.ts", "", "a"), None);
    assert_eq!(of(Runner::Maven, "A.java", "", "a"), None);
    assert_eq!(of(Runner::Other, "a.py", "", "a"), None);
    assert_eq!(of(Runner::Pytest, "a.py", "def (", "a"), None);
    assert_eq!(of(Runner::Pytest, "a.py", "", "a b"), None);
    assert_eq!(of(Runner::Pytest, "a.py", "", ""), None);
}

#[test]
fn a_violation_breaks_what_was_right() {
    for path in ["a.py", "a.js", "a.ts", "a.tsx", "a.rs", "a.go"] {
        let source = if path == "a.go" { "package a" } else { "" };
        let broken = violation(path, source, Kind::Lint).expect("known");
        assert!(items(path, &broken).is_none(), "{path}");
        for kind in [Kind::Types, Kind::Build] {
            let made = violation(path, source, kind).expect("known");
            assert!(made.contains("trueup_violation"), "{path}");
        }
    }
    for path in ["a.c", "src/a.cc", "a.cpp"] {
        let kinds = [Kind::Lint, Kind::Types, Kind::Build];
        let made = kinds.map(|kind| violation(path, "int a;\n", kind).expect("known"));
        assert!(
            made.iter()
                .all(|made| made.starts_with("int a;\n") && made.contains("trueup_violation"))
        );
    }
    assert_eq!(violation("a.h", "", Kind::Lint), None, "nobody compiles it by itself");
    assert_eq!(violation("a.java", "", Kind::Lint), None);
    assert_eq!(violation("a.py", "", Kind::Plain), None);
}
