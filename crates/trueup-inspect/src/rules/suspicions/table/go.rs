//! What is suspicious in Go.

use super::{
    line_rule::LineRule,
    words::{AWARE, DYNAMIC, EXIT, PATCH, PROCESS, RUNNER, STACK, TEST_FILES},
};
use crate::rules::source::Look::{Code, Comment, Text};

/// Lines of production code.
pub(super) const PRODUCTION: &[LineRule] = &[
    (
        Text,
        r#"^\s*(?:import\s+)?(?:\w+\s+)?"testing(?:/\w+)?"|\btesting\.\w+"#,
        RUNNER,
    ),
    (
        Text,
        r#"\b\w+\.Exit\b|\bSYS_EXIT\w*|\bsyscall\.(?:Exit|Kill|Exec)\b|\bruntime\.Goexit\b|\bunix\.(?:Exit|Kill)\b"#,
        EXIT,
    ),
    (
        Text,
        r#"\bos\.Args\[0\]|\bflag\.(?:Lookup|Set)\(|"-?test\.|\bos\.(?:Executable|Getppid)\("#,
        AWARE,
    ),
    (Code, r"\bruntime\.(?:Callers?|FuncForPC|CallersFrames)\b", STACK),
    (Comment, r"^//go:linkname\b", PATCH),
    (Comment, r"^//go:embed\s.*\btestdata\b", TEST_FILES),
    (Comment, r"^//\s*(?:go:build|\+build)\b", PROCESS),
    (
        Text,
        r"\bos\.(?:Hostname|Getpgrp)\(|\b(?:syscall|unix)\.Get(?:ppid|sid|pgid)\b|\b[iI]sTerminal\(|\bisatty\b|\bflag\.(?:VisitAll|Parsed)\b|\bos\.Args\[:",
        PROCESS,
    ),
    (
        Code,
        r"\bruntime\.(?:NumGoroutine|NumCgoCall|ReadMemStats|ThreadCreateProfile)\b|\bruntime\.(?:GOMAXPROCS|NumCPU)\([^)]*\)\s*[<>=!]=?|\bmetrics\.Read\(|\bReadBuildInfo\b",
        PROCESS,
    ),
    (
        Code,
        r"\bdebug\.(?:Stack|PrintStack)\b|\bruntime\.(?:Stack|GoroutineProfile)\b|\bpprof\.Lookup\b",
        STACK,
    ),
    (
        Code,
        r"(?:^|[;{])\s*(?:time|os|fmt|math|rand|http|errors|strings|reflect|runtime)\.[A-Z]\w*\s*=[^=]|\b(?:syscall|unix)\.(?:Mprotect|Dup[23]?|Ptrace\w*)\b",
        PATCH,
    ),
    (Text, r#"^\s*(?:import\s+)?"(?:C|plugin)"|\bplugin\.Open\("#, DYNAMIC),
];
