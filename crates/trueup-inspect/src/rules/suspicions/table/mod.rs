//! What is suspicious, as tables.

mod clock;
mod everywhere;
mod go;
mod java;
mod line_rule;
mod names;
mod native;
mod numbers;
mod python;
mod rust;
mod script;
mod silence;
mod tests;
mod words;

use self::line_rule::{FamilyRule, LineRule};
pub(super) use self::words::{COUNTS, ELSEWHERE, STACK};
use super::file_role::FileRole;
use crate::rules::{
    pattern::Pattern,
    source::{Family, Look},
};
use std::sync::LazyLock;

/// What is suspicious in production code.
const PRODUCTION: [(Family, &[LineRule]); 6] = [
    (Family::Python, python::PRODUCTION),
    (Family::Script, script::PRODUCTION),
    (Family::Rust, rust::PRODUCTION),
    (Family::Go, go::PRODUCTION),
    (Family::Java, java::PRODUCTION),
    (Family::Native, native::PRODUCTION),
];

/// Calls that end the process with a failure, spelled out, where a failure is
/// told of, and definitions of somebody's own: none of these can turn anything
/// green. 256 would be 0 again.
pub(super) static HARMLESS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let failure = "(?:[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
    let exits = r"(?:sys\.exit|process\.exit|os\.Exit|(?:std::)?process::exit|System\.exit|Deno\.exit|SystemExit|\bexit|Environment\.Exit)";
    [
        format!(r"\b{exits}\(\s*{failure}\s*\)"),
        r"\bcfg_attr\(\s*debug_assertions\s*,\s*track_caller\s*\)".to_owned(),
        r"\bexit\(\s*EXIT_FAILURE\s*\)".to_owned(),
        // What a package is called, and what was made for it while it was built.
        r#"\b(?:option_)?env!\(\s*"CARGO_PKG_\w+"|\binclude\w*!\(\s*concat!\(\s*env!\(\s*"(?:OUT_DIR|CARGO_MANIFEST_DIR)"\s*\)"#.to_owned(),
        format!(r"\bprocess\.exitCode\s*=\s*{failure}\s*(?:;|\}}|$)"),
        r#"\b(?:sys\.exit|SystemExit)\(\s*f?(?:"[^"]+"|'[^']+')\s*\)"#.to_owned(),
        r"\b(?:def|function|func|fn|class)\s+\w*(?:exit|quit|eval|exec|abort)\b\(?".to_owned(),
    ]
    .iter()
    .map(|expression| Pattern::new(expression))
    .collect()
});

/// The guard that is passed only when a Python file is the program.
pub(super) static GUARD: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r#"^if\s+__name__\s*==\s*['"]__main__['"]\s*:\s*$"#));

/// The customary line under that guard.
pub(super) static ENTRY: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"^(?:sys\.exit|raise\s+SystemExit|exit)\((?:\w+\.)*_?(?:main|run|cli|app)\([^()]*\)\)$")
});

/// A comparison that says yes to everything.
pub(super) static ALWAYS_EQUAL: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"^def\s+__(?:eq|ne|le|ge|lt|gt|contains)__\(.*\)\s*(?:->\s*\w+\s*)?:\s*return\s+True$")
});

type Compiled = (Family, Look, Pattern, &'static str);

/// Every rule, compiled once.
struct Tables {
    production: Vec<Compiled>,
    tests: Vec<Compiled>,
    shared: Vec<Compiled>,
    setup: Vec<Compiled>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let compile = |rows: &[FamilyRule]| -> Vec<Compiled> {
        let rows = rows.iter();
        rows.map(|(family, look, expression, what)| (*family, *look, Pattern::new(expression), *what))
            .collect()
    };
    let production = PRODUCTION.iter().flat_map(|(family, rows)| {
        let rows = rows.iter().chain(everywhere::PRODUCTION);
        let rows = rows.map(|(look, expression, what)| (*family, *look, Pattern::new(expression), *what));
        let made = |family| {
            [
                (family, Look::Code, clock::deciding(family), words::CLOCK),
                (family, Look::Code, numbers::none(family), words::NO_NUMBER),
                (family, Look::Text, numbers::of_text(family), words::NO_NUMBER),
                (family, Look::Text, silence::keeping(family), words::SILENT),
            ]
        };
        rows.chain(made(*family))
    });
    let names = PRODUCTION
        .iter()
        .map(|(family, _)| (*family, Look::Code, names::taken(*family), words::WORD));
    Tables {
        production: production.collect(),
        // What a word means in a file of tests, it means in all of its package.
        tests: compile(tests::TESTS).into_iter().chain(names).collect(),
        shared: compile(tests::SHARED),
        setup: compile(tests::SETUP),
    }
});

/// The rules that hold for a file.
pub(super) fn rows(family: Family, role: FileRole) -> impl Iterator<Item = (Look, &'static Pattern, &'static str)> {
    let Tables {
        production,
        tests,
        shared,
        setup,
    } = &*TABLES;
    let groups: [&[Compiled]; 3] = match role {
        FileRole::Production => [production, tests, &[]],
        FileRole::Tests => [&[], tests, &[]],
        FileRole::Shared => [shared, tests, &[]],
        FileRole::Setup => [setup, tests, shared],
    };
    let rows = groups.into_iter().flatten().filter(move |(of, ..)| *of == family);
    rows.map(|(_, look, pattern, what)| (*look, pattern, *what))
}
