//! What is suspicious in Java and Kotlin.

use super::{
    line_rule::LineRule,
    words::{EXIT, LAX, PATCH, PROCESS, RUNNER, STACK},
};
use crate::rules::source::Look::Code;

/// Lines of production code.
pub(super) const PRODUCTION: &[LineRule] = &[
    (Code, r"\borg\.(?:junit|testng|mockito)\b|\bsurefire\b", RUNNER),
    (
        Code,
        r"\bSystem\.exit\b|\bexitProcess\(|\.halt\(|\baddShutdownHook\b",
        EXIT,
    ),
    (
        Code,
        r"\bgetStackTrace\(\)\[|\bStackWalker\b|\bsun\.java\.command\b",
        STACK,
    ),
    (
        Code,
        r"\bgetRuntimeMXBean\b|\bProcessHandle\.current\b|\bSystem\.console\(\)|\bgetLocalHost\(\)",
        PROCESS,
    ),
    (
        Code,
        r"\bThread\.activeCount\(|\bgetThreadMXBean\b|\bcurrentThread\(\)\.(?:getName\(|name\b|getId\(|getThreadGroup\()",
        PROCESS,
    ),
    (
        Code,
        r"\bcurrentThread\(\)\.(?:getStackTrace|stackTrace)\b|\bgetAllStackTraces\b",
        STACK,
    ),
    (
        Code,
        r"\bequals\(\s*(?:final\s+)?(?:Object\s+\w+|\w+\s*:\s*Any\?)\s*\)[^{=]*(?:\{\s*return\s+true|=\s*true)\b",
        LAX,
    ),
    (
        Code,
        r"\b(?:Instrumentation|premain|agentmain|SecurityManager)\b",
        PATCH,
    ),
];
