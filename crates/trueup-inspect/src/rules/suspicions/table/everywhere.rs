//! What is suspicious in production code of every language.

use super::{
    line_rule::LineRule,
    words::{AWARE, PROCESS, REPORT, TEST_FILES, WRITES},
};
use crate::rules::source::Look::Text;

/// What is suspicious in production code of every language.
pub(super) const PRODUCTION: &[LineRule] = &[
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
    // Added by 1 of 8,051 commits of 25 projects, to a tool of their developers'.
    (
        Text,
        r#"['"`](?:[^'"`]*/)?(?:(?:tests|testdata|__tests__|__snapshots__)(?:/[^'"`]*)?|test/[^'"`]*)['"`]"#,
        TEST_FILES,
    ),
    (Text, r#"/proc(?:/|['"`])|/dev/fd/|/dev/tty\b"#, AWARE),
    (
        Text,
        r#"[eE]nv\w*(?:\.|\(|\[|\?|!|:|get|var|_os)*['"`]?(?:CI|CI_\w+|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|JENKINS_URL|BUILDKITE|TF_BUILD|TEST|TESTS|TESTING|TEST_\w+|\w+_TEST(?:S|ING)?|IS_TEST\w*|UNDER_TEST|DRY_RUN_TEST)(?:['"`\])]|\b)"#,
        AWARE,
    ),
    (
        Text,
        r#"\b(?:subprocess\.\w+|exec\w*|[pP]open|spawn\w*|check_output|getoutput|system|Command(?:Context|::new)?|Process\.Start)\b.*['"`](?:/usr)?(?:/bin/)?(?:ps|pgrep|pstree|pidof|lsof|tty|hostname|uptime)(?:['"`]|\s)"#,
        PROCESS,
    ),
    (Text, r"\bPYTEST_\w+|\bNODE_OPTIONS\b|\bLD_PRELOAD\b", AWARE),
    (
        Text,
        r#"(?:\b(?:write|append|copy|rename)File\w*|\bWriteFile|\bcreateWriteStream|\bFile::create|\bfs::(?:write|copy|rename)|\brename(?:Sync)?)\(\s*&?['"`][^'"`]*\.(?:[cm]?[jt]sx?|py|rs|go|c|cc|cpp|h|hpp|java|kt|cs)['"`]"#,
        WRITES,
    ),
    (
        Text,
        r#"\bf?open\(\s*['"][^'"]*\.(?:[cm]?[jt]sx?|py|rs|go|c|cc|cpp|h|hpp|java|kt|cs)['"]\s*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]|['"][^'"]*\.(?:[cm]?[jt]sx?|py|rs|go|c|cc|cpp|h|hpp|java|kt|cs)['"]\s*\)?\s*\.\s*write_(?:text|bytes)\("#,
        WRITES,
    ),
];
