//! Replies as Anthropic's Messages spell them.

use serde_json::{Value, json};

use super::{
    answer::{Part, pieces},
    ids::Ids,
    reply::{ApiError, Reply},
};

/// A reply as one message.
pub(super) fn plain(reply: &Reply, model: &Value, ids: &Ids) -> Value {
    json!({
        "id": ids.next("msg_"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks(reply, ids),
        "stop_reason": reply.stopped(),
        "stop_sequence": null,
        "usage": usage(reply),
    })
}

/// A reply as a stream.
pub(super) fn stream(reply: &Reply, model: &Value, ids: &Ids) -> Vec<Part> {
    let mut opening = plain(reply, model, ids);
    let blocks = std::mem::take(&mut opening["content"]);
    opening["content"] = json!([]);
    opening["stop_reason"] = Value::Null;
    // What will have been written is not known when a message begins.
    opening["usage"]["output_tokens"] = json!(1);
    let mut parts = vec![
        event(json!({"type": "message_start", "message": opening})),
        event(json!({"type": "ping"})),
    ];
    for (index, block) in blocks.as_array().into_iter().flatten().enumerate() {
        parts.extend(block_events(index, block));
    }
    let delta = json!({"stop_reason": reply.stopped(), "stop_sequence": null});
    parts.push(event(
        json!({"type": "message_delta", "delta": delta, "usage": usage(reply)}),
    ));
    parts.push(event(json!({"type": "message_stop"})));
    parts
}

/// An error as a body.
pub(super) fn error(error: &ApiError, ids: &Ids) -> Value {
    json!({"type": "error", "error": error, "request_id": ids.next("req_")})
}

/// An error in the middle of a stream.
pub(super) fn stream_error(error: &ApiError) -> Part {
    event(json!({"type": "error", "error": error}))
}

/// An event is named by its own type.
fn event(data: Value) -> Part {
    Part::named(data)
}

fn blocks(reply: &Reply, ids: &Ids) -> Vec<Value> {
    let mut blocks = Vec::new();
    if let Some(thinking) = &reply.thinking {
        blocks.push(json!({"type": "thinking", "thinking": thinking, "signature": "c2NyaXB0ZWQ="}));
    }
    if let Some(text) = &reply.text {
        blocks.push(json!({"type": "text", "text": text}));
    }
    for tool in &reply.tools {
        blocks.push(json!({
            "type": "tool_use", "id": ids.next("toolu_"), "name": tool.name, "input": tool.input,
        }));
    }
    blocks
}

fn usage(reply: &Reply) -> Value {
    json!({
        "input_tokens": reply.usage.input,
        "cache_creation_input_tokens": reply.usage.cache_creation,
        "cache_read_input_tokens": reply.usage.cache_read,
        "output_tokens": reply.usage.output,
        "service_tier": "standard",
    })
}

/// A block begins empty, grows by deltas, and stops.
fn block_events(index: usize, block: &Value) -> Vec<Part> {
    let mut empty = block.clone();
    let mut deltas = Vec::new();
    let text = |name: &str| block[name].as_str().unwrap_or_default().to_owned();
    match block["type"].as_str() {
        Some("thinking") => {
            empty["thinking"] = json!("");
            empty["signature"] = json!("");
            let thought = pieces(&text("thinking"));
            deltas.extend(
                thought
                    .into_iter()
                    .map(|piece| json!({"type": "thinking_delta", "thinking": piece})),
            );
            deltas.push(json!({"type": "signature_delta", "signature": text("signature")}));
        }
        Some("tool_use") => {
            empty["input"] = json!({});
            let input = pieces(&block["input"].to_string());
            deltas.extend(
                input
                    .into_iter()
                    .map(|piece| json!({"type": "input_json_delta", "partial_json": piece})),
            );
        }
        _ => {
            empty["text"] = json!("");
            let said = pieces(&text("text"));
            deltas.extend(
                said.into_iter()
                    .map(|piece| json!({"type": "text_delta", "text": piece})),
            );
        }
    }
    let mut parts = vec![event(
        json!({"type": "content_block_start", "index": index, "content_block": empty}),
    )];
    for delta in deltas {
        parts.push(event(
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
        ));
    }
    parts.push(event(json!({"type": "content_block_stop", "index": index})));
    parts
}
