//! Replies as OpenAI's Chat Completions, and all that imitate them, spell them.

use serde_json::{Value, json};

use super::{
    answer::{Part, pieces},
    ids::{Ids, now},
    reply::{ApiError, Reply},
};

/// A reply as one completion.
pub(super) fn plain(reply: &Reply, model: &Value, ids: &Ids) -> Value {
    let mut message = json!({"role": "assistant", "content": reply.text});
    if let Some(thinking) = &reply.thinking {
        message["reasoning_content"] = json!(thinking);
    }
    if !reply.tools.is_empty() {
        message["tool_calls"] = json!(calls(reply, ids));
    }
    let choice = json!({"index": 0, "message": message, "finish_reason": finished(reply)});
    json!({
        "id": ids.next("chatcmpl-"), "object": "chat.completion", "created": now(), "model": model,
        "choices": [choice], "usage": usage(reply),
    })
}

/// A reply as a stream.
pub(super) fn stream(reply: &Reply, model: &Value, ids: &Ids) -> Vec<Part> {
    let mut deltas = vec![json!({"role": "assistant", "content": ""})];
    let thought = pieces(reply.thinking.as_deref().unwrap_or_default());
    deltas.extend(thought.into_iter().map(|piece| json!({"reasoning_content": piece})));
    let said = pieces(reply.text.as_deref().unwrap_or_default());
    deltas.extend(said.into_iter().map(|piece| json!({"content": piece})));
    for (index, mut call) in calls(reply, ids).into_iter().enumerate() {
        call["index"] = json!(index);
        deltas.push(json!({"tool_calls": [call]}));
    }
    let id = ids.next("chatcmpl-");
    let chunk = |choices: Value, usage: Value| {
        Part::bare(&json!({
            "id": id, "object": "chat.completion.chunk", "created": now(), "model": model,
            "choices": choices, "usage": usage,
        }))
    };
    let choice = |delta: Value, finish: Value| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
    let mut parts: Vec<Part> = deltas
        .into_iter()
        .map(|delta| chunk(choice(delta, Value::Null), Value::Null))
        .collect();
    parts.push(chunk(choice(json!({}), json!(finished(reply))), Value::Null));
    parts.push(chunk(json!([]), usage(reply)));
    parts.push(Part::literal("[DONE]"));
    parts
}

/// An error as a body.
pub(super) fn error(error: &ApiError) -> Value {
    json!({"error": error})
}

/// An error in the middle of a stream.
pub(super) fn stream_error(error: &ApiError) -> Part {
    Part::bare(&json!({"error": error}))
}

fn calls(reply: &Reply, ids: &Ids) -> Vec<Value> {
    let call = |tool: &super::reply::ToolCall| {
        let function = json!({"name": tool.name, "arguments": tool.input.to_string()});
        json!({"id": ids.next("call_"), "type": "function", "function": function})
    };
    reply.tools.iter().map(call).collect()
}

fn finished(reply: &Reply) -> &str {
    match reply.stopped() {
        "end_turn" => "stop",
        "tool_use" => "tool_calls",
        "max_tokens" => "length",
        "refusal" => "content_filter",
        other => other,
    }
}

fn usage(reply: &Reply) -> Value {
    let usage = reply.usage;
    json!({
        "prompt_tokens": usage.all_input(),
        "prompt_tokens_details": {"cached_tokens": usage.cache_read},
        "completion_tokens": usage.output,
        "total_tokens": usage.all_input() + usage.output,
    })
}
