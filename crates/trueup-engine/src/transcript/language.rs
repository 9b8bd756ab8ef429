//! Which agent's language a line is in. A kept transcript is read years after
//! its agent's configuration is gone, so the lines themselves have to tell.

use crate::agent::{
    claude_code::ClaudeDialogue,
    codex::{AppServerDialogue, CodexPermissions, ExecDialogue, Start},
    dialogue::Dialogue,
};
use serde_json::Value;
use std::path::PathBuf;
use trueup_core::{memory::Memory, turn::Permission};

/// The dialogue whose language this line is in. It only listens: what it
/// would answer is dropped.
pub(super) fn dialogue_of(line: &Value) -> Option<Box<dyn Dialogue>> {
    let word = |key: &str| line.get(key).and_then(Value::as_str);
    let kind = word("type").unwrap_or_default();
    let of_exec = ["thread.", "turn.", "item."]
        .iter()
        .any(|begin| kind.starts_with(begin));
    let of_server = word("method").is_some() || (line.get("id").is_some() && line.get("result").is_some());
    if !kind.is_empty() && line.get("session_id").is_some() {
        Some(Box::new(ClaudeDialogue::new("")))
    } else if of_exec {
        Some(Box::new(ExecDialogue::new("", &Memory::Fresh)))
    } else if of_server {
        Some(Box::new(AppServerDialogue::new(Start {
            prompt: String::new(),
            memory: Memory::Fresh,
            folder: PathBuf::from("/"),
            leave: CodexPermissions {
                sandbox: "read-only",
                approval: "never",
                permission: Permission::Everything,
            },
        })))
    } else {
        None
    }
}

/// What tools returned in this line, by the ids of their uses.
pub(super) fn returned(line: &Value) -> Vec<(String, String)> {
    let of_claude = line.pointer("/message/content").and_then(Value::as_array);
    let of_claude = of_claude.into_iter().flatten().filter_map(|block| {
        let is_result = block.get("type").and_then(Value::as_str) == Some("tool_result");
        let id = block.get("tool_use_id").and_then(Value::as_str)?;
        is_result.then(|| (id.to_owned(), text_of(block.get("content"))))
    });
    let item = line.pointer("/params/item").or_else(|| line.get("item"));
    let of_codex = item.and_then(|item| {
        let id = item.get("id").and_then(Value::as_str)?;
        let output = item.get("aggregatedOutput").or_else(|| item.get("aggregated_output"));
        Some((id.to_owned(), output?.as_str()?.to_owned()))
    });
    of_claude.chain(of_codex).collect()
}

/// A text, or the texts of a list of blocks.
fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let texts = blocks.iter().filter_map(|block| block.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => String::new(),
    }
}
