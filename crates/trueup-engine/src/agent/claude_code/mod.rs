//! Claude Code, by its own stream of JSON lines in both directions.

mod dialogue;
mod ending;
mod meter;
mod stream;

pub use dialogue::ClaudeDialogue;

use crate::sandbox::Mode;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use trueup_core::{
    memory::Memory,
    turn::{Permission, Policy},
};

/// Claude Code as an agent.
#[derive(Clone, Debug)]
pub struct ClaudeCode {
    /// The executable, wherever it lies on this machine.
    pub program: PathBuf,
    /// The model it asks; its own choice where there is none.
    pub model: Option<String>,
    /// Arguments of a person's own, after ours.
    pub arguments: Vec<String>,
    /// Variables of a person's own: keys, gateways. They win over ours.
    pub variables: BTreeMap<String, String>,
}

/// Variables that are always set. Without the first four it looks up hosts
/// even behind a gateway; its own retries last three minutes and more, and
/// how long the world is waited for is the run's to decide. The last has it
/// read the `CLAUDE.md` of the tree, see [`CLOSED`].
const ALWAYS: [(&str, &str); 6] = [
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_MAX_RETRIES", "1"),
    ("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", "1"),
];

/// What keeps the tree from running commands by the agent's own settings,
/// past every permission and before the model says a word: hooks, servers of
/// tools, programs that tell a key. No settings of any folder are read; that
/// alone would leave the tree's `CLAUDE.md` unread, so the tree is named once
/// more as a folder besides, whose instructions are read and settings are not.
const CLOSED: [&str; 5] = ["--add-dir", ".", "--strict-mcp-config", "--setting-sources", ""];

impl ClaudeCode {
    /// The arguments of one call, without the program.
    pub fn argv(&self, memory: &Memory, policy: &Policy, mode: Mode) -> Vec<String> {
        let mut argv: Vec<String> = [
            "-p",
            "--input-format",
            "stream-json",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
        ]
        .map(str::to_owned)
        .into();
        let mut add = |name: &str, value: &str| argv.extend([name.to_owned(), value.to_owned()]);
        if let Some(model) = &self.model {
            add("--model", model);
        }
        if let Memory::Continue { session } = memory {
            // The old session's file is not written again, in both versions.
            add("--resume", session.as_str());
        }
        let leave = CodexPermissions::of(policy.permission, mode);
        add("--permission-mode", leave.mode());
        if leave != CodexPermissions::Everything {
            add("--permission-prompt-tool", "stdio");
        }
        add("--settings", &leave.settings().to_string());
        if let Some(millicents) = policy.millicents_left {
            // It counts this call alone, also on a forked session, and it
            // stops only after the request that went beyond.
            add("--max-budget-usd", &dollars(millicents));
        }
        if matches!(memory, Memory::Continue { .. }) {
            argv.push("--fork-session".to_owned());
        }
        argv.extend(CLOSED.map(str::to_owned));
        argv.extend(self.arguments.iter().cloned());
        argv
    }

    /// The variables of one call. `home` is where the agent sees its home.
    pub fn environment(&self, home: &Path, mode: Mode) -> BTreeMap<String, String> {
        let mut variables: BTreeMap<String, String> =
            ALWAYS.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        variables.insert("CLAUDE_CONFIG_DIR".to_owned(), home.display().to_string());
        if mode != Mode::None {
            // Whoever is root inside a throw-away place may skip permissions.
            variables.insert("IS_SANDBOX".to_owned(), "1".to_owned());
        }
        variables.extend(self.variables.clone());
        variables
    }

    /// The conversation of one call.
    pub fn dialogue(&self, prompt: impl Into<String>) -> ClaudeDialogue {
        ClaudeDialogue::new(prompt)
    }
}

/// What the agent is left to do without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodexPermissions {
    /// Everything: our wall is round it.
    Everything,
    /// Everything inside its own sandbox: there is no wall of ours.
    OwnSandbox,
    /// To edit files of the tree.
    Edits,
    /// To read.
    Nothing,
}

impl CodexPermissions {
    const fn of(permission: Permission, mode: Mode) -> Self {
        match (permission, mode) {
            (Permission::Everything, Mode::Bubblewrap | Mode::Outer) => Self::Everything,
            (Permission::Everything, Mode::None) => Self::OwnSandbox,
            (Permission::Edits, _) => Self::Edits,
            (Permission::Nothing, _) => Self::Nothing,
        }
    }

    // `manual`, the newer name of `default`, is refused by 2.1.197.
    const fn mode(self) -> &'static str {
        match self {
            Self::Everything => "bypassPermissions",
            Self::OwnSandbox | Self::Edits => "acceptEdits",
            Self::Nothing => "default",
        }
    }

    fn settings(self) -> Value {
        match self {
            Self::Everything => json!({"disableAllHooks": true}),
            // Where its sandbox cannot be had (it wants bubblewrap and socat)
            // it warns on standard error, runs nothing in it, and asks for
            // every command, which is then denied.
            Self::OwnSandbox => json!({"disableAllHooks": true, "sandbox": {
                "enabled": true,
                "autoAllowBashIfSandboxed": true,
                "allowUnsandboxedCommands": false,
            }}),
            // By themselves `acceptEdits` runs `touch` and its like and
            // `default` runs `ls` and its like, without asking.
            Self::Edits | Self::Nothing => json!({"disableAllHooks": true, "permissions": {"ask": ["Bash"]}}),
        }
    }
}

fn dollars(millicents: u64) -> String {
    format!("{}.{:05}", millicents / 100_000, millicents % 100_000)
}
