//! What is suspicious where tests lie.

use super::{
    line_rule::FamilyRule,
    words::{HOOKS, PATCH},
};
use crate::rules::source::{
    Family::{Python, Script},
    Look::{Code, Text},
};

/// What is suspicious even in tests: changes of the runner itself.
pub(super) const TESTS: &[FamilyRule] = &[
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
    (
        Python,
        Code,
        r"\bload_tests\b|\bTestReport\b|\bCallInfo\b|\bfrom_item_and_call\b|\.excinfo\s*=[^=]|\b(?:report|rep)\.outcome\s*=[^=]|\.(?:exitstatus|testsfailed)\s*=[^=]|\bforce_(?:result|exception)\b",
        HOOKS,
    ),
    (
        Python,
        Text,
        r"\baddopts\b|\bPYTEST_ADDOPTS\b|\bpluginmanager\b|\b_pytest\.(?:runner|reports|python|main|terminal|junitxml|assertion|outcomes|config)\b",
        HOOKS,
    ),
    (
        Python,
        Code,
        r"\bTestCase\.\w+\s*=[^=]|\bsetattr\(\s*(?:unittest\.)?(?:TestCase|TestResult|pytest|builtins)\b|\bTestResult\.\w+\s*=[^=]|\bpytest\.\w+\s*=[^=]|\bbuiltins\.\w+\s*=[^=]|\bAssertionError\s*=[^=]|\bsys\.modules(?:\[[^\]]*\]\s*=[^=]|\.(?:values|items|setdefault|update)\()",
        PATCH,
    ),
    (
        Script,
        Text,
        r#"\bexpect\.extend\(.*\b(?:toBe|toEqual|toStrictEqual|toBe(?:CloseTo|Defined|Falsy|GreaterThan\w*|InstanceOf|LessThan\w*|NaN|Null|Truthy|TypeOf|Undefined)|toContain(?:Equal)?|toHave(?:Been\w+|Length|Property|Returned\w*)|toMatch(?:Object|Snapshot|InlineSnapshot)?|toThrow\w*|toSatisfy)\b|^\s*(?:async\s+)?(?:toBe|toEqual|toStrictEqual|toBe(?:CloseTo|Defined|Falsy|GreaterThan\w*|InstanceOf|LessThan\w*|NaN|Null|Truthy|TypeOf|Undefined)|toContain(?:Equal)?|toHave(?:Been\w+|Length|Property|Returned\w*)|toMatch(?:Object|Snapshot|InlineSnapshot)?|toThrow\w*|toSatisfy)\s*(?::\s*(?:[^\s\d"'`{\[-]|$)|,\s*$|\([^)]*\)\s*(?::\s*[\w<>\s|]+)?\{)"#,
        HOOKS,
    ),
    (
        Script,
        Text,
        r#"\boverwrite(?:Method|Property|ChainableMethod)\b|\bAssertion\.prototype\b|\baddEqualityTesters\b|\bcustomEqualityTesters\b|\bsetMatchers\b|['"`](?:@vitest/(?:runner|expect)|vitest/(?:runners|suite)|jest-circus|@jest/expect)\b|\btask\.result\.state\s*=[^=>]|\b(?:ctx|context)\.task\b"#,
        HOOKS,
    ),
    (
        Script,
        Code,
        r"\b(?:global|globalThis)\.(?:expect|it|test|describe|assert|beforeEach|afterEach)\s*=[^=]|\bassert\.\w+\s*=[^=>]",
        PATCH,
    ),
];

/// What is suspicious in a file that runs before the tests.
pub(super) const SETUP: &[FamilyRule] = &[
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

/// What is suspicious in a file that tests share, and in one that runs before
/// them: nobody who reads a test sees there what it does not test.
pub(super) const SHARED: &[FamilyRule] = &[(
    Script,
    Text,
    r#"\b(?:vi|jest)\.(?:mock|doMock|unstable_mockModule|setMock)\(\s*(?:import\(\s*)?['"`](?:\.|#|@/|~/|src/)"#,
    PATCH,
)];
