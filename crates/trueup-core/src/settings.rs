//! The configuration a run was opened with, as far as it drives the run.
//!
//! With it an opening is self-contained: whoever takes the run up on another
//! machine needs nothing of the first one but secrets and programs. Programs
//! are named, and found on the PATH of whoever drives; secrets are named, and
//! taken from their environment.

use crate::{digest::Digest, reach::Site, rule::Levels, usage::Meter};
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What drives a run besides its task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How its agent is called.
    pub agent: AgentSettings,
    /// The templates of its prompts by name; their texts lie in the blobs.
    pub prompts: BTreeMap<String, Digest>,
    /// The folder of task files, relative to the checkout.
    pub tasks: String,
    /// Folders that everything in a sandbox may also read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<Folder>,
    /// Sockets of the machine that its checks may reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sockets: Vec<String>,
    /// How much the person wants to be asked.
    #[serde(default, skip_serializing_if = "Levels::are_usual")]
    pub levels: Levels,
    /// The packs of rules that came beside the built-in ones, by their files;
    /// their texts lie in the blobs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub packs: BTreeMap<String, Digest>,
    /// The digest of what set the rules. Whoever reads other rules out of the
    /// same task must not go on.
    pub rules: Digest,
}

/// How an agent is called. What it may reach, and do without being asked,
/// stands beside its name in the opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSettings {
    /// How it is spoken to.
    pub kind: AgentKind,
    /// The executable and its arguments, as they were configured.
    pub command: Vec<String>,
    /// The model it asks, where the person chose one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Variables it is given, none of them a secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Variables it is given of whoever drives, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_env: Vec<String>,
    /// Variables whose configured values are secrets, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secret_env: Vec<String>,
    /// Folders it may also read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<Folder>,
    /// Folders it may also write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<Folder>,
    /// What it may reach besides its model, where that is all it reaches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Site>,
    /// What of that it may only read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub registries: Vec<Site>,
}

/// How an agent is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentKind {
    /// Any executable: a prompt in, text out.
    Command,
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

impl AgentKind {
    /// Whether such an agent says what it costs.
    pub const fn meter(self) -> Meter {
        match self {
            Self::Command => Meter::Silent,
            Self::ClaudeCode => Meter::Reports,
            Self::Codex => Meter::Tokens,
        }
    }

    /// The word for it in configuration files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// What is called where nobody says otherwise.
    pub const fn program(self) -> Option<&'static str> {
        match self {
            Self::Command => None,
            Self::ClaudeCode => Some("claude"),
            Self::Codex => Some("codex"),
        }
    }
}

/// A folder, named so that it is found on another machine as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Folder {
    /// Below the checkout.
    Checkout(String),
    /// Below the home of whoever drives.
    Home(String),
    /// At this very path.
    At(String),
}

/// How the names of variables that hold secrets end.
const ENDS: [&str; 6] = ["TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE"];

/// What stands somewhere in such a name.
const MIDDLE: &str = "CREDENTIAL";

/// Whether a variable of this name holds a secret.
pub fn looks_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let singular = name.strip_suffix('S').unwrap_or(&name);
    name.contains(MIDDLE) || ENDS.iter().any(|end| name.ends_with(end) || singular.ends_with(end))
}

/// Handed through or not, these say what everybody may know.
const PUBLIC: [&str; 11] = [
    "HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TZ", "PWD", "TMPDIR", "EDITOR",
];

/// Whether everybody may know a variable of this name.
pub fn is_public(name: &str) -> bool {
    PUBLIC.contains(&name) || name.starts_with("LC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_whether_it_holds_a_secret() {
        for name in [
            "GITHUB_TOKEN",
            "ANTHROPIC_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "db_password",
            "CREDENTIALS_FILE",
        ] {
            assert!(looks_secret(name), "{name}");
        }
        for name in ["PATH", "KEYBOARD", "TOKENIZER", "LANG", "MONKEY_ISLAND"] {
            assert!(!looks_secret(name), "{name}");
        }
    }
}
