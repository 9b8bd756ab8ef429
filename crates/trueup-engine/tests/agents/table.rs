//! What every recorded call of a real agent came to. The samples are the
//! output of Claude Code 2.1.325 and 2.1.197 and of Codex 0.166.0 against a
//! scripted model; exit codes and standard errors are those of the same calls.

use trueup_core::ending::Ending;

/// One recorded call.
pub(crate) struct Sample {
    /// The file's name, without its ending.
    pub(crate) name: &'static str,
    /// The exit code; 128 and the signal's number after a signal.
    pub(crate) code: i32,
    /// What it came to.
    pub(crate) ending: &'static str,
}

/// The name of an ending's kind.
pub(crate) fn kind(ending: &Ending) -> &'static str {
    match ending {
        Ending::Exited { .. } => "exited",
        Ending::Finished => "finished",
        Ending::Blocked { .. } => "blocked",
        Ending::Limited { .. } => "limited",
        Ending::Unreachable { .. } => "unreachable",
        Ending::NotSignedIn { .. } => "not signed in",
        Ending::ContextFull { .. } => "context full",
        Ending::Refused { .. } => "refused",
        Ending::Hung { .. } => "hung",
        Ending::Silent { .. } => "silent",
        Ending::Interrupted => "interrupted",
        Ending::Killed { .. } => "killed",
        Ending::Broken { .. } => "broken",
        Ending::TimedOut => "timed out",
        Ending::Spent(_) => "spent",
        Ending::Overran { .. } => "overran",
        Ending::Unusable { .. } => "unusable",
    }
}

const fn ends(name: &'static str, code: i32, ending: &'static str) -> Sample {
    Sample { name, code, ending }
}

/// What is told on standard error alone.
pub(crate) fn stderr(name: &str) -> &'static str {
    if name.ends_with("perm-root-nosandbox") {
        "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons"
    } else {
        ""
    }
}

/// Calls that went the same way in both versions of Claude Code.
pub(crate) const CLAUDE_BOTH: &[Sample] = &[
    ends("append", 0, "finished"),
    ends("basic", 0, "finished"),
    ends("budget", 1, "spent"),
    ends("connrefused", 1, "unreachable"),
    ends("drop-mid", 0, "finished"),
    ends("e400", 1, "broken"),
    ends("e400-credit", 1, "not signed in"),
    ends("e400-toolong", 1, "context full"),
    ends("e401", 1, "not signed in"),
    ends("e403", 1, "not signed in"),
    ends("e404model", 1, "unusable"),
    ends("e413", 1, "broken"),
    ends("e429-once", 0, "finished"),
    ends("e500-r2", 1, "unreachable"),
    ends("empty", 0, "finished"),
    ends("garbage", 0, "finished"),
    ends("hang-before", 1, "unreachable"),
    ends("hooks", 0, "finished"),
    ends("hooks-forever", 0, "finished"),
    ends("json", 0, "finished"),
    ends("kill9-stream", 137, "killed"),
    ends("kill9-stream-resume", 0, "finished"),
    ends("kill9-tool", 137, "killed"),
    ends("kill9-tool-resume", 0, "finished"),
    ends("maxtokens", 1, "broken"),
    ends("maxturns", 1, "broken"),
    ends("mcp", 0, "finished"),
    ends("partial", 0, "finished"),
    ends("perm-accept", 0, "finished"),
    ends("perm-allowed", 0, "finished"),
    ends("perm-dontask", 0, "finished"),
    ends("perm-manual", 0, "finished"),
    ends("perm-root-nosandbox", 1, "unusable"),
    ends("perm-tool", 0, "finished"),
    ends("refusal", 1, "refused"),
    ends("schema", 0, "finished"),
    ends("sighup-stream", 129, "killed"),
    ends("sighup-stream-resume", 0, "finished"),
    ends("sigint-stream", 0, "interrupted"),
    ends("sigint-stream-resume", 0, "finished"),
    ends("sigint-tool", 0, "interrupted"),
    ends("sigint-tool-resume", 0, "finished"),
    ends("sigterm-stream", 143, "killed"),
    ends("sigterm-stream-resume", 0, "finished"),
    ends("sigterm-tool", 143, "killed"),
    ends("sigterm-tool-resume", 0, "finished"),
    ends("sse-overloaded", 0, "finished"),
];

/// Calls of the newer Claude Code alone.
pub(crate) const CLAUDE_NEW: &[Sample] = &[
    ends("badinput", 0, "finished"),
    ends("badtool", 0, "finished"),
    ends("ctl-interrupt", 1, "interrupted"),
    ends("ctl-multi", 0, "finished"),
    ends("ctl-perm", 0, "finished"),
    ends("e429-forever", 1, "limited"),
    ends("e500-forever", 1, "unreachable"),
    ends("e529-forever", 1, "unreachable"),
    // These hung until the recorder killed them.
    ends("hang-headers", 137, "killed"),
    ends("wd-headers", 137, "killed"),
    ends("wd-mid", 137, "killed"),
    ends("hang-mid", 0, "finished"),
    ends("hang-mid-default", 0, "finished"),
];

/// Calls of Codex by `app-server`, which exits with 0 whatever happened.
pub(crate) const CODEX_APP: &[Sample] = &[
    ends("app-basic", 0, "finished"),
    ends("app-e401", 0, "not signed in"),
    ends("app-e429", 0, "limited"),
    ends("app-interrupt", 0, "interrupted"),
    ends("app-toolong", 0, "context full"),
];

/// Calls of Codex by `exec --json`.
pub(crate) const CODEX_EXEC: &[Sample] = &[
    ends("badtool", 0, "finished"),
    // These went on until the recorder killed them.
    ends("connrefused", 137, "killed"),
    ends("hang-before", 137, "killed"),
    ends("hang-mid-default", 137, "killed"),
    ends("hooks-forever", 137, "killed"),
    ends("connrefused-bounded", 1, "unreachable"),
    ends("drop-mid", 0, "finished"),
    ends("e400", 1, "broken"),
    ends("e401", 1, "not signed in"),
    ends("e404", 1, "unusable"),
    ends("e429-forever", 1, "limited"),
    ends("e429-once", 0, "finished"),
    ends("e429-quota", 1, "not signed in"),
    ends("e500-forever", 1, "unreachable"),
    ends("e503-r1", 1, "unreachable"),
    ends("exec-full", 0, "finished"),
    ends("exec-gpt5", 0, "finished"),
    ends("exec-ro", 0, "finished"),
    ends("exec-ws", 0, "finished"),
    ends("failed-ratelimit", 0, "finished"),
    ends("final-config", 0, "finished"),
    ends("hang-mid", 1, "unreachable"),
    ends("hooks", 0, "finished"),
    ends("item-denied-full", 0, "finished"),
    ends("item-denied-ro", 0, "finished"),
    ends("item-denied-ro-slow", 0, "finished"),
    ends("item-denied-tooltxt", 0, "finished"),
    ends("item-exit3", 0, "finished"),
    ends("item-exit3-full", 0, "finished"),
    ends("item-slow-fail", 0, "finished"),
    ends("item-test-fail", 0, "finished"),
    ends("kill9-stream", 137, "killed"),
    ends("kill9-stream-resume", 0, "finished"),
    ends("kill9-tool", 137, "killed"),
    ends("kill9-tool-resume", 0, "finished"),
    ends("probe", 0, "finished"),
    // At SIGINT it exits with 1 and says nothing: it might as well have fallen over.
    ends("sigint-stream", 1, "broken"),
    ends("sigint-stream-resume", 0, "finished"),
    ends("sigint-tool", 1, "broken"),
    ends("sigint-tool-resume", 0, "finished"),
    ends("sigterm-stream", 143, "killed"),
    ends("sigterm-stream-resume", 0, "finished"),
    ends("sigterm-tool", 143, "killed"),
    ends("sigterm-tool-resume", 0, "finished"),
    ends("toolong-400", 1, "context full"),
    ends("toolong-failed", 1, "context full"),
    ends("untrusted-dir", 0, "finished"),
];
