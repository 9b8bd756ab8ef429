//! What is suspicious in JavaScript and TypeScript.

use super::{
    Row,
    words::{AWARE, DYNAMIC, EXIT, HOOK, LAX, PATCH, PROCESS, RUNNER, STACK},
};
use crate::rules::source::Look::{Code, Text};

/// Lines of production code.
pub(super) const PRODUCTION: &[Row] = &[
    (Text, r"\bvitest\b|\bjest\b|\bnode:test\b|@(?:vitest|jest)/", RUNNER),
    (
        Text,
        r#"(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"`](?:mocha|chai|ava|tap|uvu|jasmine|sinon)\b"#,
        RUNNER,
    ),
    (
        Text,
        r#"\bprocess\s*\??\.?\s*(?:\.\s*|\[\s*['"`])(?:exit|exitCode|abort|kill|reallyExit|emit|binding|dlopen)\b"#,
        EXIT,
    ),
    (
        Text,
        r#"\bexit\b.*['"`](?:node:)?process['"`]|\b(?:Deno|Bun)\.exit\b|\bprocess\[[^'"`]|=\s*(?:globalThis\.|global\.)?process\s*(?:[;,]|$)|^\s*\??\.\s*(?:exit|exitCode|abort|reallyExit)\b"#,
        EXIT,
    ),
    (
        Text,
        r#"\bprocess\.(?:on|once|prependListener|addListener)\(\s*['"`](?:exit|beforeExit|uncaughtException\w*|unhandledRejection)"#,
        HOOK,
    ),
    (Code, r"(?:^|[^.\w])eval\(|\bnew\s+Function\(|\bvm\.run\w+\(", DYNAMIC),
    (
        Text,
        r#"\bNODE_ENV\b.*['"`]test['"`]|['"`]test['"`].*\bNODE_ENV\b|\bprocess\.argv\b.*\b(?:test|spec)\b|\bprocess\.ppid\b|\bMODE\b.*['"`]test['"`]|\bprocess\.execArgv\b"#,
        AWARE,
    ),
    (
        Text,
        r"\btypeof\s+(?:it|test|describe|expect|vi|jest|beforeEach)\b|\b(?:global|globalThis)\.(?:it|test|describe|expect|beforeEach)\b|\bJEST_WORKER_ID\b|\bVITEST\w*\b|\bMOCHA\w*\b|__vitest\w*__|\bNODE_TEST_CONTEXT\b|\bnpm_lifecycle_\w+",
        AWARE,
    ),
    (
        Code,
        r"\bnew\s+Error\([^)]*\)\s*\.stack\b|\bprepareStackTrace\b|\bstackTraceLimit\b|\barguments\.callee\b",
        STACK,
    ),
    (
        Code,
        r"\b(?:global|globalThis|window|self)\.(?:Date|Math|JSON|Promise|Object|Array|Error|process|console|performance|expect|assert|it|test|describe|set\w+|clear\w+|queueMicrotask)(?:\.\w+)*\s*=[^=]",
        PATCH,
    ),
    (
        Code,
        r"\b(?:Date|performance)\.now\s*=[^=]|\bMath\.\w+\s*=[^=]|\bJSON\.\w+\s*=[^=]|\b(?:Object|Array|String|Number|Promise|Function|Error|Map|Set|RegExp)\.(?:prototype\.)?\w+\s*=[^=>]|\bconsole\.\w+\s*=[^=]",
        PATCH,
    ),
    (
        Code,
        r"\bdefineProperty\(\s*(?:global|globalThis|window|Object|Array|Date|Math|process|Promise|Function)\b|\brequire\.cache\b|\bModule\._\w+|\bprocess\.std(?:out|err)\.write\s*=",
        PATCH,
    ),
    (
        Text,
        r"\bprocess\??\.(?:title|uptime|argv0|execPath|send|connected|channel|report|getBuiltinModule|_\w+)\b|\bprocess\.argv\[0\]|\bisTTY\b|\bos\.(?:hostname|uptime|userInfo)\(|\bhostname\(\)|\bisMainThread\b|\b__vi(?:te)?_\w+|\bjsdom\b|\bhappy-dom\b",
        PROCESS,
    ),
    (
        Text,
        r"\bprocess\??\.(?:getActiveResourcesInfo|listenerCount|listeners|rawListeners|eventNames)\b|\bperformance\.(?:timeOrigin|nodeTiming|eventLoopUtilization)\b|\bthreadId\b|\b(?:__dirname|__filename|import\.meta\.(?:url|filename|dirname))\b.*\bnode_modules\b",
        PROCESS,
    ),
    (
        Text,
        r#"\bimport\.meta\.env\??\.(?:DEV|PROD|MODE|TEST|SSR)\b|\b__DEV__\b|\bNODE_ENV\b['"`\])]*\s*[=!]==?|[=!]==?\s*(?:globalThis\.)?process\.env(?:\.|\[['"`])NODE_ENV\b|\bswitch\b.*\bNODE_ENV\b|\{[^}]*\b(?:CI|DEV|PROD|MODE)\b[^}]*\}\s*=\s*(?:process|import\.meta)\.env\b"#,
        PROCESS,
    ),
    (
        Text,
        r#"['"`](?:node:)?inspector(?:/promises)?['"`]|\bregisterHooks\b|\bmodule\.register\(|\bcreateHook\(|\bexecutionAsyncResource\b|\bsetFlagsFromString\b|\bsetUncaughtExceptionCaptureCallback\b|\bdiagnostics_channel\b"#,
        HOOK,
    ),
    (
        Text,
        r#"\.constructor\s*(?:\.|\[['"`])\s*constructor\b|(?:^|[^.\w])Function\(\s*['"`]|\bimport\(\s*['"`]data:"#,
        DYNAMIC,
    ),
    (
        Code,
        r"\bError\([^)]*\)\s*\)?\s*[?!]?\.\s*stack\b|\bstack\b[^=;]*\}\s*=\s*(?:new\s+)?\w*Error\(|\.stack\s*[?!]?\.\s*(?:includes|match\w*|split|indexOf|search|startsWith|endsWith|slice|at|replace)\(|\.test\([^)]*\.stack\b|\bcaptureStackTrace\(\s*(?:[^t\s]|t[^h])|\bgetCallSites?\b|\barguments\.caller\b",
        STACK,
    ),
    (
        Text,
        r#"\bgetOwnPropertySymbols\(|\b(?:ownKeys|keys|entries|values|getOwnPropertyNames|getOwnPropertyDescriptors)\(\s*(?:globalThis|global|window|self)\b|\b(?:in|of)\s+(?:globalThis|global|window|self)\s*\)|\bnew\s+Proxy\(\s*(?:globalThis|global|window|process|console|Object|Array|Date|Math|JSON|Promise|Error|Function)\b|\bSymbol\.for\(\s*['"`][^'"`]*(?:jest|vitest|expect|matcher|chai|mocha|assert)"#,
        PATCH,
    ),
    (
        Code,
        r"\b(?:fs|fsp|fsPromises|child_process|assert|timers|vm|http|https)(?:\.promises)?\.\w+\s*=[^=>]|\b(?:assign|defineProperties|setPrototypeOf)\(\s*(?:globalThis|global|window|process|console|Object|Array|Date|Math|JSON|Promise|Error|Function|String|Number|Map|Set|RegExp|fs)\b|\bReflect\.(?:set|defineProperty|deleteProperty|setPrototypeOf)\(\s*(?:globalThis|global|window|process|console|Object|Array|Date|Math|JSON|Promise|Error|Function|String|Number|Map|Set|RegExp|fs)\b|\bgetPrototypeOf\([^)]*\)\s*(?:\.\w+|\[[^\]]*\])\s*=[^=>]|\b__proto__\b\s*[.=\[]|\bdefineProperty\(\s*(?:String|Number|Symbol|Reflect|JSON|RegExp|Map|Set|console|performance|Error|fs)\b|\b__define[GS]etter__\b|\bsyncBuiltinESMExports\b",
        PATCH,
    ),
    (
        Text,
        r"\basymmetricMatch\b|\bcustomEqualityTesters\b|\baddEqualityTesters\b|\$\$asymmetric\w*|\bSymbol\.(?:toPrimitive|hasInstance)\b",
        LAX,
    ),
];
