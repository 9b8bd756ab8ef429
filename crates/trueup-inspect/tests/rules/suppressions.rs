//! Markers that silence a test or a finding.

use trueup_inspect::rules::{catalogue, suppressions, suppressions_since};

/// One row per marker: it is counted, once, under its name.
#[test]
fn a_marker_that_silences_is_counted() {
    let rows = [
        ("tests/test_a.py", "@pytest.mark.skip(reason='x')", "pytest.mark.skip"),
        (
            "tests/test_a.py",
            "pytestmark = pytest.mark.skipif(True, reason='x')",
            "pytest.mark.skipif",
        ),
        ("tests/test_a.py", "@pytest.mark.xfail", "pytest.mark.xfail"),
        ("tests/test_a.py", "    pytest.skip('x')", "pytest.skip"),
        ("tests/test_a.py", "    pytest.xfail('x')", "pytest.xfail"),
        ("tests/test_a.py", "@unittest.skip('x')", "unittest.skip"),
        ("tests/test_a.py", "@unittest.skipUnless(a, 'x')", "unittest.skip"),
        ("tests/test_a.py", "@unittest.expectedFailure", "expectedFailure"),
        ("tests/test_a.py", "        self.skipTest('x')", "skipTest"),
        ("tests/test_a.py", "    __test__ = False", "__test__ = False"),
        ("conftest.py", "collect_ignore = ['test_a.py']", "collect_ignore"),
        ("a.py", "import x  # noqa: F401", "noqa"),
        ("a.py", "# ruff: noqa", "noqa"),
        ("a.py", "x = y  # type: ignore[attr]", "type: ignore"),
        ("a.py", "x = y  # pyright: ignore", "pyright: ignore"),
        ("a.py", "# mypy: ignore-errors", "mypy: ignore"),
        ("a.py", "# pylint: disable=all", "pylint: disable"),
        ("a.py", "if x:  # pragma: no cover", "pragma: no cover"),
        ("a.py", "x = '#'  # nosec", "nosec"),
        ("a.test.ts", "it.skip('a', f);", ".skip"),
        ("a.test.ts", "describe.skip('a', f);", ".skip"),
        ("a.test.ts", "test.concurrent.skip('a', f);", ".skip"),
        ("a.test.ts", "test.skipIf(true)('a', f);", ".skip"),
        ("a.test.ts", "it.each([1])('x'); it.only('a', f);", ".only"),
        ("a.spec.js", "test.todo('a', () => {});", ".todo"),
        ("a.spec.js", "it.todo(", ".todo"),
        ("a.spec.js", "it.todo(title)", ".todo"),
        ("a.spec.js", "describe.todo.each([1])('a')", ".todo"),
        ("a.spec.js", "test.fails('a', f);", ".fails"),
        ("a.spec.js", "xit('a', f);", "xit"),
        ("a.spec.js", "xdescribe('a', f);", "xit"),
        ("a.spec.js", "fit('a', f);", "fit"),
        ("a.spec.js", "fdescribe('a', f);", "fit"),
        ("a.spec.js", "  t.skip('x');", "t.skip"),
        ("a.spec.js", "test('a', { skip: true }, f);", "skip: true"),
        ("a.ts", "// eslint-disable-next-line", "eslint-disable"),
        ("a.tsx", "{/* eslint-disable no-undef */}", "eslint-disable"),
        ("a.ts", "/* eslint no-undef: \"off\" */", "eslint rule off"),
        ("a.ts", "// biome-ignore lint: x", "biome-ignore"),
        ("a.ts", "// @ts-ignore", "@ts-ignore"),
        ("a.ts", "// @ts-nocheck", "@ts-nocheck"),
        ("a.ts", "// @ts-expect-error", "@ts-expect-error"),
        ("a.ts", "/* istanbul ignore next */", "istanbul ignore"),
        ("a.ts", "/* c8 ignore start */", "c8 ignore"),
        ("a.ts", "/* v8 ignore next */", "v8 ignore"),
        ("a.rs", "    #[ignore]", "#[ignore]"),
        ("a.rs", "    #[ignore = \"slow\"]", "#[ignore]"),
        ("a.rs", "#[cfg_attr(unix, ignore)]", "#[ignore]"),
        ("a.rs", "#[allow(dead_code)]", "#[allow]"),
        ("a.rs", "#![allow(clippy::all)]", "#[allow]"),
        ("a.rs", "#[expect(dead_code, reason = \"x\")]", "#[expect]"),
        ("a.rs", "#[cfg(any())]", "#[cfg] that never holds"),
        ("a.rs", "#[coverage(off)]", "coverage off"),
        ("a_test.go", "\tt.Skip(\"x\")", "t.Skip"),
        ("a_test.go", "\tt.SkipNow()", "t.Skip"),
        ("a_test.go", "//go:build integration", "build tag"),
        ("a.go", "//go:build ignore", "build tag ignore"),
        ("a.go", "x() //nolint:errcheck", "nolint"),
        ("a.go", "//lint:ignore SA1 x", "lint:ignore"),
        ("a.go", "x() // #nosec", "#nosec"),
        ("ATest.java", "@Disabled(\"x\")", "@Disabled"),
        ("ATest.java", "  @Ignore", "@Ignore"),
        ("A.java", "@SuppressWarnings(\"all\")", "@SuppressWarnings"),
    ];
    demand_counted(&rows);
}

#[test]
fn a_marker_that_silences_a_compiler_of_c_is_counted() {
    let (system, diagnostic, warning) = ("#pragma system_header", "#pragma diagnostic", "#pragma warning");
    let rows = [
        ("tell.h", "#pragma GCC system_header", system),
        ("tell.hpp", "  # pragma  clang system_header", system),
        ("tell.h", "%:pragma GCC system_header", system),
        ("tell.h", "#pragma GCC/**/system_header", system),
        ("tell.h", "#pragma \\\nGCC system_header", system),
        ("tell.h", "#pragma GCC \\\nsystem_header", system),
        ("tell.h", "_Pragma(\"GCC system_header\")", system),
        ("tell.c", "# 1 \"tell.h\" 3", "line marker of the system"),
        ("tell.c", "# 7 \"tell.h\" 1 3 4", "line marker of the system"),
        ("a.c", "#pragma GCC diagnostic ignored \"-Wformat\"", diagnostic),
        ("a.cc", "#pragma clang diagnostic ignored \"-Wall\"", diagnostic),
        ("a.c", "#pragma GCC diagnostic warning \"-Wformat\"", diagnostic),
        ("a.c", "#pragma GCC diagnostic \\\n ignored \"-Wformat\"", diagnostic),
        ("a.c", r#"_Pragma("GCC diagnostic ignored \"-Wformat\"")"#, diagnostic),
        ("a.c", "PRAGMA(GCC diagnostic ignored \"-Wformat\")", diagnostic),
        ("a.cpp", "#pragma warning(disable : 4996)", warning),
        ("a.cpp", "#pragma warning( suppress: 4996 )", warning),
        ("a.cpp", "#pragma warning(push, 0)", warning),
        ("a.cpp", "__pragma(warning(disable: 4996))", warning),
        ("A.cs", "#pragma warning disable CS0168", warning),
        ("A.cs", "[SuppressMessage(\"Usage\", \"CA1801\")]", "SuppressMessage"),
        ("a.c", "int n = __extension__ ({ 1; });", "__extension__"),
        ("a.cc", "f(); // NOLINT(bugprone-unused)", "NOLINT"),
        ("a.c", "/* cppcheck-suppress nullPointer */", "cppcheck-suppress"),
        ("a.c", "f(); // LCOV_EXCL_LINE", "LCOV_EXCL"),
    ];
    demand_counted(&rows);
}

fn demand_counted(rows: &[(&str, &str, &str)]) {
    for (path, line, marker) in rows {
        let found = suppressions(catalogue(), path, &format!("\n{line}\n"));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(*marker, 1)], "{path}: {line}");
    }
}

#[test]
fn each_occurrence_counts() {
    let found = suppressions(catalogue(), "a.py", "import a  # noqa\nimport b  # noqa\n");
    assert_eq!(found.get("noqa"), Some(&2));
}

#[test]
fn a_word_that_silences_nothing_is_not_counted() {
    let rows = [
        ("a.py", "noqa = 'noqa'"),
        ("a.py", "# it would be skipped by pytest.mark.skip"),
        ("a.py", "'''\n@pytest.mark.skip\n'''"),
        ("a.ts", "list.skip(2); cursor.only(3); fit(image);"),
        ("a.ts", "const s = '// @ts-ignore';"),
        ("a.ts", "const u = `http://x/*`; // eslint is good"),
        ("a.test.ts", "// it.skip('a')"),
        ("a.test.ts", "it.todo('reads signs, too')\ntest.todo( `b` );"),
        ("a.test.ts", "const s = 'it.skip'; list.only(2);"),
        ("a.rs", "// #[ignore]"),
        ("a.rs", "#[rustfmt::skip]\nconst TABLE: [u8; 2] = [1, 2];"),
        ("a.py", "TABLE = [1,  2]  # fmt: skip"),
        ("a.ts", "// prettier-ignore\nconst m = [1,  0];"),
        ("a.c", "// clang-format off"),
        ("a.rs", "fn allow() { deny(); } // #[allow(x)]"),
        ("a.go", "// t.Skip(x)\nfunc f() { r.Skip(3) }"),
        ("a.go", "//go:build linux"),
        (
            "a.h",
            "#pragma once\n#pragma GCC diagnostic push\n#pragma GCC diagnostic error \"-Wall\"",
        ),
        (
            "a.h",
            "#pragma warning(push)\n#pragma warning(error: 4996)\n#pragma pack(3)",
        ),
        ("a.c", "/* #pragma GCC system_header */ int system_header = 3;"),
        ("a.c", "# 1 \"grammar.y\"\n#line 3 \"grammar.y\""),
        (
            "a.c",
            "puts(\"NOLINT: input is ignored\"); /* a warning, not disabled */",
        ),
        ("a.md", "# noqa\n// @ts-ignore\n#[ignore]"),
        ("a.json", "{\"a\": \"eslint-disable\"}"),
    ];
    for (path, text) in rows {
        let found = suppressions(catalogue(), path, text);
        assert!(found.is_empty(), "{path}: {text} {found:?}");
    }
}

#[test]
fn a_new_test_may_be_left_out_and_an_old_one_may_not() {
    let old = "def test_a():\n    assert f()\n";
    let count = |path: &str, before: &str, after: &str| {
        let found = suppressions_since(catalogue(), path, Some(before), after);
        found
            .into_iter()
            .map(|(marker, number)| format!("{marker} {number}"))
            .collect::<Vec<_>>()
    };
    let python = |after: &str| count("tests/test_a.py", old, after);
    let mark = "@pytest.mark.skipif(WIN, reason='no sed')\n";
    let new = format!("{mark}def test_b():\n    assert g()\n");
    assert_eq!(python(&format!("{old}\n\n{new}")), [""; 0]);
    let runtime = "def test_b():\n    if not there():\n        pytest.skip('no data')\n    assert g()\n";
    assert_eq!(python(&format!("{old}\n\n{runtime}")), [""; 0]);
    assert_eq!(
        python(&format!("{mark}{old}")),
        ["pytest.mark.skipif 1"],
        "it was there"
    );
    let renamed = old.replace("test_a", "test_z");
    assert_eq!(
        python(&format!("{mark}{renamed}")),
        ["pytest.mark.skipif 1"],
        "it only has another name"
    );
    assert_eq!(
        python(&format!("pytestmark = pytest.mark.skipif(WIN)\n\n{old}\n\n{new}")),
        ["pytest.mark.skipif 1"],
        "all tests of the file are left out"
    );
    let inverted = format!("{old}\n\n@pytest.mark.xfail\ndef test_b():\n    assert g()\n");
    assert_eq!(python(&inverted), ["pytest.mark.xfail 1"], "its failure is a success");
    let script = |after: &str| count("a.test.ts", "test('a', () => { expect(1).toBe(1); });\n", after);
    let kept = "test('a', () => { expect(1).toBe(1); });\n";
    assert_eq!(
        script(&format!("{kept}it.skip('b', () => {{ expect(f()).toBe(2); }});\n")),
        [""; 0]
    );
    assert_eq!(script(&kept.replace("test(", "test.skip(")), [".skip 1"]);
    assert_eq!(
        script(&format!("{kept}it.only('b', () => {{ expect(f()).toBe(2); }});\n")),
        [".only 1"],
        "others are left out for it"
    );
    let rust = |after: &str| count("tests/a.rs", "#[test]\nfn a() {\n    f();\n}\n", after);
    assert_eq!(
        rust("#[test]\nfn a() {\n    f();\n}\n\n#[test]\n#[ignore]\nfn b() {\n    g();\n}\n"),
        [""; 0]
    );
    assert_eq!(rust("#[test]\n#[ignore]\nfn a() {\n    f();\n}\n"), ["#[ignore] 1"]);
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tf()\n}\n";
    let more = "\nfunc TestB(t *testing.T) {\n\tt.Skip()\n\tg()\n}\n";
    assert_eq!(count("a_test.go", go, &format!("{go}{more}")), [""; 0]);
    let short = "if testing.Short() {\n\t\tt.Skip()\n\t}";
    let long = more.replace("t.Skip()", short);
    assert_eq!(count("a_test.go", go, &format!("{go}{long}")), [""; 0]);
    assert_eq!(
        count("a_test.go", go, &go.replace("f()", &format!("{short}\n\tf()"))),
        ["t.Skip 1", "testing.Short 1"]
    );
    assert_eq!(
        count("a_test.go", go, &go.replace("f()", "t.Skip()\n\tf()")),
        ["t.Skip 1"]
    );
}
