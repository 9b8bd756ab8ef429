//! What looks suspicious and is not.

use crate::rules::pattern::Pattern;
use std::sync::LazyLock;

/// Calls that end the process with a failure, spelled out, where a failure is
/// told of, options that are read, and definitions of somebody's own: none of
/// these can turn anything green. 256 would be 0 again.
pub(super) static HARMLESS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let failure = "(?:[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
    let exits = r"(?:sys\.exit|process\.exit|os\.Exit|(?:std::)?process::exit|System\.exit|Deno\.exit|SystemExit|\bexit|Environment\.Exit)";
    [
        format!(r"\b{exits}\(\s*{failure}\s*\)"),
        r"\bcfg_attr\(\s*debug_assertions\s*,\s*track_caller\s*\)".to_owned(),
        r"\bexit\(\s*EXIT_FAILURE\s*\)".to_owned(),
        // C's own: Python's `os._exit` also keeps its reports from being written.
        format!(r"(?:^|[^\w.])(?:_exit|_Exit|quick_exit)\(\s*(?:EXIT_FAILURE|{failure})\s*\)"),
        // What a package is called, and what was made for it while it was built.
        r#"\b(?:option_)?env!\(\s*"CARGO_PKG_\w+"|\binclude\w*!\(\s*concat!\(\s*env!\(\s*"(?:OUT_DIR|CARGO_MANIFEST_DIR)"\s*\)"#.to_owned(),
        format!(r"\bprocess\.exitCode\s*=\s*{failure}\s*(?:;|\}}|$)"),
        r#"\b(?:sys\.exit|SystemExit)\(\s*f?(?:"[^"]+"|'[^']+')\s*\)"#.to_owned(),
        // No program is called by a name that begins with a dash: this reads options.
        r#"\bstrn?cmp\(\s*[\w.>-]*\bargv\[\s*0\s*\]\s*,\s*"-[^"]*""#.to_owned(),
        // Whoever uses the name is asked about the use.
        r"^\s*#\s*define\s+NAN\s+(?:sqrt\(\s*-\s*1(?:\.0*)?\s*\)|\(?\s*0\.0*f?\s*/\s*0\.0*f?\s*\)?)\s*$".to_owned(),
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
