//! What is suspicious in C, C++ and C#.

use super::{
    line_rule::LineRule,
    words::{EXIT, HOOK, LAX, PATCH, PROCESS, RUNNER, STACK},
};
use crate::rules::source::Look::{Code, Text};

/// Lines of production code.
pub(super) const PRODUCTION: &[LineRule] = &[
    (
        Text,
        r#"#\s*include\s*[<"].*(?:gtest|gmock|catch2?|doctest|cmocka|unity|cppunit|boost/test)|\b(?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools)\b"#,
        RUNNER,
    ),
    (
        Code,
        r"\b_exit\(|\b_Exit\(|\bquick_exit\(|\bexit\(|\babort\(|\bterminate\(\)|\bkill\(|\bexec[lv]\w*\(|\bEnvironment\.(?:Exit|FailFast)\b",
        EXIT,
    ),
    (
        Code,
        r"\batexit\(|\bon_exit\(|\bat_quick_exit\(|\b__attribute__\s*\(\(.*\b(?:constructor|destructor)\b|\bset_terminate\b|\bsignal\(|\bsigaction\(|\bProcessExit\b|\bUnhandledException\b",
        HOOK,
    ),
    (
        Text,
        r"\bgetppid\(|\bgetsid\(|\bgetpgid\(|\bisatty\(|\bttyname\w*\(|\bgethostname\(|\bprogram_invocation\w*|\bgetprogname\b|\b__progname\b|(?:\bstr\w+|\bbasename|\bmemcmp)\(.*\bargv\[\s*0\s*\]|\bargv\[\s*0\s*\]\s*\[|\bGetEntryAssembly\b|\bGetCurrentProcess\b|\bDebugger\.IsAttached\b",
        PROCESS,
    ),
    (
        Code,
        r"\bgettid\(|\bgetrusage\(|\bThreadPool\.\w*(?:Count|Threads)\b|\bCurrentThread\.(?:Name|ManagedThreadId)\b",
        PROCESS,
    ),
    (
        Code,
        r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:NDEBUG|_?DEBUG|UNIT_?TEST\w*|TEST\w*|\w+_TEST|__OPTIMIZE\w*|__NO_INLINE__|__SANITIZE\w*|__SSP__|__INCLUDE_LEVEL__|__PI[CE]__)\b|\b__has_feature\b",
        PROCESS,
    ),
    (
        Code,
        r"\bbacktrace(?:_symbols)?\(|\b__builtin_(?:return|frame)_address\b|\bdladdr\(|\bstacktrace::current\b|\bsource_location::current\b|\bnew\s+StackTrace\(|\bStackFrame\b|\bEnvironment\.StackTrace\b|\bCaller(?:MemberName|FilePath)\b|\bGetCallingAssembly\b",
        STACK,
    ),
    (
        Code,
        r"\bdlsym\(|\bdlopen\(|\bRTLD_\w+|\bptrace\(|\bmprotect\(|\b__attribute__\s*\(\(.*\b(?:weak|alias|ifunc|section)\b|#\s*(?:define|undef)\s+(?:assert|main|exit|return|if|while|EXPECT_\w+|ASSERT_\w+|str\w+|mem\w+|printf|puts)\b",
        PATCH,
    ),
    (
        Code,
        r"\boperator\s*[=!<>]=?\s*\(.*\)\s*(?:const\b\s*)?(?:noexcept\b\s*)?\{\s*return\s+(?:true|1|false|0)\b|\bbool\s+Equals\(.*\)\s*(?:\{\s*return|=>)\s*true\b",
        LAX,
    ),
];
