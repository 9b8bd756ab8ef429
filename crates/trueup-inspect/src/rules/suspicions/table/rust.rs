//! What is suspicious in Rust.

use super::{
    line_rule::LineRule,
    words::{AWARE, DYNAMIC, EXIT, HOOK, LAX, PATCH, PROCESS, STACK},
};
use crate::rules::source::Look::{Code, Text};

/// Lines of production code.
pub(super) const PRODUCTION: &[LineRule] = &[
    (
        Code,
        r"\bprocess::(?:exit|abort)\b|::(?:exit|abort)\(|\babort\(\)|\bSYS_exit\w*|\blibc::(?:_?exit|abort|kill|atexit)\b|(?:^|[^.\w])exit\(",
        EXIT,
    ),
    (
        Code,
        r"\bset_hook\b|\btake_hook\b|\blink_section\b|#\[ctor\b|\bextern\s+crate\s+test\b|\btest::test_main",
        HOOK,
    ),
    (
        Code,
        r"\bcfg!\(.*\btest\b|\bcfg\(\s*not\(\s*test|\bcfg_attr\(\s*test\b.*\bpath\b",
        AWARE,
    ),
    (
        Text,
        r#"\bNEXTEST\w*|\bRUST_TEST_\w+|\bCARGO_(?:BIN_EXE|TARGET_TMPDIR)\w*|\bvar(?:_os)?\(\s*"CARGO(?:"|_(?:MANIFEST|PKG|CRATE)_)|\bcurrent_exe\b|\benv::args\w*\(\).*test"#,
        AWARE,
    ),
    (
        Code,
        r"\bBacktrace::(?:force_)?capture|\bthread::current\(\)\.name\b|\bcurrent\(\)\.name\(\)",
        STACK,
    ),
    (
        Code,
        r"\bmacro_rules!\s*(?:assert\w*|panic|debug_assert\w*|unreachable|matches)\b",
        PATCH,
    ),
    (
        Code,
        r"\bdebug_assertions\b|\boverflow_checks\b|\bcfg_attr\(.*\bpath\s*=|\bcfg(?:_attr)?!?\(.*\b(?:doctest|coverage|tarpaulin|nextest)\b",
        PROCESS,
    ),
    (
        Code,
        r"\bparent_id\(|\bgetppid\b|\bgethostname\b|\bis_terminal\(|\bIsTerminal\b|\bisatty\b|\bsysinfo::|\bargs(?:_os)?\(\)\s*\.\s*(?:next|nth\(\s*0)\b|\bthread::current\(\)\.id\b",
        PROCESS,
    ),
    // Checks see few variables, and where a build needs another one, a file that
    // sets the rules gives it: only what is there by itself can tell builds apart.
    (
        Text,
        r#"\boption_env\s*!|\benv\s*!\s*[(\[{]\s*(?:$|[^"\s]|"[^"]*\\|"(?:CARGO|RUST|NEXTEST|TRUEUP|GITHUB|XDG|LC|LD)\w*"|"(?:OUT_DIR|TARGET|HOST|PROFILE|DEBUG|OPT_LEVEL|NUM_JOBS|CI|PATH|(?:OLD)?PWD|HOME|USER|LOGNAME|SHELL|SHLVL|TERM|TMPDIR|LANG|TZ|HOSTNAME|MAKE\w*|_)")"#,
        PROCESS,
    ),
    (
        Text,
        r"\b(?:file|module_path)!\(\)\s*(?:\.|[=!]=)|\bavailable_parallelism\(.*[<>=]=?\s*\d",
        PROCESS,
    ),
    (Code, r"\bLocation::caller\b|\bpanic::Location\b|\bbacktrace::", STACK),
    (
        Code,
        r"\bno_mangle\b|\bexport_name\b|\blink_name\b|#\[\s*(?:unsafe\()?link\(|\bglobal_asm!|\binit_array\b|#\[\s*used\b",
        PATCH,
    ),
    (
        Text,
        r#"\binclude!\(\s*r?#*"|\basm!\(|\btransmute(?:_copy)?\b"#,
        DYNAMIC,
    ),
    (Code, r"\bTermination\s+for\b", EXIT),
    (
        Code,
        r"\bfn\s+(?:eq|ne|cmp|partial_cmp|lt|le|gt|ge)\s*\(\s*&\s*self\s*,\s*_",
        LAX,
    ),
];
