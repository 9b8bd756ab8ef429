//! Markers that silence a test or a finding.

use super::{
    paths,
    pattern::Pattern,
    source::{Family, Look, lines},
};
use crate::code::{self, Item, ItemKind};
use std::{collections::BTreeMap, sync::LazyLock};

/// Where a marker means what it seems to mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In every file.
    Anywhere,
    /// Only where tests lie: elsewhere the word is somebody's own.
    Tests,
}

use Family::{Go, Java, Native, Python, Rust, Script};
use Look::{Code, Comment, Text};
use Place::{Anywhere, Tests};

/// Markers with the expression that finds them. Those of formatters are not
/// among them: how code is laid out proves nothing, and silences nothing.
const MARKERS: [(&str, Family, Look, Place, &str); 63] = [
    ("pytest.mark.skip", Python, Code, Anywhere, r"\bmark\.skip\b"),
    ("pytest.mark.skipif", Python, Code, Anywhere, r"\bmark\.skipif\b"),
    ("pytest.mark.xfail", Python, Code, Anywhere, r"\bmark\.xfail\b"),
    (
        "pytest.skip",
        Python,
        Code,
        Anywhere,
        r"\bpytest\.(?:skip|importorskip)\b",
    ),
    ("pytest.xfail", Python, Code, Anywhere, r"\bpytest\.xfail\b"),
    (
        "unittest.skip",
        Python,
        Code,
        Anywhere,
        r"\bunittest\.(?:skip\w*|SkipTest)\b|@skip(?:If|Unless)?\b",
    ),
    ("expectedFailure", Python, Code, Anywhere, r"\bexpectedFailure\b"),
    ("skipTest", Python, Code, Anywhere, r"\.skipTest\("),
    ("__test__ = False", Python, Code, Anywhere, r"\b__test__\s*=\s*False"),
    (
        "collect_ignore",
        Python,
        Code,
        Anywhere,
        r"\bcollect_ignore(?:_glob)?\b",
    ),
    ("noqa", Python, Comment, Anywhere, r"(?i)\bnoqa\b"),
    ("type: ignore", Python, Comment, Anywhere, r"\btype:\s*ignore\b"),
    (
        "pyright: ignore",
        Python,
        Comment,
        Anywhere,
        r"\bpyright:\s*(?:ignore|basic|\w+=false)",
    ),
    (
        "mypy: ignore",
        Python,
        Comment,
        Anywhere,
        r"\bmypy:\s*(?:ignore|disable|allow)",
    ),
    (
        "pylint: disable",
        Python,
        Comment,
        Anywhere,
        r"\bpylint:\s*(?:disable|skip-file)",
    ),
    (
        "pragma: no cover",
        Python,
        Comment,
        Anywhere,
        r"(?i)\bpragma:\s*no\s*(?:cover|branch)",
    ),
    ("nosec", Python, Comment, Anywhere, r"\bnosec\b"),
    (
        ".skip",
        Script,
        Code,
        Tests,
        r"\b(?:it|test|describe|suite|context|bench|specify)(?:\.\w+(?:\([^)]*\))?)*\.(?:skip|skipIf|runIf)\b",
    ),
    (
        ".only",
        Script,
        Code,
        Tests,
        r"\b(?:it|test|describe|suite|context|bench|specify)(?:\.\w+(?:\([^)]*\))?)*\.only\b",
    ),
    (
        ".todo",
        Script,
        Code,
        Tests,
        // A title alone is no test that is left out: there never was one.
        r#"\b(?:it|test|describe|suite|context|bench|specify)(?:\.\w+(?:\([^)]*\))?)*\.todo\b(?:[^(]|$|\(\s*(?:[^'"`\s]|$|(?:'[^']*'|"[^"]*"|`[^`]*`)\s*(?:[^)\s]|$)))"#,
    ),
    (
        ".fails",
        Script,
        Code,
        Tests,
        r"\b(?:it|test|describe|suite|context|bench|specify)(?:\.\w+(?:\([^)]*\))?)*\.(?:fails|failing)\b",
    ),
    (
        "xit",
        Script,
        Code,
        Tests,
        r"(?:^|[^.\w])(?:xit|xtest|xdescribe|xcontext|xspecify)\s*[(.]",
    ),
    (
        "fit",
        Script,
        Code,
        Tests,
        r"(?:^|[^.\w])(?:fit|ftest|fdescribe|fcontext)\s*[(.]",
    ),
    (
        "t.skip",
        Script,
        Code,
        Tests,
        r"\b(?:t|ctx|context|this)\.(?:skip|todo|pending)\(",
    ),
    (
        "skip: true",
        Script,
        Text,
        Tests,
        r#"\b(?:skip|only|todo|fails)\s*:\s*(?:true\b|['"`])"#,
    ),
    ("eslint-disable", Script, Comment, Anywhere, r"\beslint-disable"),
    (
        "eslint rule off",
        Script,
        Comment,
        Anywhere,
        r#"\beslint\s+[\w@/-]+\s*:\s*(?:\[?\s*["']?(?:off|0|warn|1)\b)"#,
    ),
    ("tslint:disable", Script, Comment, Anywhere, r"\btslint:disable"),
    ("oxlint-disable", Script, Comment, Anywhere, r"\boxlint-disable"),
    ("biome-ignore", Script, Comment, Anywhere, r"\bbiome-ignore"),
    ("@ts-ignore", Script, Comment, Anywhere, r"@ts-ignore\b"),
    ("@ts-nocheck", Script, Comment, Anywhere, r"@ts-nocheck\b"),
    ("@ts-expect-error", Script, Comment, Anywhere, r"@ts-expect-error\b"),
    ("istanbul ignore", Script, Comment, Anywhere, r"\bistanbul\s+ignore"),
    ("c8 ignore", Script, Comment, Anywhere, r"\bc8\s+ignore"),
    ("v8 ignore", Script, Comment, Anywhere, r"\bv8\s+ignore"),
    (
        "#[ignore]",
        Rust,
        Text,
        Anywhere,
        r"#\[\s*(?:cfg_attr\s*\(.*,\s*)?ignore\b",
    ),
    (
        "#[allow]",
        Rust,
        Text,
        Anywhere,
        r"#!?\[\s*(?:cfg_attr\s*\(.*,\s*)?allow\s*\(",
    ),
    (
        "#[expect]",
        Rust,
        Text,
        Anywhere,
        r"#!?\[\s*(?:cfg_attr\s*\(.*,\s*)?expect\s*\(",
    ),
    (
        "#[cfg] that never holds",
        Rust,
        Text,
        Anywhere,
        r"#!?\[\s*cfg\s*\(\s*(?:any\s*\(\s*\)|false|FALSE|not\s*\(\s*all\s*\(\s*\)|not\s*\(\s*test)",
    ),
    (
        "coverage off",
        Rust,
        Text,
        Anywhere,
        r"\bcoverage\s*\(\s*off|\bno_coverage\b|not\s*\(\s*tarpaulin",
    ),
    ("LCOV_EXCL", Rust, Comment, Anywhere, r"\b(?:LCOV|GRCOV|GCOV)_EXCL"),
    ("t.Skip", Go, Code, Tests, r"\b\w+\.Skip(?:Now|f)?\("),
    ("testing.Short", Go, Code, Tests, r"\btesting\.Short\("),
    ("build tag", Go, Comment, Tests, r"^//\s*(?:go:build|\+build)\b"),
    (
        "build tag ignore",
        Go,
        Comment,
        Anywhere,
        r"^//\s*(?:go:build|\+build)\s+(?:ignore|never|none)\b",
    ),
    ("nolint", Go, Comment, Anywhere, r"\bnolint\b"),
    ("lint:ignore", Go, Comment, Anywhere, r"\blint:(?:file-)?ignore\b"),
    ("#nosec", Go, Comment, Anywhere, r"#nosec\b"),
    ("@Disabled", Java, Code, Anywhere, r"@Disabled\w*"),
    ("@Ignore", Java, Code, Anywhere, r"@Ignore\b"),
    (
        "@SuppressWarnings",
        Java,
        Code,
        Anywhere,
        r"@Suppress(?:Warnings|FBWarnings)?\b",
    ),
    ("NOSONAR", Java, Comment, Anywhere, r"\bNOSONAR\b"),
    ("assume", Java, Code, Tests, r"\bassume(?:True|False|That|NotNull)\("),
    // A line may be split, and words put together from macros: what a marker
    // ends in is enough where nobody else says so.
    (
        "#pragma system_header",
        Native,
        Text,
        Anywhere,
        r"pragma\b.*system_header\b|_Pragma\b.*system_header\b|\b(?:GCC|clang)\s+system_header\b|^\s*system_header\s*$",
    ),
    (
        "line marker of the system",
        Native,
        Text,
        Anywhere,
        r#"^\s*(?:#|%:)\s*\d+\s+".*"(?:\s+[12])?\s+3\b"#,
    ),
    (
        "#pragma diagnostic",
        Native,
        Text,
        Anywhere,
        r#"\b(?:ignored|diagnostic\s*warning)\s*\\?"-W"#,
    ),
    (
        "#pragma warning",
        Native,
        Code,
        Anywhere,
        r"pragma\b.*\bwarning\b.*(?:\b(?:disable|suppress)\b|\bpush\s*,\s*[0-3]\b)",
    ),
    ("__extension__", Native, Code, Anywhere, r"\b__extension__\b"),
    ("SuppressMessage", Native, Code, Anywhere, r"\bSuppressMessage\b"),
    ("NOLINT", Native, Comment, Anywhere, r"\bNOLINT"),
    ("cppcheck-suppress", Native, Comment, Anywhere, r"\bcppcheck-suppress"),
    ("LCOV_EXCL", Native, Comment, Anywhere, r"\b(?:LCOV|GCOV|GCOVR)_EXCL"),
];

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| MARKERS.iter().map(|row| Pattern::new(row.4)).collect());

/// Markers that leave out the test in which they stand, and no other. Those
/// after which a failure counts as a success are not among them.
const SKIPS: [&str; 11] = [
    "pytest.mark.skip",
    "pytest.mark.skipif",
    "pytest.skip",
    "unittest.skip",
    "skipTest",
    ".skip",
    "xit",
    "t.skip",
    "#[ignore]",
    "t.Skip",
    "testing.Short",
];

/// How often each marker stands in a file, since it was another: a new test
/// that is left out somewhere silences nothing that was there.
pub fn suppressions_since(path: &str, before: Option<&str>, after: &str) -> BTreeMap<&'static str, usize> {
    let mut found = suppressions(path, after);
    if found.keys().any(|marker| SKIPS.contains(marker)) {
        let kept = suppressions(path, &without_new_tests(path, before, after));
        found.retain(|marker, number| {
            if SKIPS.contains(marker) {
                *number = kept.get(marker).copied().unwrap_or_default();
            }
            *number > 0
        });
    }
    found
}

/// A file without tests that it did not hold before, by name or by body.
fn without_new_tests(path: &str, before: Option<&str>, after: &str) -> String {
    let tests = |text: &str| -> Vec<Item> {
        let items = code::items(path, text).unwrap_or_default().into_iter();
        items.filter(|item| item.sort == ItemKind::Test).collect()
    };
    let old_text = before.unwrap_or_default();
    let old: Vec<Item> = tests(old_text);
    let is_old = |item: &Item| {
        let key = code::body_key(after, item);
        old.iter()
            .any(|old| old.name == item.name || code::body_key(old_text, old) == key)
    };
    let mut rest = after.to_owned();
    for item in tests(after).into_iter().rev().filter(|item| !is_old(item)) {
        if rest.get(item.span.clone()).is_some() {
            rest.replace_range(item.span, "");
        }
    }
    rest
}

/// How often each marker that silences a test or a finding stands in a file.
pub fn suppressions(path: &str, text: &str) -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    let Some(family) = Family::of(path) else { return found };
    let place = if paths::holds_tests(path) { Tests } else { Anywhere };
    let lines = lines(family, text);
    let rows = MARKERS.iter().zip(PATTERNS.iter());
    for ((marker, _, look, at, _), pattern) in rows.filter(|((_, of, ..), _)| *of == family) {
        if *at == Tests && place != Tests {
            continue;
        }
        let count: usize = lines.iter().map(|line| pattern.count(line.part(*look))).sum();
        if count > 0 {
            found.insert(*marker, count);
        }
    }
    found
}
