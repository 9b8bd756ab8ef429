//! What is suspicious, as tables.

use super::Place;
use crate::rules::{
    pattern::Pattern,
    source::{Family, Look},
};
use Family::{Go, Java, Python, Rust, Script};
use Look::{Code, Comment, Text};
use std::sync::LazyLock;

const RUNNER: &str = "names the test runner, of which production code need not know";
const EXIT: &str = "ends the process, which can hide that tests failed";
const HOOK: &str = "acts when the process ends or fails, which can change what the tests say";
const REPORT: &str = "names a report or a place from which results are read";
const AWARE: &str = "asks whether a test is running, so that tests could see something else than users";
const STACK: &str = "looks at who called it, so that tests could see something else than users";
const PATCH: &str = "replaces something that everything else in the process relies on, the runner too";
const DYNAMIC: &str = "runs text as code, which hides what it does";
const HOOKS: &str = "changes how every test is run or judged";

/// An expression, the part of a line it looks at, and what it says of it.
type Row = (Family, Look, &'static str, &'static str);

const PRODUCTION: &[Row] = &[
    (
        Python,
        Text,
        r"\b_?pytest\b|\bunittest\b|\bconftest\b|\bnose2?\b\.|\bpytest11\b",
        RUNNER,
    ),
    (
        Python,
        Code,
        r"\b(?:os\.)?_exit\b|\bsys\.exit\b|(?:^|[^.\w])(?:exit|quit)\(|\bSystemExit\b",
        EXIT,
    ),
    (
        Python,
        Code,
        r"\bos\.(?:abort|kill|killpg|exec[lv]\w*)\b|\bfrom\s+(?:sys|os)\s+import\b.*\b(?:exit|abort|kill|exec\w+)\b|\bimport\s+(?:os|sys)\s+as\b|^\s*\.\s*_?exit\(|\bCDLL\(\s*None\b|\bpythonapi\b|\bKeyboardInterrupt\(",
        EXIT,
    ),
    (
        Python,
        Code,
        r"\batexit\b|\bsignal\.(?:signal|alarm|setitimer)\b|\bsys\.(?:excepthook|unraisablehook|settrace|setprofile)\b",
        HOOK,
    ),
    (
        Python,
        Code,
        r"\bsys\.(?:modules|meta_path|path_hooks|path_importer_cache)\b",
        RUNNER,
    ),
    (
        Python,
        Text,
        r#"\bgetattr\(\s*(?:os|sys|builtins|__builtins__)\b|\bgc\.get_(?:objects|referrers)\b"#,
        DYNAMIC,
    ),
    (Python, Code, r"(?:^|[^.\w])(?:exec|eval|__import__)\(", DYNAMIC),
    (
        Python,
        Text,
        r"\bsys\.argv\[0\]|\bsys\.argv\b.*(?:\btest|\.xml)|\btest.*\bsys\.argv\b|\bsys\.(?:flags|orig_argv)\b|\bPYTHONOPTIMIZE\b|\b__debug__\b|\bgetppid\b",
        AWARE,
    ),
    (
        Python,
        Code,
        r"\bsys\._(?:getframe|current_frames)\b|\binspect\.(?:stack|currentframe|getouterframes|trace)\b",
        STACK,
    ),
    (
        Python,
        Code,
        r"\btraceback\.(?:extract_stack|walk_stack|format_stack|print_stack)\b|\bf_back\b",
        STACK,
    ),
    (
        Python,
        Code,
        r"\bbuiltins\.\w+\s*=[^=]|\b__builtins__\b|\bsetattr\(\s*(?:builtins|time|os|sys|datetime|random)\b",
        PATCH,
    ),
    (
        Python,
        Code,
        r"(?:^|;|[^=!<>]=)\s*(?:time|datetime|random|os|sys|math|json|subprocess|socket|threading|io)\.\w+\s*=[^=]|\bAssertionError\s*=[^=]",
        PATCH,
    ),
    (
        Script,
        Text,
        r"\bvitest\b|\bjest\b|\bnode:test\b|@(?:vitest|jest)/",
        RUNNER,
    ),
    (
        Script,
        Text,
        r#"(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"`](?:mocha|chai|ava|tap|uvu|jasmine|sinon)\b"#,
        RUNNER,
    ),
    (
        Script,
        Text,
        r#"\bprocess\s*\??\.?\s*(?:\.\s*|\[\s*['"`])(?:exit|exitCode|abort|kill|reallyExit|emit|binding|dlopen)\b"#,
        EXIT,
    ),
    (
        Script,
        Text,
        r#"\bexit\b.*['"`](?:node:)?process['"`]|\b(?:Deno|Bun)\.exit\b|\bprocess\[[^'"`]|=\s*(?:globalThis\.|global\.)?process\s*(?:[;,]|$)|^\s*\??\.\s*(?:exit|exitCode|abort|reallyExit)\b"#,
        EXIT,
    ),
    (
        Script,
        Text,
        r#"\bprocess\.(?:on|once|prependListener|addListener)\(\s*['"`](?:exit|beforeExit|uncaughtException\w*|unhandledRejection)"#,
        HOOK,
    ),
    (
        Script,
        Code,
        r"(?:^|[^.\w])eval\(|\bnew\s+Function\(|\bvm\.run\w+\(",
        DYNAMIC,
    ),
    (
        Script,
        Text,
        r#"\bNODE_ENV\b.*['"`]test['"`]|['"`]test['"`].*\bNODE_ENV\b|\bprocess\.argv\b.*\b(?:test|spec)\b|\bprocess\.ppid\b|\bMODE\b.*['"`]test['"`]|\bprocess\.execArgv\b"#,
        AWARE,
    ),
    (
        Script,
        Text,
        r"\btypeof\s+(?:it|test|describe|expect|vi|jest|beforeEach)\b|\b(?:global|globalThis)\.(?:it|test|describe|expect|beforeEach)\b|\bJEST_WORKER_ID\b|\bVITEST\w*\b|\bMOCHA\w*\b|__vitest\w*__|\bNODE_TEST_CONTEXT\b|\bnpm_lifecycle_\w+",
        AWARE,
    ),
    (
        Script,
        Code,
        r"\bnew\s+Error\([^)]*\)\s*\.stack\b|\bprepareStackTrace\b|\bstackTraceLimit\b|\barguments\.callee\b",
        STACK,
    ),
    (
        Script,
        Code,
        r"\b(?:global|globalThis|window|self)\.(?:Date|Math|JSON|Promise|Object|Array|Error|process|console|performance|expect|assert|it|test|describe|set\w+|clear\w+|queueMicrotask)(?:\.\w+)*\s*=[^=]",
        PATCH,
    ),
    (
        Script,
        Code,
        r"\b(?:Date|performance)\.now\s*=[^=]|\bMath\.\w+\s*=[^=]|\bJSON\.\w+\s*=[^=]|\b(?:Object|Array|String|Number|Promise|Function|Error|Map|Set|RegExp)\.(?:prototype\.)?\w+\s*=[^=>]|\bconsole\.\w+\s*=[^=]",
        PATCH,
    ),
    (
        Script,
        Code,
        r"\bdefineProperty\(\s*(?:global|globalThis|window|Object|Array|Date|Math|process|Promise|Function)\b|\brequire\.cache\b|\bModule\._\w+|\bprocess\.std(?:out|err)\.write\s*=",
        PATCH,
    ),
    (
        Rust,
        Code,
        r"\bprocess::(?:exit|abort)\b|::(?:exit|abort)\(|\babort\(\)|\bSYS_exit\w*|\blibc::(?:_?exit|abort|kill|atexit)\b|(?:^|[^.\w])exit\(",
        EXIT,
    ),
    (
        Rust,
        Code,
        r"\bset_hook\b|\btake_hook\b|\blink_section\b|#\[ctor\b|\bextern\s+crate\s+test\b|\btest::test_main",
        HOOK,
    ),
    (
        Rust,
        Code,
        r"\bcfg!\(.*\btest\b|\bcfg\(\s*not\(\s*test|\bcfg_attr\(\s*test\b.*\bpath\b",
        AWARE,
    ),
    (
        Rust,
        Text,
        r"\bNEXTEST\w*|\bRUST_TEST_\w+|\bCARGO_(?:BIN_EXE|TARGET_TMPDIR)\w*|\bcurrent_exe\b|\benv::args\w*\(\).*test",
        AWARE,
    ),
    (
        Rust,
        Code,
        r"\bBacktrace::(?:force_)?capture|\bthread::current\(\)\.name\b|\bcurrent\(\)\.name\(\)",
        STACK,
    ),
    (
        Rust,
        Code,
        r"\bmacro_rules!\s*(?:assert\w*|panic|debug_assert\w*|unreachable|matches)\b",
        PATCH,
    ),
    (
        Go,
        Text,
        r#"^\s*(?:import\s+)?(?:\w+\s+)?"testing(?:/\w+)?"|\btesting\.\w+"#,
        RUNNER,
    ),
    (
        Go,
        Text,
        r#"\b\w+\.Exit\b|\bSYS_EXIT\w*|\bsyscall\.(?:Exit|Kill|Exec)\b|\bruntime\.Goexit\b|\bunix\.(?:Exit|Kill)\b"#,
        EXIT,
    ),
    (
        Go,
        Text,
        r#"\bos\.Args\[0\]|\bflag\.(?:Lookup|Set)\(|"-?test\.|\bos\.(?:Executable|Getppid)\("#,
        AWARE,
    ),
    (Go, Code, r"\bruntime\.(?:Callers?|FuncForPC|CallersFrames)\b", STACK),
    (Go, Comment, r"^//go:linkname\b", PATCH),
    (Java, Code, r"\borg\.(?:junit|testng|mockito)\b|\bsurefire\b", RUNNER),
    (
        Java,
        Code,
        r"\bSystem\.exit\b|\bexitProcess\(|\.halt\(|\baddShutdownHook\b",
        EXIT,
    ),
    (
        Java,
        Code,
        r"\bgetStackTrace\(\)\[|\bStackWalker\b|\bsun\.java\.command\b",
        STACK,
    ),
];

/// What is suspicious in production code of every language.
const EVERYWHERE: &[(Look, &str, &str)] = &[
    (
        Text,
        r"(?i)\bjunit|\breport[\w-]*\.xml\b|\bresults?\.xml\b|\btest-results?\b",
        REPORT,
    ),
    (
        Text,
        r#"\blcov\.info\b|\bcoverage\.xml\b|\bcoverage-final\.json\b|\.nyc_output\b|['"]\.coverage['"]"#,
        REPORT,
    ),
    (
        Text,
        r"\bGITHUB_(?:OUTPUT|ENV|PATH|STEP_SUMMARY)\b|\.trueup\b|\btrueup\.(?:local\.)?toml\b|\bTRUEUP_",
        REPORT,
    ),
    (Text, r"/proc/(?:self|\d|\$|%|\{)|/dev/fd/", AWARE),
    (Text, r"\bPYTEST_\w+|\bNODE_OPTIONS\b|\bLD_PRELOAD\b", AWARE),
];

/// What is suspicious even in tests: changes of the runner itself.
const TESTS: &[Row] = &[
    (Python, Code, r"\bautouse\s*=\s*True\b", HOOKS),
    (
        Python,
        Code,
        r"\bdef\s+pytest_\w+|\bhookimpl\b|\bhookwrapper\b|\bpytest_plugins\b",
        HOOKS,
    ),
    (
        Script,
        Text,
        r#"\b(?:vi|jest)\.(?:mock|doMock|unstable_mockModule|setMock)\(\s*(?:import\(\s*)?['"`](?:vitest|jest|chai|expect|(?:node:)?test|(?:node:)?assert|@vitest|@jest)\b"#,
        HOOKS,
    ),
];

/// What is suspicious in a file that runs before the tests.
const SETUP: &[Row] = &[
    (
        Python,
        Code,
        r"(?:^|;)\s*(?:time|datetime|builtins|random|os|sys)\.\w+\s*=[^=]|\bsetattr\(\s*(?:builtins|time|os|sys|datetime)\b",
        PATCH,
    ),
    (
        Script,
        Code,
        r"\b(?:Date|performance)\.now\s*=[^=]|\b(?:global|globalThis|window)\.\w+\s*=[^=]|\bMath\.\w+\s*=[^=]",
        PATCH,
    ),
    (
        Script,
        Code,
        r"\b(?:vi|jest)\.(?:useFakeTimers|setSystemTime)\b|\bexpect\.extend\b|\bprototype\.\w+\s*=[^=]",
        PATCH,
    ),
];

/// Calls that end the process with a failure, spelled out, and definitions
/// of somebody's own: neither can turn anything green. 256 would be 0 again.
pub(super) static HARMLESS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let failure = "(?:[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
    let exits =
        r"(?:sys\.exit|process\.exit|os\.Exit|(?:std::)?process::exit|System\.exit|Deno\.exit|SystemExit|\bexit)";
    [
        format!(r"\b{exits}\(\s*{failure}\s*\)"),
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

static COMPILED: LazyLock<[Vec<Compiled>; 3]> = LazyLock::new(|| {
    let compile = |rows: &[Row]| -> Vec<Compiled> {
        let compiled = rows
            .iter()
            .map(|(family, look, expression, what)| (*family, *look, Pattern::new(expression), *what));
        compiled.collect()
    };
    let everywhere = [Python, Script, Rust, Go, Java].into_iter().flat_map(|family| {
        let rows = EVERYWHERE.iter();
        rows.map(move |(look, expression, what)| (family, *look, Pattern::new(expression), *what))
    });
    let mut production = compile(PRODUCTION);
    production.extend(everywhere);
    [production, compile(TESTS), compile(SETUP)]
});

/// The rules that hold for a file.
pub(super) fn rows(family: Family, place: Place) -> impl Iterator<Item = (Look, &'static Pattern, &'static str)> {
    let [production, tests, setup] = &*COMPILED;
    let (first, second): (&[Compiled], &[Compiled]) = match place {
        Place::Production => (production, tests),
        Place::Tests => (&[], tests),
        Place::Setup => (setup, tests),
    };
    let rows = first.iter().chain(second).filter(move |(of, ..)| *of == family);
    rows.map(|(_, look, pattern, what)| (*look, pattern, *what))
}
