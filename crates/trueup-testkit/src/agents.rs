//! Where the real agents are that tests drive, each at one exact version.
#![expect(clippy::panic, reason = "only tests ask, and a test without its agent is over")]

use std::{env, path::PathBuf};

/// Names the folder with the agents, where it is not the customary one.
pub const FOLDER: &str = "TRUEUP_TEST_AGENTS";

/// The versions of Claude Code that tests drive: a new one, and one that
/// people still have.
pub const CLAUDE_VERSIONS: [&str; 2] = ["2.1.325", "2.1.197"];

/// The version of Codex that tests drive.
pub const CODEX_VERSION: &str = "0.166.0";

/// The program of this version of Claude Code.
///
/// # Panics
/// It is not installed.
pub fn claude(version: &str) -> PathBuf {
    installed(&format!(
        "claude-{version}/node_modules/@anthropic-ai/claude-code-linux-x64/claude"
    ))
}

/// The program of Codex, which needs the files beside it.
///
/// # Panics
/// It is not installed.
pub fn codex() -> PathBuf {
    installed(&format!(
        "codex-{CODEX_VERSION}/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
    ))
}

fn installed(program: &str) -> PathBuf {
    let path = folder().join(program);
    assert!(
        path.is_file(),
        "{} is not there; install the agents with: .ci/run agents",
        path.display()
    );
    path
}

/// Below `.local/lib`, because that is what a sandbox shows of a home.
fn folder() -> PathBuf {
    let named = env::var_os(FOLDER).map(PathBuf::from);
    let customary = || Some(PathBuf::from(env::var_os("HOME")?).join(".local/lib/trueup-ci/agents"));
    named
        .or_else(customary)
        .unwrap_or_else(|| panic!("neither {FOLDER} nor HOME is set"))
}
