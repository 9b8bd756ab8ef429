//! The lines of `--output-format stream-json`, as far as they mean something
//! here. Everything is optional: versions differ in what they print and in
//! the order of keys, and a line that is not understood is kept and ignored.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use trueup_core::usage::Tokens;

/// One line.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum StreamLine {
    /// Something about the session.
    System(System),
    /// One block of one message: the same message comes as several lines.
    Assistant(Assistant),
    /// What the agent tells the model: results of tools.
    User(User),
    /// A piece of an answer as it comes.
    StreamEvent(StreamEvent),
    /// The agent asks.
    ControlRequest(ControlRequest),
    /// What the subscription still gives.
    RateLimitEvent(RateLimitEvent),
    /// The end of the turn.
    Result(Box<TurnResult>),
    /// Anything else.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct System {
    pub(super) subtype: Option<String>,
    pub(super) session_id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) claude_code_version: Option<String>,
    pub(super) status: Option<String>,
    pub(super) error_status: Option<u16>,
    pub(super) retry_delay_ms: Option<f64>,
    pub(super) error: Option<String>,
    pub(super) tool_name: Option<String>,
    pub(super) tool_use_id: Option<String>,
    pub(super) message: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Assistant {
    pub(super) message: AssistantMessage,
    pub(super) parent_tool_use_id: Option<String>,
    /// The kind of an API error; the message is then not the model's.
    pub(super) error: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AssistantMessage {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) content: Value,
    pub(super) usage: Option<MessageTokens>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct User {
    pub(super) message: AssistantMessage,
}

/// A block of a message.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    ToolUse {
        #[serde(default)]
        id: String,
        #[serde(default)]
        name: String,
        #[serde(default)]
        input: Value,
    },
    ToolResult {
        #[serde(default)]
        tool_use_id: String,
        #[serde(default)]
        is_error: Option<bool>,
    },
    #[serde(other)]
    Other,
}

impl AssistantMessage {
    /// Its blocks; a content that is plain text, or no list at all, has none.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let blocks = self.content.as_array().map(Vec::as_slice).unwrap_or_default();
        let read = |block: &Value| Block::deserialize(block).ok();
        blocks.iter().filter_map(read).collect()
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StreamEvent {
    pub(super) event: Delta,
    pub(super) parent_tool_use_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) message: Option<AssistantMessage>,
    pub(super) usage: Option<MessageTokens>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ControlRequest {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) request: Asked,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    pub(super) subtype: Option<String>,
    pub(super) tool_name: Option<String>,
    pub(super) tool_use_id: Option<String>,
    pub(super) input: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RateLimitEvent {
    pub(super) rate_limit_info: RateLimit,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct RateLimit {
    pub(super) status: Option<String>,
    /// Seconds since the epoch.
    pub(super) resets_at: Option<i64>,
}

/// The last line. `subtype` says `success` of every API error, so that only
/// `is_error` counts.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TurnResult {
    pub(super) subtype: Option<String>,
    pub(super) is_error: Option<bool>,
    pub(super) api_error_status: Option<u16>,
    pub(super) terminal_reason: Option<String>,
    pub(super) stop_reason: Option<String>,
    pub(super) result: Option<String>,
    pub(super) errors: Vec<String>,
    pub(super) total_cost_usd: Option<f64>,
    pub(super) usage: Option<MessageTokens>,
    #[serde(rename = "modelUsage")]
    pub(super) model_usage: BTreeMap<String, ModelUsage>,
    /// Since 2.1.3xx: this call's part of what is otherwise the session's.
    pub(super) model_usage_since_last_result: Option<BTreeMap<String, ModelUsage>>,
    pub(super) permission_denials: Vec<Denial>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ModelUsage {
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) cache_read_input_tokens: u64,
    pub(super) cache_creation_input_tokens: u64,
    #[serde(rename = "costUSD")]
    pub(super) cost_usd: Option<f64>,
    pub(super) context_window: Option<u64>,
}

impl ModelUsage {
    pub(super) const fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input_tokens,
            cache_writes: self.cache_creation_input_tokens,
            cache_reads: self.cache_read_input_tokens,
            output: self.output_tokens,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Denial {
    pub(super) tool_name: Option<String>,
    pub(super) tool_use_id: Option<String>,
    pub(super) tool_input: Value,
}

/// Tokens as the model's API counts them.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageTokens {
    pub(super) input_tokens: Option<u64>,
    pub(super) cache_creation_input_tokens: Option<u64>,
    pub(super) cache_read_input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
}

impl MessageTokens {
    pub(super) fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input_tokens.unwrap_or(0),
            cache_writes: self.cache_creation_input_tokens.unwrap_or(0),
            cache_reads: self.cache_read_input_tokens.unwrap_or(0),
            output: self.output_tokens.unwrap_or(0),
        }
    }
}
