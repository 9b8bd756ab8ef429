//! What Codex tells of one thing it did. Its two interfaces tell it in the
//! same shape and spell it differently.

use crate::agent::{
    bound,
    dialogue::Act,
    fact::{Fact, ToolResult},
    trouble::cut,
};
use serde::Deserialize;
use serde_json::Value;

/// No patch that is asked for changes more files.
const MOST_CHANGES: usize = 1_000;

/// One thing the agent did.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) text: Option<String>,
    pub(super) command: Option<String>,
    pub(super) status: Option<String>,
    pub(super) changes: Vec<FileChange>,
    pub(super) server: Option<String>,
    pub(super) tool: Option<Value>,
    pub(super) query: Option<String>,
}

/// A file it changes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FileChange {
    pub(super) path: String,
}

/// What an item is to us.
enum Kind {
    Words,
    Tool,
    Other,
}

impl Item {
    fn is(&self) -> Kind {
        match self.kind.as_str() {
            "agentMessage" | "agent_message" => Kind::Words,
            "commandExecution"
            | "command_execution"
            | "fileChange"
            | "file_change"
            | "mcpToolCall"
            | "mcp_tool_call"
            | "dynamicToolCall"
            | "webSearch"
            | "web_search"
            | "collabAgentToolCall"
            | "collab_tool_call" => Kind::Tool,
            _ => Kind::Other,
        }
    }

    /// What it says, if it is words.
    pub(super) fn words(&self) -> Option<&str> {
        match self.is() {
            Kind::Words => self.text.as_deref(),
            Kind::Tool | Kind::Other => None,
        }
    }

    fn about(&self) -> String {
        let changed = || self.changes.first().map(|change| change.path.as_str());
        let tool = || self.tool.as_ref().and_then(Value::as_str);
        let found = self
            .command
            .as_deref()
            .or_else(changed)
            .or(self.query.as_deref())
            .or_else(tool);
        cut(found.unwrap_or_default(), 200)
    }

    /// What is asked for with it, for a person to read.
    pub(super) fn what(&self) -> String {
        format!("{}: {}", self.kind, self.about())
    }

    /// What must be known of it until it ends; nothing of one that is too large,
    /// which is then denied.
    pub(super) fn noted(&self) -> Option<Self> {
        let fits = self.changes.len() <= MOST_CHANGES
            && self.changes.iter().all(|change| bound::is_path(&change.path))
            && bound::is_name(&self.kind);
        fits.then(|| Self {
            id: self.id.clone(),
            kind: self.kind.clone(),
            command: Some(self.about()).filter(|about| !about.is_empty()),
            changes: self.changes.clone(),
            ..Self::default()
        })
    }

    /// It began.
    pub(super) fn began(&self) -> Vec<Act> {
        match self.is() {
            Kind::Tool => vec![Act::Fact(Fact::ToolBegan {
                id: self.id.clone(),
                name: self.kind.clone(),
                about: self.about(),
            })],
            Kind::Words | Kind::Other => Vec::new(),
        }
    }

    /// It ended. After a tool the model is asked again.
    pub(super) fn ended(&self) -> Vec<Act> {
        match self.is() {
            Kind::Words => vec![Act::Fact(Fact::Spoke(self.text.clone().unwrap_or_default()))],
            // An item of the kind `error` is a remark: no failure of the turn.
            Kind::Other => Vec::new(),
            Kind::Tool => {
                let worked = match self.status.as_deref() {
                    Some("completed") | None => ToolResult::Yes,
                    Some(_) => ToolResult::No,
                };
                let mut acts = vec![Act::Fact(Fact::ToolEnded {
                    id: self.id.clone(),
                    worked,
                })];
                if worked == ToolResult::Yes && !self.changes.is_empty() {
                    let paths = self.changes.iter().map(|change| change.path.clone());
                    acts.push(Act::Fact(Fact::Changed(paths.collect())));
                }
                acts.push(Act::Fact(Fact::Asked));
                acts
            }
        }
    }
}
